"""Items that do not behave as their estimates say are found, others left in peace."""

import random

import numpy as np
import pytest

from lab.calibration import ItemEstimate, calibrate
from lab.item_fit import ItemFit, chi_square_tail, item_fit, review
from lab.tests.simulated import some_abilities, some_items, some_marks

CHANCE = 0.18
ITEMS = some_items(16, "sixteen items", CHANCE)
ABILITIES = some_abilities(1500, "students")
FINE = ItemFit(0.6, 1.0, 1.0, 0.5)


def fitted(marks):
    found = calibrate(marks, [CHANCE] * 16)
    return found, item_fit(marks, [CHANCE] * 16, found)


def estimate(a=1.1, answers=500):
    return ItemEstimate(a, 0.0, 0.1, 0.1, answers)


def test_items_that_follow_the_model_fit():
    _, fits = fitted(some_marks(ITEMS, ABILITIES, "answers", given=12))

    assert all(0.9 < fit.infit < 1.1 for fit in fits if fit.infit is not None)
    assert all(0.8 < fit.outfit < 1.2 for fit in fits if fit.outfit is not None)
    assert all(fit.p is not None and fit.p > 0.001 for fit in fits)


def test_an_item_that_only_the_middle_gets_right_does_not():
    marks = some_marks(ITEMS, ABILITIES, "answers")
    draw = random.Random("the middle")
    marks[:, 3] = [int(draw.random() < (0.9 if abs(each) < 0.7 else 0.3)) for each in ABILITIES]

    found, fits = fitted(marks)

    assert fits[3].p is not None
    assert fits[3].p < 1e-6
    assert "misfit" in review(found.items[3], CHANCE, fits[3])
    assert all("misfit" not in review(found.items[n], CHANCE, fits[n]) for n in range(16) if n != 3)


def test_too_few_answers_give_no_fit():
    marks = some_marks(ITEMS, ABILITIES, "answers")
    marks[60:, 3] = -1
    marks[:, 4] = -1

    _, fits = fitted(marks)

    assert fits[3] == ItemFit(float(np.mean(marks[:60, 3])), None, None, None)
    assert fits[4] == ItemFit(None, None, None, None)


@pytest.mark.parametrize(
    ("item", "fit", "reasons"),
    [
        (estimate(), FINE, ()),
        (estimate(answers=29), FINE, ("few_answers",)),
        (estimate(answers=0), ItemFit(None, None, None, None), ("few_answers",)),
        (estimate(a=0.39), FINE, ("weak",)),
        (estimate(), ItemFit(0.14, 1.0, 1.0, 0.5), ("below_chance",)),
        # Within two standard errors of chance.
        (estimate(), ItemFit(0.15, 1.0, 1.0, 0.5), ()),
        (estimate(), ItemFit(0.6, 1.31, 1.0, 0.5), ("misfit",)),
        (estimate(), ItemFit(0.6, 1.0, 0.69, 0.5), ("misfit",)),
        (estimate(), ItemFit(0.6, 1.0, 1.0, 0.0009), ("misfit",)),
        (estimate(), ItemFit(0.6, 1.0, 1.0, None), ()),
        (
            estimate(a=0.2, answers=20),
            ItemFit(0.0, 1.0, 1.4, None),
            ("few_answers", "weak", "below_chance", "misfit"),
        ),
    ],
)
def test_reasons_to_look(item, fit, reasons):
    guessing = 0.3 if item.answers == 20 else CHANCE
    assert review(item, guessing, fit) == list(reasons)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    # From tables of the distribution.
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (16.812, 6, 0.01),
        (18.475, 7, 0.01),
        (26.124, 8, 0.001),
        (0.0, 4, 1.0),
    ],
)
def test_the_tail_of_a_chi_square(value, freedom, tail):
    assert chi_square_tail(value, freedom) == pytest.approx(tail, abs=2e-5)
