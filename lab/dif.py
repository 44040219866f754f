"""Differential item functioning: is an item harder for one of two groups of equal ability?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

# Answers to the item needed from each group.
FEWEST_ANSWERS = 100
STRATA = 10
# One unit of this scale is about a tenth of the range of difficulties in use at ETS.
DELTA_PER_LOG_ODDS = -2.35
SMALL, LARGE = 1.0, 1.5
TWO_SIDED_5, ONE_SIDED_5 = 1.96, 1.645

Grade = Literal["A", "B", "C"]


class Compared(NamedTuple):
    """One student's answer to the item: ability estimate, mark and group."""

    theta: float
    right: bool
    focal: bool


class Stratum(NamedTuple):
    """Numbers of right and wrong answers in both groups, of students of similar ability."""

    reference_right: int
    reference_wrong: int
    focal_right: int
    focal_wrong: int


@dataclass(frozen=True, slots=True)
class Dif:
    """How much easier the item is for the focal group, on the delta scale.

    Below 0, it is harder for them than for others of the same ability. Grade A is negligible, B
    moderate, C large.
    """

    delta: float
    se: float
    grade: Grade


def differential(answers: Iterable[Compared]) -> Dif | None:
    """Compare an item between two groups by Mantel and Haenszel's odds ratio.

    Students are matched by ability, in STRATA parts of equal size, because totals of adaptive tests
    are not comparable. Returns None if a group has fewer than FEWEST_ANSWERS, or if the odds ratio
    is undefined.
    Sources: Holland, P. W. & Thayer, D. T. (1988), in Wainer & Braun, Test Validity; adaptive
    tests: Zwick, R., Thayer, D. T. & Wingersky, M. (1994), Applied Psychological Measurement 18,
    121-140.
    """
    ordered = sorted(answers)
    focal = sum(answer.focal for answer in ordered)
    if min(focal, len(ordered) - focal) < FEWEST_ANSWERS:
        return None
    cuts = [len(ordered) * part // STRATA for part in range(STRATA + 1)]
    strata = []
    for low, high in pairwise(cuts):
        count = Counter((answer.focal, answer.right) for answer in ordered[low:high])
        strata.append(
            Stratum(
                reference_right=count[False, True],
                reference_wrong=count[False, False],
                focal_right=count[True, True],
                focal_wrong=count[True, False],
            )
        )
    found = mantel_haenszel(strata)
    return Dif(*found, grade(*found)) if found else None


def mantel_haenszel(strata: Iterable[Stratum]) -> tuple[float, float] | None:
    """Return -2.35 times the logarithm of the common odds ratio, and its standard error.

    The ratio is the odds of the reference group over those of the focal group. None if it is 0 or
    infinite. Source of the error: Robins, J., Breslow, N. & Greenland, S. (1986), Biometrics 42,
    311-323.
    """
    r = s = pr = mixed = qs = 0.0
    for a, b, c, d in strata:
        n = a + b + c + d
        if not n:
            continue
        for_reference, for_focal = a * d / n, b * c / n
        alike, crossed = (a + d) / n, (b + c) / n
        r += for_reference
        s += for_focal
        pr += alike * for_reference
        mixed += alike * for_focal + crossed * for_reference
        qs += crossed * for_focal
    if not r or not s:
        return None
    variance = pr / (2 * r * r) + mixed / (2 * r * s) + qs / (2 * s * s)
    return DELTA_PER_LOG_ODDS * math.log(r / s), abs(DELTA_PER_LOG_ODDS) * math.sqrt(variance)


def grade(delta: float, se: float) -> Grade:
    """Grade a difference as ETS does.

    A is below 1, or not significantly different from 0; C is at least 1.5 and significantly above
    1; B is in between. Source: Zieky, M. (1993), in Holland & Wainer, Differential Item
    Functioning, 337-347.
    """
    size = abs(delta)
    if size < SMALL or size <= TWO_SIDED_5 * se:
        return "A"
    return "C" if size >= LARGE and size - SMALL > ONE_SIDED_5 * se else "B"
