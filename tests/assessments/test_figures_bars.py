"""Bar charts: a figure of a bank in, paths and words out."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.charts.puzzle_bars import BOTTOM, HEIGHT, SIDE, TOP, WIDTH, bars


def chart(*values: int, step: int = 0, labels: str = "Class 5") -> dict[str, Any]:
    named = [{"label": {"en": labels}, "value": value} for value in values]
    return {"kind": "bars", "bars": named, "step": step}


def tops(figure: dict[str, Any]) -> list[float]:
    """How high each bar reaches, as a share of the highest."""
    paths = [path.d for path in bars(figure, "en").paths if path.style == "column"]
    heights = [BOTTOM - float(d.split("V")[1].split("h")[0]) for d in paths]
    return [height / max(heights) for height in heights]


@pytest.mark.parametrize("step", [0, 10])
def test_bars_are_as_high_as_their_values(step: int) -> None:
    assert tops(chart(40, 20, 80, 60, step=step)) == pytest.approx([0.5, 0.25, 1, 0.75], abs=0.01)


def test_without_gridlines_each_value_stands_on_its_bar() -> None:
    drawing = bars(chart(40, 80), "en")

    assert [each.text for each in drawing.words] == ["Class 5", "40", "Class 5", "80"]
    assert [path.style for path in drawing.paths] == ["column", "column", "axis"]
    label, above, *_ = drawing.words
    assert label.x == above.x
    assert float(above.y) < float(label.y)


def test_gridlines_stand_at_the_height_of_the_values_they_name() -> None:
    drawing = bars(chart(20, 30, step=10), "en")
    lines = [path.d for path in drawing.paths if path.style == "grid"]
    numbers = [each for each in drawing.words if each.anchor == "end"]

    assert [each.text for each in numbers] == ["0", "10", "20", "30"]
    assert lines == [f"M{SIDE},122H300", f"M{SIDE},72H300", f"M{SIDE},{TOP}H300"]
    assert all(float(each.x) < SIDE for each in numbers)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("step", [0, 50])
def test_words_stay_in_the_picture_and_clear_of_each_other(count: int, step: int) -> None:
    # The longest that the items have: a class where there are five, a short month where six.
    label = "Class 5" if count < 6 else "Mmm"
    drawing = bars(chart(*range(450, 450 - 50 * count, -50), step=step, labels=label), "en")
    wide = {each: 6.6 * len(each.text) for each in drawing.words}

    for each in drawing.words:
        left = float(each.x) - (wide[each] / 2 if each.anchor == "middle" else wide[each])
        assert left >= 0
        assert left + wide[each] <= WIDTH
        assert 10 <= float(each.y) <= HEIGHT - 4
    named = [each for each in drawing.words if each.text == label]
    for one, two in zip(named, named[1:], strict=False):
        assert float(two.x) - float(one.x) >= wide[one] + 3


def test_labels_are_those_of_the_language() -> None:
    figure = {"kind": "bars", "bars": [{"label": {"en": "Mon", "hi": "सोम"}, "value": 5}]}

    assert [each.text for each in bars(figure, "hi").words] == ["सोम", "5"]
