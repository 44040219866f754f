"""Bar charts: a figure of a bank in, paths and words out."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.charts.puzzle_bars import BOTTOM, HEIGHT, WIDTH, bars


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
