"""The geometry of the result page's drawings: numbers in, SVG attribute values out."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

register = template.Library()

WIDTH, HEIGHT = 360, 270
CENTRE_X, CENTRE_Y = WIDTH / 2, HEIGHT / 2
RADIUS = 105
# From a corner to its label, and the label's measures, for letters of 13 units.
LABEL_GAP = 10
LABEL_INSET = 12
LINE_HEIGHT = 15
CAPITALS = 10
SIDE_LETTERS = 12
RINGS = (50, 100)
# No mark gets smaller than this, of 100: it could not be seen.
LEAST = 4


@dataclass(frozen=True)
class Line:
    """One line of a label."""

    text: str
    y: str


@dataclass(frozen=True)
class Corner:
    """One interest on the radar: where its label stands."""

    label_x: str
    lines: list[Line]
    anchor: str


@dataclass(frozen=True)
class Radar:
    """A radar chart as the values of SVG attributes."""

    width: int
    height: int
    rings: list[str]
    spokes: str
    shape: str
    corners: list[Corner]


@dataclass(frozen=True)
class Span:
    """A stretch of a line from 0 to 100 as two lengths."""

    start: str
    width: str


def number(value: float) -> str:
    """Return a coordinate with at most one decimal and a point, whatever the language."""
    return f"{round(value, 1):g}"


def clamp(value: float, low: float = 0, high: float = 100) -> float:
    """Return the value held between low and high."""
    return max(low, min(high, value))


def point(index: int, count: int, radius: float) -> tuple[float, float]:
    """Return the point on spoke `index` of `count`; the first spoke points up, then clockwise."""
    angle = 2 * math.pi * index / count
    return CENTRE_X + radius * math.sin(angle), CENTRE_Y - radius * math.cos(angle)


def pair(index: int, count: int, radius: float) -> str:
    """Return that point as "x,y"."""
    x, y = point(index, count, radius)
    return f"{number(x)},{number(y)}"


def corner(label: str, index: int, count: int) -> Corner:
    """Return the label of one value, which stands outside the outer ring."""
    end_x, end_y = point(index, count, RADIUS)
    side = round(end_x - CENTRE_X)
    # At the sides there is room for a few letters only; above and below there is plenty.
    words = textwrap.wrap(label, SIDE_LETTERS) if side else [label]
    top = end_y - LABEL_GAP - (len(words) - 1) * LINE_HEIGHT
    first_y = top if end_y < CENTRE_Y else end_y + LABEL_GAP + CAPITALS
    return Corner(
        label_x=number(end_x - math.copysign(LABEL_INSET, side) if side else end_x),
        lines=[Line(text, number(first_y + line * LINE_HEIGHT)) for line, text in enumerate(words)],
        anchor="middle" if side == 0 else "start" if side > 0 else "end",
    )


@register.simple_tag
def radar(values: Sequence[Mapping[str, Any]]) -> Radar:
    """Return the chart of values with a `label` and a `percent` each, in their order."""
    count = len(values)
    radii = [RADIUS * clamp(float(value["percent"]), LEAST) / 100 for value in values]
    return Radar(
        width=WIDTH,
        height=HEIGHT,
        rings=[
            " ".join(pair(index, count, RADIUS * ring / 100) for index in range(count))
            for ring in RINGS
        ],
        spokes="".join(
            f"M{number(CENTRE_X)},{number(CENTRE_Y)}L{pair(index, count, RADIUS)}"
            for index in range(count)
        ),
        shape=" ".join(pair(index, count, radius) for index, radius in enumerate(radii)),
        corners=[corner(str(value["label"]), index, count) for index, value in enumerate(values)],
    )


@register.simple_tag
def percent(value: float, low: float = 0, high: float = 100) -> str:
    """Return a length such as "62.5%", held between low and high."""
    return f"{number(clamp(float(value), low, high))}%"


@register.simple_tag
def span(low: float, high: float) -> Span:
    """Return where a mark from low to high stands; one too small to see is widened inwards."""
    start = clamp(float(low), 0, 100 - LEAST)
    end = clamp(float(high), start + LEAST)
    return Span(start=f"{number(start)}%", width=f"{number(end - start)}%")
