"""Template tags that turn numbers into the SVG attributes of the result page's drawings."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from measurement.drawings import number

register = template.Library()

WIDTH, HEIGHT = 360, 270
CENTRE_X, CENTRE_Y = WIDTH / 2, HEIGHT / 2
RADIUS = 105
# The distance of a label from its corner, and the label's size, for letters of 13 units.
LABEL_GAP = 10
LABEL_INSET = 12
LINE_HEIGHT = 15
CAPITALS = 10
SIDE_LETTERS = 12
RINGS = (50, 100)
# The smallest visible mark, in percent.
LEAST = 4


def clamp(value: float, low: float = 0, high: float = 100) -> float:
    return max(low, min(high, value))


def point(index: int, count: int, radius: float) -> tuple[float, float]:
    """Return the point on spoke `index` of `count`; the first spoke points up, then clockwise."""
    angle = 2 * math.pi * index / count
    return CENTRE_X + radius * math.sin(angle), CENTRE_Y - radius * math.cos(angle)


def pair(index: int, count: int, radius: float) -> str:
    x, y = point(index, count, radius)
    return f"{number(x)},{number(y)}"


def corner(label: str, index: int, count: int) -> dict[str, Any]:
    """Return the label of one value, placed outside the outer ring."""
    end_x, end_y = point(index, count, RADIUS)
    side = round(end_x - CENTRE_X)
    # There is little room beside the chart, but plenty above and below it.
    words = textwrap.wrap(label, SIDE_LETTERS) if side else [label]
    top = end_y - LABEL_GAP - (len(words) - 1) * LINE_HEIGHT
    first_y = top if end_y < CENTRE_Y else end_y + LABEL_GAP + CAPITALS
    return {
        "label_x": number(end_x - math.copysign(LABEL_INSET, side) if side else end_x),
        "lines": [
            {"text": text, "y": number(first_y + line * LINE_HEIGHT)}
            for line, text in enumerate(words)
        ],
        "anchor": "middle" if side == 0 else "start" if side > 0 else "end",
    }


@register.simple_tag
def radar(values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the chart of these values, each with a `label` and a `percent`, in this order."""
    count = len(values)
    radii = [RADIUS * clamp(float(value["percent"]), LEAST) / 100 for value in values]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "rings": [
            " ".join(pair(index, count, RADIUS * ring / 100) for index in range(count))
            for ring in RINGS
        ],
        "spokes": "".join(
            f"M{number(CENTRE_X)},{number(CENTRE_Y)}L{pair(index, count, RADIUS)}"
            for index in range(count)
        ),
        "shape": " ".join(pair(index, count, radius) for index, radius in enumerate(radii)),
        "corners": [
            corner(str(value["label"]), index, count) for index, value in enumerate(values)
        ],
    }


@register.simple_tag
def percent(value: float, low: float = 0, high: float = 100) -> str:
    """Return a length such as "62.5%", limited to the range from low to high."""
    return f"{number(clamp(float(value), low, high))}%"


@register.simple_tag
def span(low: float, high: float) -> dict[str, str]:
    """Return the position of a mark from low to high, widened inwards if too small to see."""
    start = clamp(float(low), 0, 100 - LEAST)
    end = clamp(float(high), start + LEAST)
    return {"start": f"{number(start)}%", "width": f"{number(end - start)}%"}
