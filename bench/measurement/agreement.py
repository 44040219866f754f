"""The arithmetic beside that of catsim and girth."""

import math
import random
from dataclasses import replace

import catsim.irt
import girth
import numpy as np

from bench.measurement.sittings import BANK, abilities
from lab.calibration import calibrate
from lab.figures import at_most
from measurement.ability import Response, eap, information

EVERY, STUDENTS, CALIBRATED_ON = 15, 200, 2000
FINE = np.linspace(-6, 6, 401)


def figures():
    """Yield how far estimates, information and calibration are from those of other tools."""
    items = list(BANK.aptitude.values())[::EVERY]
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

    items = [replace(item, c=0.0) for item in items]
    answers = _answers(items, abilities(CALIBRATED_ON, "students to calibrate on"))
    mine = calibrate(answers.astype(np.int8), [0.0] * len(items)).items
    options = {"quadrature_bounds": (-6, 6), "quadrature_n": 61, "max_iteration": 200}
    found = girth.twopl_mml(answers.T, options)
    for name, others in (("a", found["Discrimination"]), ("b", found["Difficulty"])):
        off = _off([getattr(item, name) for item in mine], others)
        yield at_most(f"calibration: {name} to girth's 2PL", off, 0.02)


def _off(ours, theirs):
    return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))


def _answers(items, thetas):
    draw = random.Random("answers of the agreement")
    rows = ([catsim.irt.icc(theta, i.a, i.b, i.c) for i in items] for theta in thetas)
    return np.array([[int(draw.random() < p) for p in row] for row in rows])


def _integrated(items, row):
    """Return the posterior's mean and SD, integrated over catsim's curves."""
    density = np.exp(-0.5 * FINE**2)
    for item, right in zip(items, row, strict=True):
        p = catsim.irt.icc(FINE, item.a, item.b, item.c)
        density *= p if right else 1 - p
    mean = np.average(FINE, weights=density)
    return mean, math.sqrt(np.average((FINE - mean) ** 2, weights=density))
