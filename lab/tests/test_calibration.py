"""Item parameters from answers: recovered, pulled by priors, honest about their errors."""

import math

import numpy as np
import pytest

from lab.calibration import GRID, MISSING, ItemEstimate, Prior, calibrate
from lab.tests.simulated import TrueItem, some_abilities, some_items, some_marks
from measurement.ability import probability

ITEMS = some_items(12, "twelve items")
MARKS = some_marks(ITEMS, some_abilities(1500, "students"), "answers")


def rms(differences):
    return math.sqrt(sum(each * each for each in differences) / len(differences))


def log_likelihood(marks, items, guessing):
    """The marginal log-likelihood by a plain sum over points, student by student."""
    density = [math.exp(-(theta**2) / 2) for theta in GRID]
    total = 0.0
    for row in marks.tolist():
        at_points = []
        for theta, weight in zip(GRID, density, strict=True):
            for mark, item, c in zip(row, items, guessing, strict=True):
                p = probability(theta, item.a, item.b, c)
                if mark != MISSING:
                    weight *= p if mark else 1 - p
            at_points.append(weight)
        total += math.log(sum(at_points) / sum(density))
    return total


def moved(calibration, number, a=0.0, b=0.0):
    items = list(calibration.items)
    old = items[number]
    items[number] = ItemEstimate(old.a + a, old.b + b, old.se_a, old.se_b, old.answers)
    return items


def test_parameters_come_back():
    found = calibrate(MARKS, [0.0] * 12)

    assert found.converged
    assert rms([new.a - old.a for new, old in zip(found.items, ITEMS, strict=True)]) < 0.15
    assert rms([new.b - old.b for new, old in zip(found.items, ITEMS, strict=True)]) < 0.15
    assert [item.answers for item in found.items] == [1500] * 12


@pytest.mark.parametrize("guessing", [0.0, 0.18])
def test_no_move_of_an_item_is_likelier(guessing):
    items = [TrueItem(1.0 + 0.2 * n, -1 + 0.5 * n, guessing) for n in range(5)]
    marks = some_marks(items, some_abilities(500, "five hundred"), "their answers", given=4)
    found = calibrate(marks, [guessing] * 5, tolerance=1e-6)

    best = log_likelihood(marks, found.items, [guessing] * 5)

    assert found.converged
    assert found.log_likelihood == pytest.approx(best, abs=1e-6)
    for number in range(5):
        for step in (-0.05, 0.05):
            higher = moved(found, number, a=step)
            elsewhere = moved(found, number, b=step)
            assert log_likelihood(marks, higher, [guessing] * 5) < best
            assert log_likelihood(marks, elsewhere, [guessing] * 5) < best


def test_errors_are_as_large_as_they_say():
    items = some_items(60, "sixty items", 0.18)
    marks = some_marks(items, some_abilities(1200, "students"), "answers", given=12)
    rules = [Prior.of_rule(item.b) for item in items]

    found = calibrate(marks, [0.18] * 60, rules)

    off_a = [(n.a - o.a) / n.se_a for n, o in zip(found.items, items, strict=True)]
    off_b = [(n.b - o.b) / n.se_b for n, o in zip(found.items, items, strict=True)]
    assert 0.6 < rms(off_a) < 1.3
    assert 0.6 < rms(off_b) < 1.3


def test_a_prior_decides_where_nobody_answered():
    marks = MARKS[:, :4].copy()
    marks[:, 3] = MISSING

    found = calibrate(marks, [0.0] * 4, [Prior.of_rule(0.0)] * 3 + [Prior.of_rule(2.0)])

    last = found.items[3]
    assert (last.answers, last.a, last.b) == (0, pytest.approx(1.2), pytest.approx(1.9))
    assert last.se_b == pytest.approx(0.9)
    assert last.se_a == pytest.approx(1.2 * 0.25)


def test_an_item_that_all_get_right_stays_finite():
    marks = MARKS[:200].copy()
    marks[:, 0] = 1

    free = calibrate(marks, [0.0] * 12)
    held = calibrate(marks, [0.0] * 12, [Prior.of_rule(0.0)] * 12)

    assert math.isfinite(free.items[0].b)
    assert free.items[0].b < -2
    assert -3.5 < held.items[0].b < -2


def test_without_answers_and_priors_nothing_is_claimed():
    marks = np.full((5, 2), MISSING, dtype=np.int8)
    marks[:, 0] = [0, 1, 0, 1, 1]

    found = calibrate(marks, [0.0, 0.0])

    assert (found.items[1].a, found.items[1].b) == (1.0, 0.0)
    assert found.items[1].se_a == found.items[1].se_b == math.inf
