"""The arithmetic and a simulated adaptive test, beside catsim and girth."""

import math
import random
from collections import Counter
from statistics import fmean

import catsim.irt
import girth
import numpy as np
from catsim.estimation import NumericalSearchEstimator
from catsim.initialization import FixedPointInitializer
from catsim.item_bank import ItemBank
from catsim.selection import MaxInfoSelector
from catsim.simulation import Simulator
from catsim.stopping import MinErrorStopper

from bench.measurement.sittings import abilities, answering, rmse, sit_all
from lab.calibration import calibrate
from lab.figures import Figure, at_least, at_most, reported, within
from measurement.ability import AptitudeItem, Response, eap, information

ITEMS, STUDENTS, CALIBRATED_ON = 24, 200, 2000
ADAPTIVE_ITEMS, ADAPTIVE_STUDENTS = 300, 1000
STOP_AT, MOST_ITEMS, CAP = 0.35, 40, 0.25
FINE = np.linspace(-6, 6, 401)


def agreement():
    """Yield how far estimates, information and calibration are from those of other tools."""
    items = _items("items of the agreement", 0.18)
    answers = _answers(items, abilities(STUDENTS, "students of the agreement"))
    estimates = [
        eap([Response(item, bool(x)) for item, x in zip(items, row, strict=True)])
        for row in answers.tolist()
    ]
    means, sds = zip(*(_integrated(items, row) for row in answers), strict=True)
    thetas = [each.theta for each in estimates]
    yield at_most("ability: to catsim's likelihood, integrated", _off(thetas, means), 1e-6)
    errors = [each.se for each in estimates]
    yield at_most("its error: to catsim's likelihood, integrated", _off(errors, sds), 1e-6)
    places = [(n / 10, item.a, item.b, item.c) for item in items for n in range(-40, 41)]
    ours, theirs = ([found(*each) for each in places] for found in (information, catsim.irt.inf))
    yield at_most("information: largest difference to catsim's", _off(ours, theirs), 1e-6)

    items = _items("items to calibrate", 0.0)
    answers = _answers(items, abilities(CALIBRATED_ON, "students to calibrate on"))
    mine = calibrate(answers.astype(np.int8), [0.0] * ITEMS).items
    options = {"quadrature_bounds": (-6, 6), "quadrature_n": 61, "max_iteration": 200}
    found = girth.twopl_mml(answers.T, options)
    for name, others in (("a", found["Discrimination"]), ("b", found["Difficulty"])):
        off = _off([getattr(item, name) for item in mine], others)
        yield at_most(f"calibration: {name} to girth's 2PL", off, 0.02)


def _off(ours, theirs):
    return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))


def _items(seed, guessing):
    draw = random.Random(seed)
    return [
        AptitudeItem(
            f"{n}", "any", math.exp(draw.gauss(math.log(1.2), 0.25)), draw.gauss(0, 1), guessing
        )
        for n in range(ITEMS)
    ]


def _answers(items, thetas):
    draw = random.Random("answers of the agreement")
    return np.array(
        [
            [int(draw.random() < catsim.irt.icc(theta, i.a, i.b, i.c)) for i in items]
            for theta in thetas
        ]
    )


def _integrated(items, row):
    """Return the posterior's mean and SD, integrated over catsim's curves."""
    density = np.exp(-0.5 * FINE**2)
    for item, right in zip(items, row, strict=True):
        p = np.array([catsim.irt.icc(theta, item.a, item.b, item.c) for theta in FINE])
        density *= p if right else 1 - p
    mean = np.average(FINE, weights=density)
    return mean, math.sqrt(np.average((FINE - mean) ** 2, weights=density))


def adaptive():
    """Yield the figures of a test that stops at a standard error, beside those of catsim."""
    draw = random.Random("three hundred items")

    def difficulty():
        b = draw.gauss(0, 1.08)
        return b if abs(b) <= 3 else difficulty()

    # a is log-normal (median 1.18, SD of the log .26), b normal within +-3.
    items = {
        f"i{n:03}": AptitudeItem(
            f"i{n:03}", "any", math.exp(draw.gauss(math.log(1.18), 0.26)), difficulty(), 0.0
        )
        for n in range(ADAPTIVE_ITEMS)
    }
    thetas = abilities(ADAPTIVE_STUDENTS, "a thousand students")
    students = [answering(theta, items, f"student {n}") for n, theta in enumerate(thetas)]
    stopping = {"length": MOST_ITEMS, "stop_at_se": STOP_AT}
    sittings = sit_all(items, students, "sitting", **stopping)
    found = [each.ability for each in sittings]
    errors = [each.theta - theta for each, theta in zip(found, thetas, strict=True)]
    length = fmean(len(each.responses) for each in sittings)
    yield at_most("items a student, on average", length, 15.0)
    yield at_most("RMSE of ability", rmse([each.theta for each in found], thetas), 0.345)
    yield at_most("bias, whatever its sign", abs(fmean(errors)), 0.03)
    given = Counter(each.item.code for one in sittings for each in one.responses)
    highest = max(given.values()) / len(thetas)
    yield at_most("highest share of students given one item", highest, 0.27)
    reached = fmean(each.se <= STOP_AT for each in found)
    yield at_least("share that reaches a standard error of .35", reached, 0.98)
    inside = fmean(abs(e) <= 1.96 * each.se for e, each in zip(errors, found, strict=True))
    yield within("share inside their 95 % interval", inside, 0.92, 0.975)

    table = np.array([[item.a, item.b, item.c, 1.0] for item in items.values()])
    simulator = Simulator(ItemBank(table), np.array(thetas), seed=1)
    simulator.simulate(
        FixedPointInitializer(0.0),
        MaxInfoSelector(r_max=CAP),
        NumericalSearchEstimator(),
        MinErrorStopper(STOP_AT, max_items=MOST_ITEMS),
    )
    theirs = fmean(len(each) for each in simulator.administered_items)
    yield Figure("catsim with the same cap: items a student", theirs, "> ours", theirs > length)
    off = rmse([float(each) for each in simulator.latest_estimations], thetas)
    yield reported("catsim: RMSE of ability", off)
