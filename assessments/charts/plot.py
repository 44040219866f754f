"""The geometry of a dashboard's drawings: counts in, the values of SVG attributes out.

Lengths are shares of the drawing, "62.5%", so that it fits every width while its letters keep their
size; paths are in a box of WIDTH x HEIGHT units that is stretched over the same place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 1000, 100
# About so many lines, besides the one at nought.
LINES = 4
STEPS = (1, 2, 5, 10)
# Days between two labels below, so that the longest period has room for them on a phone.
DAYS_APART = ((7, 2), (31, 7), (92, 15))
# The dots of more days would run into each other.
MOST_DOTS = 31
# A bar that is not empty can be seen.
LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Tick:
    """A label beside or below the drawing, and how far along it stands."""

    label: str
    at: str


@dataclass(frozen=True, slots=True)
class Point:
    """One day of a line."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Line:
    """The counts of one kind: a line, the area below it, and a dot a day, if they are few."""

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


def number(value: float) -> str:
    """Return a coordinate with at most one decimal and a point, whatever the language."""
    return f"{round(value, 1):g}"


def step(highest: int) -> int:
    """Return the round distance between two lines of a scale that reaches a count."""
    rough = max(1, highest) / LINES
    magnitude = int(10 ** max(0, math.floor(math.log10(rough))))
    return next(each * magnitude for each in STEPS if each * magnitude >= rough)


def scale(highest: int) -> list[int]:
    """Return the lines of a scale from nought to at least the highest count."""
    apart = step(highest)
    return list(range(0, apart * max(1, math.ceil(highest / apart)) + 1, apart))


def length(count: int, longest: int) -> str:
    """Return the length of a bar beside the longest one."""
    if not count or not longest:
        return "0%"
    return f"{number(max(LEAST, 100 * count / longest))}%"


def day_name(day: date) -> str:
    """Return a day as the axis names it: 4 Nov."""
    return f"{day.day} {day:%b}"


def trend(days: Sequence[date], counts: Sequence[tuple[str, str, Sequence[int]]]) -> Trend:
    """Return the drawing of counts by day, at least two days.

    Each of `counts` is a style, a label and a count for each day.
    """
    lines_at = scale(max(max(values) for _, _, values in counts))
    highest, last = lines_at[-1], len(days) - 1

    def across(index: float) -> float:
        return index / last

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
        # from the last day backwards: it is the one that is looked for
        columns=tuple(
            Tick(day_name(days[index]), f"{number(100 * across(index))}%")
            for index in range(last, -1, -apart)
        ),
        lines=tuple(line(*each) for each in counts),
        places=tuple(places),
        description=f"From {day_name(days[0])} to {day_name(days[-1])}: {sums}.",
    )
