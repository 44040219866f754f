"""Whether an item works alike in two groups of students of the same ability."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

# Of either group, answers to the item.
FEWEST_ANSWERS = 100
STRATA = 10
# One unit of this scale is about a tenth of the range of difficulties in use at ETS.
DELTA_PER_LOG_ODDS = -2.35
SMALL, LARGE = 1.0, 1.5
TWO_SIDED_5, ONE_SIDED_5 = 1.96, 1.645

Grade = Literal["A", "B", "C"]


class Compared(NamedTuple):
    """One student's answer to the item: the ability estimate, the mark, the group."""

    theta: float
    right: bool
    focal: bool


class Stratum(NamedTuple):
    """How many of similar ability are right and wrong in either group."""

    reference_right: int
    reference_wrong: int
    focal_right: int
    focal_wrong: int


@dataclass(frozen=True, slots=True)
class Dif:
    """How much easier the item is for the focal group, on the delta scale, and its grade.

    Below 0 it is harder for them than for others of the same ability. A: negligible, B: moderate,
    C: large.
    """

    delta: float
    se: float
    grade: Grade


def differential(answers: Iterable[Compared]) -> Dif | None:
    """Compare an item between two groups by Mantel and Haenszel's odds ratio.

    The students are matched in STRATA equal parts by ability, as in adaptive tests their totals
    don't compare. None with fewer than FEWEST_ANSWERS in a group, or if no stratum tells.
    Sources: Holland, P. W. & Thayer, D. T. (1988), in Wainer & Braun, Test Validity; adaptive
    tests: Zwick, R., Thayer, D. T. & Wingersky, M. (1994), Applied Psychological Measurement 18,
    121-140.
    """
    ordered = sorted(answers)
    focal = sum(answer.focal for answer in ordered)
    if min(focal, len(ordered) - focal) < FEWEST_ANSWERS:
        return None
    cuts = [len(ordered) * part // STRATA for part in range(STRATA + 1)]
    found = mantel_haenszel(
        [_stratum(ordered[low:high]) for low, high in zip(cuts, cuts[1:], strict=False)]
    )
    return Dif(*found, grade(*found)) if found else None


def mantel_haenszel(strata: Iterable[Stratum]) -> tuple[float, float] | None:
    """Return -2.35 times the logarithm of the common odds ratio, and its standard error.

    The odds are those of the reference group over those of the focal group. None if they are 0 or
    without limit. Source of the error: Robins, J., Breslow, N. & Greenland, S. (1986), Biometrics
    42, 311-323.
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

    A is below 1, or not significantly different from 0; C is 1.5 or more and significantly beyond
    1; B is what lies between. Source: Zieky, M. (1993), in Holland & Wainer, Differential Item
    Functioning, 337-347.
    """
    size = abs(delta)
    if size < SMALL or size <= TWO_SIDED_5 * se:
        return "A"
    return "C" if size >= LARGE and size - SMALL > ONE_SIDED_5 * se else "B"


def _stratum(answers: Sequence[Compared]) -> Stratum:
    def count(*, focal: bool, right: bool) -> int:
        return sum(answer.focal == focal and answer.right == right for answer in answers)

    return Stratum(
        reference_right=count(focal=False, right=True),
        reference_wrong=count(focal=False, right=False),
        focal_right=count(focal=True, right=True),
        focal_wrong=count(focal=True, right=False),
    )
