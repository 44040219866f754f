"""5. The service's bank: 12 puzzles, families balanced, before and after calibration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import correlation

from bench.measurement.claims.simulated import (
    MEDIAN_A,
    Sat,
    abilities,
    answering,
    rmse,
    sit_all,
    truths,
)
from lab.calibration import Prior, calibrate, marks_of
from lab.figures import Figure, at_most, reported
from measurement.ability import AptitudeItem
from measurement.bank import Bank

STUDENTS = 2000
# The highest RMSE allowed, by how much we know about the items.
GOALS: Mapping[str, float] = {"rules alone": 0.64, "calibrated on 1000": 0.50}
# A test's precision depends on its items' discrimination, which is unknown before there are
# answers. The targets assume the median that calibration expects; this one is for comparison.
BETTER_A = 1.35

Items = Mapping[str, AptitudeItem]


def figures(bank: Bank, full: bool) -> Iterator[Figure]:
    yield from _world(bank, MEDIAN_A, STUDENTS * (3 if full else 1), (1000, 3000), GOALS)
    if full:
        yield from _world(bank, BETTER_A, STUDENTS * 3, (300, 1000, 3000), {})


def calibrated(bank: Bank, sittings: Sequence[Sat]) -> dict[str, AptitudeItem]:
    """Return the items as our calibration estimates them from these attempts."""
    items = list(bank.aptitude.values())
    marks = marks_of(
        [{r.item.code: r.correct for r in each.responses} for each in sittings],
        [item.code for item in items],
    )
    found = calibrate(marks, [item.c for item in items], [Prior.of_rule(item.b) for item in items])
    return {
        item.code: replace(item, a=new.a, b=new.b)
        for item, new in zip(items, found.items, strict=True)
    }


def _world(
    bank: Bank,
    median_a: float,
    students: int,
    pilots: Sequence[int],
    goals: Mapping[str, float],
) -> Iterator[Figure]:
    """Yield the precision if the items' median discrimination is `median_a`."""
    truth = truths(list(bank.aptitude.values()), "what the items are really like", median_a)
    thetas = abilities(students, "students of the bank")
    knowledge: dict[str, Items] = {"rules alone": bank.aptitude, "items known": truth}
    taken = _all_sit(bank, bank.aptitude, truth, abilities(pilots[-1], "the pilot"), "pilot")
    for count in pilots:
        knowledge[f"calibrated on {count}"] = calibrated(bank, taken[:count])
    for name, items in knowledge.items():
        sittings = _all_sit(bank, items, truth, thetas, "sitting")
        title = f"a {median_a:g}, {name}"
        yield from _precision(title, sittings, thetas, goals.get(name))


def _precision(
    title: str, sittings: Sequence[Sat], thetas: Sequence[float], most_rmse: float | None
) -> Iterator[Figure]:
    estimates = [each.ability.theta for each in sittings]
    name, off = f"{title}: RMSE of ability", rmse(estimates, thetas)
    yield reported(name, off) if most_rmse is None else at_most(name, off, most_rmse)
    yield reported(f"{title}: reliability", correlation(estimates, thetas) ** 2)


def _all_sit(
    bank: Bank, items: Items, truth: Items, thetas: Sequence[float], seed: str
) -> list[Sat]:
    students = [
        answering(theta, truth, f"{seed}'s student {number}") for number, theta in enumerate(thetas)
    ]
    sittings, _ = sit_all(items, bank.family_targets(), students, seed)
    return sittings
