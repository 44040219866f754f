"""The three-parameter logistic model of answers to an item."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AptitudeItem:
    """An item, its family and its three parameters.

    Items with the same `clone` were generated from one template with the same radicals; "" means
    that the item has no clones.
    """

    code: str
    family: str
    a: float
    b: float
    c: float
    clone: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """An aptitude item and whether it was answered correctly ("I don't know" is not)."""

    item: AptitudeItem
    correct: bool


def probability(theta: float, a: float, b: float, c: float) -> float:
    """Return the probability of a correct answer.

    P = c + (1 - c) / (1 + exp(-a (theta - b))), without the scaling constant 1.702 (D = 1).
    Source: Birnbaum, A. (1968), in Lord & Novick, Statistical Theories of Mental Test Scores.
    """
    return c + (1 - c) * _logistic(a * (theta - b))


def information(theta: float, a: float, b: float, c: float) -> float:
    """Return the Fisher information of the item about ability at theta.

    I = a^2 * ((P - c) / (1 - c))^2 * (1 - P) / P.
    Source: Lord, F. M. (1980), Applications of Item Response Theory, equation 4-43, with D = 1.
    """
    logistic = _logistic(a * (theta - b))
    # A product gives 1 - P without losing digits where P is close to 1.
    wrong = (1 - c) * _logistic(-a * (theta - b))
    return a * a * logistic * logistic * wrong / (c + (1 - c) * logistic)


def _logistic(x: float) -> float:
    # exp() overflows for large positive numbers.
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1 + grown)
