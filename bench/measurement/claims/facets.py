"""4. Three facets of eight items, and when one of them is called stronger."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from statistics import correlation, fmean

from assessments.measurement.ability import Ability, eap, facet_abilities, stronger
from assessments.measurement.bank import Bank
from assessments.measurement.response_model import AptitudeItem, Response
from bench.measurement.claims.simulated import (
    Answering,
    Exposure,
    Sat,
    answering,
    rmse,
    sit,
    truths,
)
from tests.support.figures import Figure, at_least, at_most, exactly, reported, within

STUDENTS = 3000
# Two facets correlate .64.
LOADING = 0.8
BEYOND = 1.5


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    truth = truths(list(bank.aptitude.values()), "what the items are really like")
    facet_of = {family: facet for facet, families in bank.facets.items() for family in families}
    students = _students(list(bank.facets), STUDENTS * (3 if full else 1))
    exposure, sittings = Exposure(), []
    for number, (_, facets) in enumerate(students):
        sat = sit(
            truth,
            bank.family_targets(),
            _by_facet(facets, facet_of, truth, f"facets' student {number}"),
            f"facets {number}",
            exposure.shares,
        )
        exposure.add(sat.codes)
        sittings.append(sat)
    found = [facet_abilities(each.responses, bank.facets) for each in sittings]
    per_facet = [len(_own(each, bank, facet)) for each in sittings for facet in bank.facets]
    yield within("items a facet, fewest", min(per_facet), 8, 8)
    yield within("items a facet, most", max(per_facet), 8, 8)
    true = {f: [facets[f] for _, facets in students] for f in bank.facets}
    mine = {f: [each[f].theta for each in found] for f in bank.facets}
    r = fmean(correlation(mine[f], true[f]) for f in bank.facets)
    yield at_least("facets: mean correlation with the truth", r, 0.86)
    yield at_most("facets: mean RMSE", fmean(rmse(mine[f], true[f]) for f in bank.facets), 0.50)
    alone = {f: [eap(_own(each, bank, f)).theta for each in sittings] for f in bank.facets}
    r = fmean(correlation(alone[f], true[f]) for f in bank.facets)
    yield reported("from a facet's own items only: correlation", r)
    best = [max(each, key=lambda f: each[f].theta) for each in found]
    real = [max(facets, key=lambda f: facets[f]) for _, facets in students]
    right = fmean(one == other for one, other in zip(best, real, strict=True))
    yield reported("the highest estimate is the best facet, share", right, "(chance: .33)")
    overall = [each.ability.theta for each in sittings]
    r = correlation(overall, [g for g, _ in students])
    yield reported("overall reasoning: correlation with g", r)
    yield from _stronger(found, real)


def _stronger(found: list[dict[str, Ability]], real: list[str]) -> Iterator[Figure]:
    named = [stronger(each) for each in found]
    wrong = sum(
        name != "" and not _leads(each, name) for name, each in zip(named, found, strict=True)
    )
    yield exactly("called stronger without a lead of 1.5 errors", wrong, 0)
    left_out = sum(
        name == "" and any(_leads(each, facet) for facet in each)
        for name, each in zip(named, found, strict=True)
    )
    yield exactly("with such a lead, and not called stronger", left_out, 0)
    said = [(name, best) for name, best in zip(named, real, strict=True) if name]
    yield reported("share of students with a stronger facet", len(said) / len(named))
    if said:
        yield reported("of these, it is the best one", fmean(name == best for name, best in said))


def _leads(abilities: dict[str, Ability], name: str) -> bool:
    """Reckon anew: the lead over each other one, in errors of the difference."""
    own = abilities[name]
    return all(
        (own.theta - other.theta) / math.sqrt(own.se**2 + other.se**2) > BEYOND
        for facet, other in abilities.items()
        if facet != name
    )


def _students(facets: list[str], count: int) -> list[tuple[float, dict[str, float]]]:
    draw = random.Random("students with facets")
    rest = math.sqrt(1 - LOADING**2)
    students = []
    for _ in range(count):
        g = draw.gauss(0, 1)
        students.append((g, {facet: LOADING * g + rest * draw.gauss(0, 1) for facet in facets}))
    return students


def _by_facet(
    abilities: dict[str, float],
    facet_of: dict[str, str],
    truth: dict[str, AptitudeItem],
    seed: str,
) -> Answering:
    by_facet = {facet: answering(theta, truth, seed) for facet, theta in abilities.items()}
    return lambda item: by_facet[facet_of[item.family]](item)


def _own(sat: Sat, bank: Bank, facet: str) -> list[Response]:
    return [each for each in sat.responses if each.item.family in bank.facets[facet]]
