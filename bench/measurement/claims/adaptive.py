"""8. A test that stops at a standard error, on a simulated bank, compared with catsim."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from statistics import fmean

import numpy as np
from catsim.estimation import NumericalSearchEstimator
from catsim.initialization import FixedPointInitializer
from catsim.item_bank import ItemBank
from catsim.selection import MaxInfoSelector
from catsim.simulation import Simulator
from catsim.stopping import MinErrorStopper

from bench.measurement.claims.simulated import abilities, answering, rmse, sit_all
from lab.figures import Figure, at_least, at_most, reported, within
from measurement.ability import AptitudeItem

ITEMS, STUDENTS = 300, 1000
STOP_AT, MOST_ITEMS, CAP = 0.35, 40, 0.25
FAMILY = {"any": 1.0}


def bank() -> dict[str, AptitudeItem]:
    """Return items with log-normal a (median 1.18, SD of the log .26) and normal b within +-3."""
    draw = random.Random("three hundred items")

    def difficulty() -> float:
        b = draw.gauss(0, 1.08)
        return b if abs(b) <= 3 else difficulty()

    items = [
        AptitudeItem(
            f"i{n:03}", "any", math.exp(draw.gauss(math.log(1.18), 0.26)), difficulty(), 0.0
        )
        for n in range(ITEMS)
    ]
    return {item.code: item for item in items}


def figures(full: bool) -> Iterator[Figure]:
    items, thetas = bank(), abilities(STUDENTS * (3 if full else 1), "a thousand students")
    students = [answering(theta, items, f"student {n}") for n, theta in enumerate(thetas)]
    sittings, exposure = sit_all(
        items, FAMILY, students, "sitting", length=MOST_ITEMS, stop_at_se=STOP_AT
    )
    estimates = [each.ability.theta for each in sittings]
    reached = [each.ability.se <= STOP_AT for each in sittings]
    inside = [
        abs(each.ability.theta - theta) <= 1.96 * each.ability.se
        for each, theta in zip(sittings, thetas, strict=True)
    ]
    length = fmean(len(each.responses) for each in sittings)
    yield at_most("items a student, on average", length, 15.0)
    yield at_most("RMSE of ability", rmse(estimates, thetas), 0.345)
    bias = fmean(e - t for e, t in zip(estimates, thetas, strict=True))
    yield at_most("bias, whatever its sign", abs(bias), 0.03)
    highest = max(exposure.everyone.values()) / len(thetas)
    yield at_most("highest share of students given one item", highest, 0.27)
    yield at_least("share that reaches a standard error of .35", fmean(reached), 0.98)
    yield within("share inside their 95 % interval", fmean(inside), 0.92, 0.975)
    yield from _peer(items, thetas, length)


def _peer(
    items: dict[str, AptitudeItem], thetas: list[float], own_length: float
) -> Iterator[Figure]:
    table = np.array([[item.a, item.b, item.c, 1.0] for item in items.values()])
    simulator = Simulator(ItemBank(table), np.array(thetas), seed=1)
    simulator.simulate(
        FixedPointInitializer(0.0),
        MaxInfoSelector(r_max=CAP),
        NumericalSearchEstimator(),
        MinErrorStopper(STOP_AT, max_items=MOST_ITEMS),
    )
    theirs = fmean(len(each) for each in simulator.administered_items)
    found = [float(each) for each in simulator.latest_estimations]
    yield Figure("catsim with the same cap: items a student", theirs, "> ours", theirs > own_length)
    yield reported("catsim: RMSE of ability", rmse(found, thetas))
    highest = float(simulator.item_bank.exposure_rates.max())
    yield reported("catsim: highest share given one item", highest)
