"""The drawings of the result page: numbers in, SVG attribute values out."""

from __future__ import annotations

import pytest

from assessments.templatetags.charts import percent, radar, span

NAMES = ["Making and fixing", "Finding out", "Creating", "Helping and teaching"]
NAMES += ["Leading and selling", "Organising"]


def six(*percents: float) -> list[dict[str, object]]:
    return [
        {"label": label, "percent": value} for label, value in zip(NAMES, percents, strict=True)
    ]


def points(text: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, pair.split(","))) for pair in text.split()]


def test_a_full_profile_reaches_the_outer_ring() -> None:
    chart = radar(six(100, 100, 100, 100, 100, 100))

    assert chart["shape"] == chart["rings"][-1]
    assert len(points(chart["shape"])) == 6


@pytest.mark.parametrize(("given", "shown"), [(-20, 4), (140, 100)])
def test_a_value_stays_visible_and_within_the_chart(given: float, shown: float) -> None:
    chart = radar(six(given, 50, 50, 50, 50, 50))

    assert chart["shape"] == radar(six(shown, 50, 50, 50, 50, 50))["shape"]


@pytest.mark.parametrize(
    ("low", "high", "start", "width"),
    [
        (48, 83, "48%", "35%"),
        (50, 50, "50%", "4%"),
        (100, 100, "96%", "4%"),
        (33.333, 66.666, "33.3%", "33.3%"),
    ],
)
def test_a_span_is_on_the_line_and_visible(low: float, high: float, start: str, width: str) -> None:
    drawn = span(low, high)

    assert (drawn["start"], drawn["width"]) == (start, width)


@pytest.mark.parametrize(
    ("value", "bounds", "text"),
    [(62.5, (), "62.5%"), (-1, (), "0%"), (120, (), "100%"), (0, (3, 97), "3%")],
)
def test_a_percentage_is_clamped(value: float, bounds: tuple[float, ...], text: str) -> None:
    assert percent(value, *bounds) == text
