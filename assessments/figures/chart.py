"""A line chart of counts over days, as the values of SVG attributes.

Positions are percentages of the drawing, so that it fits every width while text keeps its size.
Paths use a box of WIDTH x HEIGHT units, stretched over the same area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 1000, 100
# The approximate number of gridlines above zero.
GRIDLINES = 4
# Pairs of a number of days and the days between two labels, which must fit on a phone.
DAYS_APART = ((7, 2), (31, 7), (92, 15), (184, 31), (366, 61))


@dataclass(frozen=True, slots=True)
class Label:
    """A label beside or below the chart, and its position."""

    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Line:
    """The counts of one kind. `style` is a class of the style sheet."""

    style: str
    label: str
    path: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines of counts over days. `description` says the same in words."""

    width: int
    height: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    lines: tuple[Line, ...]
    description: str


def gridlines(highest: int) -> list[int]:
    """Return round values from 0 to at least the highest count."""
    rough = max(1, highest) / GRIDLINES
    magnitude = int(10 ** max(0, math.floor(math.log10(rough))))
    step = next(n * magnitude for n in (1, 2, 5, 10) if n * magnitude >= rough)
    return list(range(0, step * max(1, math.ceil(highest / step)) + 1, step))


def line_chart(days: Sequence[date], series: Sequence[tuple[str, str, Sequence[int]]]) -> Chart:
    """Draw counts over consecutive days; each of `series` is a style, a label and its counts."""
    values = gridlines(max(max(counts) for _, _, counts in series))
    highest, last = values[-1], len(days) - 1

    def x(index: int) -> float:
        return index / last if last else 0.5

    def path(counts: Sequence[int]) -> str:
        if not last:  # a single day has a line across
            counts, places = [*counts, *counts], [0.0, 1.0]
        else:
            places = [x(index) for index in range(len(days))]
        points = zip(places, counts, strict=True)
        return "M" + "L".join(
            f"{WIDTH * place:.1f},{HEIGHT * (1 - count / highest):.1f}" for place, count in points
        )

    apart = next(apart for most, apart in DAYS_APART if len(days) <= most)
    sums = ", ".join(f"{sum(counts):,} {label.lower()}" for _, label, counts in series)
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        rows=tuple(Label(f"{value:,}", f"{100 * (1 - value / highest):.1f}%") for value in values),
        # From the last day backwards, because readers look for the last day.
        columns=tuple(
            Label(f"{days[index].day} {days[index]:%b}", f"{100 * x(index):.1f}%")
            for index in range(last, -1, -apart)
        ),
        lines=tuple(Line(style, label, path(counts)) for style, label, counts in series),
        description=f"{days[0]:%-d %b %Y} to {days[-1]:%-d %b %Y}: {sums}.",
    )
