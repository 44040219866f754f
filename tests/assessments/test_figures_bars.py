"""Bar charts: a figure of a bank in, paths and words out."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.charts.puzzle_figures import BOTTOM, bars


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


def test_labels_are_those_of_the_language() -> None:
    figure = {"kind": "bars", "bars": [{"label": {"en": "Mon", "hi": "सोम"}, "value": 5}]}

    assert [each.text for each in bars(figure, "hi").words] == ["सोम", "5"]
