import random
import statistics

import pytest

from lab.generators.hexagon import correlation, draw_types
from measurement.scales import INTERESTS

DRAW = random.Random(6)
PEOPLE = [draw_types(DRAW) for _ in range(20_000)]


def test_neighbours_are_alike_and_opposites_are_not():
    found = [round(correlation(0, other), 2) for other in range(6)]

    assert found == [1.0, 0.35, 0.15, 0.05, 0.15, 0.35]


@pytest.mark.parametrize("other", range(6))
def test_drawn_people_have_these_correlations(other):
    first = [person[INTERESTS[0]] for person in PEOPLE]
    second = [person[INTERESTS[other]] for person in PEOPLE]

    assert statistics.stdev(second) == pytest.approx(1, abs=0.03)
    assert statistics.correlation(first, second) == pytest.approx(correlation(0, other), abs=0.03)
