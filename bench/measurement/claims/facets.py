"""5. Three facets of four puzzles."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from statistics import correlation, fmean

from bench.measurement.claims.simulated import (
    Answering,
    answering,
    rmse,
    sit_all,
    truths,
)
from lab.figures import Figure, reported
from measurement.ability import Ability, AptitudeItem, facet_abilities
from measurement.bank import Bank

STUDENTS = 2000
# Two facets correlate .64.
LOADING = 0.8


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    truth = truths(list(bank.aptitude.values()), "what the items are really like")
    students, answers = students_by_facet(
        bank, truth, STUDENTS * (3 if full else 1), "facets' student"
    )
    for title, items in (("rules alone", bank.aptitude), ("items known", truth)):
        sittings, _ = sit_all(items, bank.family_targets(), answers, "facets")
        found = [facet_abilities(each.responses, bank.facets) for each in sittings]
        yield from _precision(f"facets, {title}", found, students)


def students_by_facet(
    bank: Bank, truth: Mapping[str, AptitudeItem], count: int, seed: str
) -> tuple[list[dict[str, float]], list[Answering]]:
    """Return students' abilities by facet, and how they answer."""
    facet_of = {family: facet for facet, families in bank.facets.items() for family in families}
    students = _students(list(bank.facets), count)
    return students, [
        _by_facet(facets, facet_of, truth, f"{seed} {number}")
        for number, facets in enumerate(students)
    ]


def _precision(
    title: str, found: Sequence[Mapping[str, Ability]], students: Sequence[Mapping[str, float]]
) -> Iterator[Figure]:
    facets = list(students[0])
    true = {facet: [each[facet] for each in students] for facet in facets}
    mine = {facet: [each[facet].theta for each in found] for facet in facets}
    r = [correlation(mine[facet], true[facet]) for facet in facets]
    yield reported(f"{title}: reliability, mean", fmean(each**2 for each in r))
    yield reported(f"{title}: RMSE, mean", fmean(rmse(mine[f], true[f]) for f in facets))
    best = [max(each, key=lambda facet: each[facet].theta) for each in found]
    real = [max(each, key=lambda facet: each[facet]) for each in students]
    right = fmean(one == other for one, other in zip(best, real, strict=True))
    yield reported(f"{title}: the highest is the best facet", right, "(chance: .33)")


def _students(facets: list[str], count: int) -> list[dict[str, float]]:
    draw = random.Random("students with facets")
    rest = math.sqrt(1 - LOADING**2)
    students = []
    for _ in range(count):
        g = draw.gauss(0, 1)
        students.append({facet: LOADING * g + rest * draw.gauss(0, 1) for facet in facets})
    return students


def _by_facet(
    abilities: dict[str, float],
    facet_of: dict[str, str],
    truth: dict[str, AptitudeItem],
    seed: str,
) -> Answering:
    by_facet = {facet: answering(theta, truth, seed) for facet, theta in abilities.items()}
    return lambda item: by_facet[facet_of[item.family]](item)
