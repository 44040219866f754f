"""Items that work differently in two languages, and those that do not."""

import random
from statistics import stdev

import pytest

from lab.item_statistics import ALL, Mark, adjusted_difference, item_figures
from lab.tests.simulated_items import BANK, EASY, LIKED, simulate
from measurement.ability import probability


def harder_in_hindi(draw, theta, language, code):
    if language != "hi":
        return None
    if code == EASY:
        item = BANK.aptitude[EASY]
        p = probability(theta, item.a, item.b + 2.0, item.c)
        return BANK.keys[EASY] if draw.random() < p else 0
    return max(1, min(5, round(2.0 + draw.gauss(0, 0.8)))) if code == LIKED else None


@pytest.fixture(scope="module")
def harder():
    """Give the figures of items of which two are harder, or disliked, in Hindi."""
    return item_figures(BANK, [*simulate(500), *simulate(300, "hi", harder_in_hindi)])


def test_an_item_that_is_harder_or_disliked_in_one_language_is_found(harder):
    for code in (EASY, LIKED):
        difference = harder[code]["hi"].difference
        assert difference is not None, code
        assert difference.grade == "C", code
        assert difference.delta < 0, code
        # of two languages one comparison says it all
        assert harder[code]["en"].difference is None


def test_items_that_work_alike_are_not_called_different():
    figures = item_figures(BANK, [*simulate(400), *simulate(400, "hi")])

    found = [each[name].difference for each in figures.values() for name in ("en", "hi", ALL)]
    grades = [each.grade for each in found if each]
    assert len(grades) == 24 + 48 + 16
    assert grades.count("C") == 0
    assert grades.count("B") <= 0.05 * len(grades)


def test_languages_of_other_ability_are_not_taken_for_other_items():
    def abler(draw, theta, language, code):
        if language != "hi" or code not in BANK.aptitude:
            return None
        item = BANK.aptitude[code]
        p = probability(theta + 0.8, item.a, item.b, item.c)
        return BANK.keys[code] if draw.random() < p else 0

    figures = item_figures(BANK, [*simulate(600), *simulate(600, "hi", abler)])

    puzzles = [figures[code] for code in BANK.aptitude]
    found = [each["hi"].difference or each["en"].difference for each in puzzles]
    assert all(each and each.grade != "C" for each in found)


def test_the_adjusted_difference_by_hand():
    """Two groups on two parallel lines of slope 1/2, half a unit apart."""
    draw = random.Random("lines")
    one, other, residuals = [], [], []
    for group, shift, low in ((one, 0.5, 2.0), (other, 0.0, 3.0)):
        for _ in range(2000):
            x, noise = draw.gauss(low, 1), draw.gauss(0, 0.6)
            residuals.append(noise)
            group.append(Mark(x, 0.5 * x + shift + noise))

    found = adjusted_difference(one, other)

    assert found is not None
    sd = (0.25 + stdev(residuals) ** 2) ** 0.5
    assert found.delta == pytest.approx(0.5 / sd * 2.35 * 1.8138, rel=0.1)
    assert found.grade == "C"
