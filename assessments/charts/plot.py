"""The geometry of the trend of a dashboard.

Positions are percentages of the drawing, such as "62.5%", so that it fits every width while text
keeps its size. Paths use a box of WIDTH x HEIGHT units, stretched over the same area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from assessments.charts.drawing import number

WIDTH, HEIGHT = 1000, 100
# The approximate number of gridlines above zero.
LINES = 4
STEPS = (1, 2, 5, 10)
# Pairs of a number of days and the days between two labels, which must fit on a phone.
DAYS_APART = ((7, 2), (31, 7), (92, 15), (184, 31), (367, 61))
# The dots of more days would overlap.
MOST_DOTS = 31
# The least length of a bar that is not empty, in percent, so that it is visible.
LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Tick:
    """A label beside or below the drawing, and its position."""

    label: str
    at: str


@dataclass(frozen=True, slots=True)
class Point:
    """One day of a line."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Line:
    """The counts of one kind: a line, the area below it, and a dot for each of few days."""

    style: str
    label: str
    path: str
    area: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """The stripe of one day, with a tooltip that gives its counts."""

    x: str
    width: str
    description: str


@dataclass(frozen=True, slots=True)
class Trend:
    """Lines of counts over days. `description` says the same in words."""

    width: int
    height: int
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    lines: tuple[Line, ...]
    places: tuple[Place, ...]
    description: str


def step(highest: int) -> int:
    """Return the round distance between two gridlines of a scale up to `highest`."""
    rough = max(1, highest) / LINES
    magnitude = int(10 ** max(0, math.floor(math.log10(rough))))
    return next(each * magnitude for each in STEPS if each * magnitude >= rough)


def scale(highest: int) -> list[int]:
    """Return the values of the gridlines, from 0 to at least the highest count."""
    apart = step(highest)
    return list(range(0, apart * max(1, math.ceil(highest / apart)) + 1, apart))


def length(count: int, longest: int) -> str:
    """Return the length of a bar relative to the longest one."""
    if not count or not longest:
        return "0%"
    return f"{number(max(LEAST, 100 * count / longest))}%"


def day_name(day: date) -> str:
    """Return a day as on the axis, such as 4 Nov."""
    return f"{day.day} {day:%b}"


def trend(days: Sequence[date], counts: Sequence[tuple[str, str, Sequence[int]]]) -> Trend:
    """Return the drawing of counts over some days.

    Each of `counts` is a style, a label and a count for each day.
    """
    lines_at = scale(max(max(values) for _, _, values in counts))
    highest, last = lines_at[-1], len(days) - 1

    def across(index: float) -> float:
        return index / last if last else 0.5

    def down(count: int) -> float:
        return 1 - count / highest

    def line(style: str, label: str, values: Sequence[int]) -> Line:
        corners = "L".join(
            f"{number(WIDTH * across(index))},{number(HEIGHT * down(count))}"
            for index, count in enumerate(values)
        )
        return Line(
            style=style,
            label=label,
            path=f"M{corners}",
            area=f"M0,{HEIGHT}L{corners}L{WIDTH},{HEIGHT}z",
            points=tuple(
                Point(f"{number(100 * across(index))}%", f"{number(100 * down(count))}%")
                for index, count in enumerate(values if len(values) <= MOST_DOTS else ())
            ),
        )

    apart = next((each for most, each in DAYS_APART if len(days) <= most), last)
    places = []
    for index, day in enumerate(days):
        left, right = max(0, across(index - 0.5)), min(1, across(index + 0.5))
        said = ", ".join(f"{values[index]:,} {label.lower()}" for _, label, values in counts)
        places.append(
            Place(
                f"{number(100 * left)}%",
                f"{number(100 * (right - left))}%",
                f"{day_name(day)}: {said}",
            )
        )
    sums = ", ".join(f"{sum(values):,} {label.lower()}" for _, label, values in counts)
    return Trend(
        width=WIDTH,
        height=HEIGHT,
        rows=tuple(Tick(f"{count:,}", f"{number(100 * down(count))}%") for count in lines_at),
        # From the last day backwards, because readers look for the last day.
        columns=tuple(
            Tick(day_name(days[index]), f"{number(100 * across(index))}%")
            for index in range(last, -1, -apart)
        ),
        lines=tuple(line(*each) for each in counts),
        places=tuple(places),
        description=f"From {day_name(days[0])} to {day_name(days[-1])}: {sums}.",
    )
