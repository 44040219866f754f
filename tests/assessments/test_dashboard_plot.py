"""The drawings of a dashboard: counts in, values of SVG attributes out."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from assessments.charts.plot import HEIGHT, WIDTH, length, scale, trend

FIRST = date(2026, 11, 1)


def days(count: int) -> list[date]:
    return [FIRST + timedelta(days=number) for number in range(count)]


@pytest.mark.parametrize(
    ("highest", "lines"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (2, [0, 1, 2]),
        (4, [0, 1, 2, 3, 4]),
        (5, [0, 2, 4, 6]),
        (9, [0, 5, 10]),
        (40, [0, 10, 20, 30, 40]),
        (41, [0, 20, 40, 60]),
        (999, [0, 500, 1000]),
        (12_345, [0, 5000, 10_000, 15_000]),
    ],
)
def test_a_scale_has_few_round_lines(highest: int, lines: list[int]) -> None:
    assert scale(highest) == lines


@pytest.mark.parametrize(
    ("count", "longest", "expected"),
    [
        (0, 0, "0%"),
        (0, 9, "0%"),
        (9, 9, "100%"),
        (1, 3, "33.3%"),
        (5, 8, "62.5%"),
        (1, 10**6, "0.5%"),
    ],
)
def test_a_bar_is_a_share_of_the_longest(count: int, longest: int, expected: str) -> None:
    assert length(count, longest) == expected


def test_a_line_goes_from_edge_to_edge() -> None:
    drawn = trend(days(3), [("started", "Started", [0, 10, 20])])

    [line] = drawn.lines
    assert line.path == f"M0,{HEIGHT}L500,50L{WIDTH},0"
    assert line.area == f"M0,{HEIGHT}L0,{HEIGHT}L500,50L{WIDTH},0L{WIDTH},{HEIGHT}z"
    assert [(point.x, point.y) for point in line.points] == [
        ("0%", "100%"),
        ("50%", "50%"),
        ("100%", "0%"),
    ]


def test_each_day_has_its_counts_in_a_tooltip() -> None:
    drawn = trend(
        days(5),
        [("started", "Started", [1, 2, 3, 4, 5000]), ("completed", "Completed", [0, 0, 1, 2, 3])],
    )

    assert drawn.places[4].description == "5 Nov: 5,000 started, 3 completed"
    assert [(place.x, place.width) for place in drawn.places] == [
        ("0%", "12.5%"),
        ("12.5%", "25%"),
        ("37.5%", "25%"),
        ("62.5%", "25%"),
        ("87.5%", "12.5%"),
    ]
