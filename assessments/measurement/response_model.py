"""How likely a person of a given ability is to answer an item correctly."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AptitudeItem:
    """An item as the arithmetic sees it: its family and its three parameters.

    Items with the same `clone` were made from one template with the same radicals; one without
    is like no other.
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
    """Return the chance of a correct answer under the three-parameter logistic model.

    P = c + (1 - c) / (1 + exp(-a (theta - b))), without the scaling constant 1.702 (D = 1).
    Source: Birnbaum, A. (1968), in Lord & Novick, Statistical Theories of Mental Test Scores.
    """
    return c + (1 - c) * _logistic(a * (theta - b))


def information(theta: float, a: float, b: float, c: float) -> float:
    """Return the Fisher information that the item gives about ability at theta.

    I = a^2 * ((P - c) / (1 - c))^2 * (1 - P) / P.
    Source: Lord, F. M. (1980), Applications of Item Response Theory, equation 4-43, with D = 1.
    """
    logistic = _logistic(a * (theta - b))
    # (1 - P) is written as a product: 1 - P itself loses all digits where P is close to 1.
    wrong = (1 - c) * _logistic(-a * (theta - b))
    return a * a * logistic * logistic * wrong / (c + (1 - c) * logistic)


def _logistic(x: float) -> float:
    # exp() of a large positive number overflows, of a large negative one it is simply 0.
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1 + grown)
