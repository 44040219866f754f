"""Progress and time left, by the expected time of each section."""

import pytest

from measurement.layout import BAR_GAP, Layout


def section(code, given, seconds):
    about = {"title": {}, "intro": {}, "per_page": 1}
    return {"code": code, "items_given": given, "seconds": seconds, **about}


LAYOUT = Layout.of([section("interests", 10, 60), section("aptitude", 4, 240)])


@pytest.mark.parametrize(
    ("interests", "aptitude", "minutes"), [(0, 0, 5), (10, 0, 4), (10, 1, 3), (5, 0, 5), (10, 4, 1)]
)
def test_the_time_left_is_that_of_the_open_questions(interests, aptitude, minutes):
    assert LAYOUT.minutes_left({"interests": interests, "aptitude": aptitude}) == minutes


def test_bars_are_as_wide_as_their_time_and_fill_with_the_answers():
    first, second = LAYOUT.bars({"interests": 5, "aptitude": 0})

    assert second["width"] == pytest.approx(4 * first["width"])
    assert first["filled"] == first["width"] / 2
    assert second["filled"] == 0
    assert second["start"] == first["width"] + BAR_GAP
    assert second["start"] + second["width"] == pytest.approx(100)
