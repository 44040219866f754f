"""Items that work differently in two groups of the same ability."""

import math
import random

import pytest

from lab.dif import FEWEST_ANSWERS, Compared, Stratum, differential, grade, mantel_haenszel
from measurement.ability import probability

# Right and wrong of the reference group, then of the focal group.
STRATA = [Stratum(40, 10, 30, 20), Stratum(30, 20, 20, 30), Stratum(45, 5, 40, 10)]


def answered(count, harder_by, *, gap=0.0, seed="groups"):
    """Let half of the students be focal, `gap` SDs less able, for whom the item is harder."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        focal = number % 2 == 1
        theta = draw.gauss(-gap if focal else 0, 1)
        p = probability(theta, 1.2, harder_by if focal else 0.0, 0.0)
        found.append(Compared(theta, draw.random() < p, focal))
    return found


def test_the_odds_ratio_by_hand():
    found = mantel_haenszel(STRATA)

    above = 40 * 20 / 100 + 30 * 30 / 100 + 45 * 10 / 100
    below = 10 * 30 / 100 + 20 * 20 / 100 + 5 * 40 / 100
    assert found is not None
    assert found[0] == pytest.approx(-2.35 * math.log(above / below))


@pytest.mark.parametrize(
    ("delta", "se", "expected"),
    [
        (0.0, 0.2, "A"),
        (-0.99, 0.1, "A"),
        # Large, and not significantly different from 0.
        (2.0, 1.1, "A"),
        (1.2, 0.2, "B"),
        (-1.49, 0.1, "B"),
        # Large, and not significantly beyond 1.
        (1.6, 0.4, "B"),
        (1.6, 0.3, "C"),
        (-2.4, 0.5, "C"),
    ],
)
def test_grades(delta, se, expected):
    assert grade(delta, se) == expected


def test_an_item_much_harder_for_a_group_is_graded_c():
    found = differential(answered(2000, harder_by=1.0))

    assert found is not None
    assert found.delta < -1.5
    assert found.grade == "C"


def test_a_less_able_group_alone_is_no_difference():
    found = differential(answered(4000, harder_by=0.0, gap=0.8))

    assert found is not None
    assert abs(found.delta) < 0.6
    assert found.grade == "A"


def test_both_groups_must_be_large():
    few = answered(2 * FEWEST_ANSWERS, harder_by=0.0)

    assert differential(few) is not None
    assert differential(few[:-1]) is None
    assert differential([each for each in few if each.focal]) is None
