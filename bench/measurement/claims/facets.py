"""4. Three facets of eight items, and when the result calls one of them stronger."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from statistics import correlation, fmean

from assessments.measurement.ability import facet_abilities, stronger
from assessments.measurement.bank import Bank
from assessments.measurement.response_model import AptitudeItem
from bench.measurement.claims.simulated import (
    Answering,
    answering,
    rmse,
    sit_all,
    truths,
)
from tests.support.figures import Figure, at_least, at_most, reported

STUDENTS = 3000
# Two facets correlate .64.
LOADING = 0.8


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    truth = truths(list(bank.aptitude.values()), "what the items are really like")
    facet_of = {family: facet for facet, families in bank.facets.items() for family in families}
    students = _students(list(bank.facets), STUDENTS * (3 if full else 1))
    answers = [
        _by_facet(facets, facet_of, truth, f"facets' student {number}")
        for number, facets in enumerate(students)
    ]
    sittings, _ = sit_all(truth, bank.family_targets(), answers, "facets")
    found = [facet_abilities(each.responses, bank.facets) for each in sittings]
    true = {f: [facets[f] for facets in students] for f in bank.facets}
    mine = {f: [each[f].theta for each in found] for f in bank.facets}
    r = fmean(correlation(mine[f], true[f]) for f in bank.facets)
    yield at_least("facets: mean correlation with the truth", r, 0.86)
    yield at_most("facets: mean RMSE", fmean(rmse(mine[f], true[f]) for f in bank.facets), 0.50)
    best = [max(each, key=lambda f: each[f].theta) for each in found]
    real = [max(facets, key=lambda f: facets[f]) for facets in students]
    right = fmean(one == other for one, other in zip(best, real, strict=True))
    yield reported("the highest estimate is the best facet, share", right, "(chance: .33)")
    said = [
        (name, best) for each, best in zip(found, real, strict=True) if (name := stronger(each))
    ]
    yield reported("share of students with a stronger facet", len(said) / len(found))
    if said:
        yield reported("of these, it is the best one", fmean(name == best for name, best in said))


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
