"""10. The same student on another day: how much of the list of courses stays the same."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from statistics import fmean

from bench.measurement.claims.choices import ERROR, MOST_IMPLAUSIBLE, SPREAD, recommended
from lab.figures import Figure, reported
from lab.truths import Truth, catalogue
from measurement.ability import Ability
from measurement.bank import Bank
from measurement.recommendation import COUNT
from measurement.scales import FACETS

STUDENTS = 500
# Two estimates of an ability correlate by the share of its variance that an estimate has.
RELIABILITY = SPREAD**2


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    """Yield how many of five courses two attempts share; the result page says "about three"."""
    for name in MOST_IMPLAUSIBLE:
        pairs = list(_pairs(Truth.read(name), bank, STUDENTS * (3 if full else 1)))
        same = fmean(len(set(one) & set(other)) for one, other in pairs)
        yield reported(f"{name}: courses of five that a retake repeats", same)
        first = fmean(one[0] == other[0] for one, other in pairs)
        yield reported(f"{name}: the first course is the same, share", first)


def _pairs(truth: Truth, bank: Bank, count: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield two lists for each student, whose likings stay and whose answers are new."""
    courses, draw = catalogue(), random.Random(f"retakes {truth.name}")
    for number in range(count):
        student = truth.student(f"student {number}")
        once = {facet: draw.gauss(0, SPREAD) for facet in FACETS}
        again = {
            facet: RELIABILITY * theta + math.sqrt(1 - RELIABILITY**2) * draw.gauss(0, SPREAD)
            for facet, theta in once.items()
        }
        one, other = (
            recommended(bank, student, {f: Ability(v, ERROR) for f, v in each.items()}, courses)
            for each in (once, again)
        )
        yield one[:COUNT], other[:COUNT]
