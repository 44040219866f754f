"""7. The arithmetic agrees with established tools: catsim, girth, and scipy's integration."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import catsim.irt
import girth
import numpy as np
from girth.unidimensional.dichotomous.ability_threepl import ability_3pl_eap
from scipy.integrate import quad

from bench.measurement.claims.simulated import abilities
from lab.calibration import calibrate
from lab.figures import Figure, at_most
from measurement.ability import AptitudeItem, Response, eap, information

ITEMS, STUDENTS = 24, 200
CALIBRATED_ON = 2000


def figures(full: bool) -> Iterator[Figure]:
    items = _items("items of the agreement", 0.18)
    answers = _answers(items, abilities(STUDENTS, "students of the agreement"))
    estimates = [
        eap([Response(item, bool(x)) for item, x in zip(items, row, strict=True)])
        for row in answers.tolist()
    ]
    theirs = ability_3pl_eap(
        answers.T,
        np.array([item.b for item in items]),
        np.array([item.a for item in items]),
        np.array([item.c for item in items]),
        {"quadrature_bounds": (-6, 6), "quadrature_n": 201},
    )
    off = max(abs(mine.theta - each) for mine, each in zip(estimates, theirs, strict=True))
    yield at_most("ability: largest difference to girth's EAP", off, 1e-6)

    pairs = [
        (mine, _integrated(items, row))
        for mine, row in zip(estimates, answers.tolist(), strict=True)
    ]
    off = max(abs(mine.theta - mean) for mine, (mean, _) in pairs)
    yield at_most("ability: to catsim's likelihood, integrated", off, 1e-6)
    off = max(abs(mine.se - sd) for mine, (_, sd) in pairs)
    yield at_most("its error: to catsim's likelihood, integrated", off, 1e-6)

    off = max(
        abs(
            information(theta / 10, item.a, item.b, item.c)
            - catsim.irt.inf(theta / 10, item.a, item.b, item.c)
        )
        for item in items
        for theta in range(-40, 41)
    )
    yield at_most("information: largest difference to catsim's", off, 1e-6)
    yield from _calibration(CALIBRATED_ON * (3 if full else 1))


def _calibration(students: int) -> Iterator[Figure]:
    items = _items("items to calibrate", 0.0)
    answers = _answers(items, abilities(students, "students to calibrate on"))
    mine = calibrate(answers.astype(np.int8), [0.0] * ITEMS).items
    theirs = girth.twopl_mml(
        answers.T,
        {"quadrature_bounds": (-6, 6), "quadrature_n": 61, "max_iteration": 200},
    )
    for name, values, others in (
        ("a", [item.a for item in mine], theirs["Discrimination"]),
        ("b", [item.b for item in mine], theirs["Difficulty"]),
    ):
        off = max(abs(one - other) for one, other in zip(values, others, strict=True))
        yield at_most(f"calibration, {students} students: {name} to girth's 2PL", off, 0.02)


def _items(seed: str, guessing: float) -> list[AptitudeItem]:
    draw = random.Random(seed)
    return [
        AptitudeItem(
            f"{n}", "any", math.exp(draw.gauss(math.log(1.2), 0.25)), draw.gauss(0, 1), guessing
        )
        for n in range(ITEMS)
    ]


def _answers(items: list[AptitudeItem], thetas: list[float]) -> np.ndarray:
    draw = random.Random("answers of the agreement")
    return np.array(
        [
            [int(draw.random() < catsim.irt.icc(theta, i.a, i.b, i.c)) for i in items]
            for theta in thetas
        ]
    )


def _integrated(items: list[AptitudeItem], row: list[int]) -> tuple[float, float]:
    """Return the posterior's mean and SD by adaptive quadrature over catsim's curve."""

    def density(theta: float) -> float:
        log = -0.5 * theta * theta
        for item, right in zip(items, row, strict=True):
            p = catsim.irt.icc(theta, item.a, item.b, item.c)
            log += math.log(p if right else 1 - p)
        return math.exp(log + 12)

    def moment(power: int, centre: float = 0.0) -> float:
        found, _ = quad(lambda t: (t - centre) ** power * density(t), -6, 6, epsabs=0, limit=200)
        return float(found)

    total = moment(0)
    mean = moment(1) / total
    return mean, math.sqrt(moment(2, mean) / total)
