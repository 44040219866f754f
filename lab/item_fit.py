"""Find calibrated items that need a review."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.calibration import MISSING, Calibration, Floats, ItemEstimate, Marks, curves
from lab.item_statistics import is_below_chance

GROUPS = 10
# A group that expects fewer right or wrong answers is merged with the next one.
FEWEST_EXPECTED = 5.0
SURE_MISFIT = 0.001
MEAN_SQUARES = (0.7, 1.3)
# With a hundred answers a mean square of 1.3 is unlikely by chance.
FEWEST_FOR_FIT = 100
FEWEST_ANSWERS = 30
WEAK_BELOW = 0.4


@dataclass(frozen=True, slots=True)
class ItemFit:
    """How well the answers to one item agree with its estimate.

    `infit` and `outfit` are mean squares, 1 if the item fits; `p` is the p-value of a chi-square
    over ability groups. None if there are too few answers.
    """

    share_right: float | None
    infit: float | None
    outfit: float | None
    p: float | None


def item_fit(marks: Marks, guessing: Sequence[float], calibration: Calibration) -> list[ItemFit]:
    """Compare the answers to every item with those expected from the students' other answers.

    The expectation is the probability of a right answer over the posterior of the student's other
    answers; including the answer itself would make every item look too good. A chi-square compares
    the right answers in GROUPS groups of students, ordered by expectation. It has one degree of
    freedom per group, minus two for a and b.
    Sources: Wright, B. D. & Masters, G. N. (1982), Rating Scale Analysis (mean squares); Yen, W. M.
    (1981), Applied Psychological Measurement 5, 245-262 (Q1); Stone, C. A. (2000), Journal of
    Educational Measurement 37, 58-75 (posteriors in place of estimates).
    """
    a = np.array([item.a for item in calibration.items])
    b = np.array([item.b for item in calibration.items])
    _, chances = curves(a, b, np.array(guessing, dtype=np.float64))
    return [_fit(marks[:, item], chances[item], calibration.posteriors) for item in range(len(a))]


def review(estimate: ItemEstimate, guessing: float, fit: ItemFit) -> list[str]:
    """Return the reasons to review an item.

    A share of right answers below chance suggests a wrong key, or a wrong option that is too good.
    """
    low, high = MEAN_SQUARES
    squares = [each for each in (fit.infit, fit.outfit) if each is not None]
    found = {
        "few_answers": estimate.answers < FEWEST_ANSWERS,
        "weak": estimate.a < WEAK_BELOW,
        "below_chance": fit.share_right is not None
        and is_below_chance(fit.share_right, guessing, estimate.answers),
        "misfit": any(not low <= each <= high for each in squares)
        or (fit.p is not None and fit.p < SURE_MISFIT),
    }
    return [reason for reason, holds in found.items() if holds]


def _fit(marks: Marks, chance: Floats, posteriors: Floats) -> ItemFit:
    given = marks != MISSING
    right = marks[given].astype(np.float64)
    if not len(right):
        return ItemFit(None, None, None, None)
    share = float(right.mean())
    if len(right) < FEWEST_FOR_FIT:
        return ItemFit(share, None, None, None)
    # Dividing by the probability of this answer removes it from the posterior.
    others = posteriors[given] / np.where(right[:, None] == 1, chance, 1 - chance)
    expected = (others @ chance) / others.sum(axis=1)
    variance = expected * (1 - expected)
    squares = (right - expected) ** 2
    return ItemFit(
        share_right=share,
        infit=float(squares.sum() / variance.sum()),
        outfit=float((squares / variance).mean()),
        p=_groups_p(right, expected),
    )


def _groups_p(right: Floats, expected: Floats) -> float | None:
    """Return the p-value of the chi-square over groups; None with fewer than four groups."""
    order = np.argsort(expected, kind="stable")
    observed, wanted, spread = 0.0, 0.0, 0.0
    failing = 0.0
    cells = []
    for group in np.array_split(order, GROUPS):
        observed += float(right[group].sum())
        wanted += float(expected[group].sum())
        failing += float((1 - expected[group]).sum())
        spread += float((expected[group] * (1 - expected[group])).sum())
        if min(wanted, failing) >= FEWEST_EXPECTED:
            cells.append((observed - wanted) ** 2 / spread)
            observed = wanted = spread = failing = 0.0
    freedom = len(cells) - 2
    return chi_square_tail(sum(cells), freedom) if freedom >= 2 else None


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square with `freedom` degrees of freedom exceeds a value.

    The finite sums for even and odd degrees; source: Abramowitz & Stegun (1964), 26.4.4-5.
    """
    if value <= 0:
        return 1.0
    half = value / 2
    if freedom % 2:
        tail = math.erfc(math.sqrt(half))
        term = math.sqrt(half / math.pi) * 2 * math.exp(-half)
        for odd in range(3, freedom + 1, 2):
            tail += term
            term *= value / odd
        return tail
    term = tail = math.exp(-half)
    for even in range(2, freedom, 2):
        term *= value / even
        tail += term
    return tail
