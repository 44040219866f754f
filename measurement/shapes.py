"""Drawings and their shapes, as the values of SVG attributes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

# Corners of shapes around (0, 0), about the size of a circle of radius 1; y points down.
CORNERS: dict[str, tuple[Point, ...]] = {
    "triangle": ((0, -1.05), (1.05, 0.8), (-1.05, 0.8)),
    "square": ((-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)),
    "diamond": ((0, -1.06), (1.06, 0), (0, 1.06), (-1.06, 0)),
    "cross": (
        *((-0.36, -1), (0.36, -1), (0.36, -0.36), (1, -0.36), (1, 0.36), (0.36, 0.36)),
        *((0.36, 1), (-0.36, 1), (-0.36, 0.36), (-1, 0.36), (-1, -0.36), (-0.36, -0.36)),
    ),
    "star": tuple(
        (reach * math.sin(corner * math.pi / 5), 0.08 - reach * math.cos(corner * math.pi / 5))
        for corner, reach in enumerate((1.15, 0.5) * 5)
    ),
    "arrow": (
        *((0, -1.05), (0.9, -0.05), (0.36, -0.05), (0.36, 1)),
        *((-0.36, 1), (-0.36, -0.05), (-0.9, -0.05)),
    ),
    "hook": ((-0.75, -1), (-0.1, -1), (-0.1, 0.35), (0.85, 0.35), (0.85, 1), (-0.75, 1)),
    "tee": (
        *((-0.95, -0.95), (0.95, -0.95), (0.95, -0.35), (0.32, -0.35)),
        *((0.32, 1), (-0.32, 1), (-0.32, -0.35), (-0.95, -0.35)),
    ),
}
# A half circle is shifted down, so that it turns around its middle.
HALF_LOW = 0.45
# The corners of the polygon that replaces a circle to compute stripes.
FINE = 48
STRIPES_APART = 10


def outline(shape: str, centre: Point, radius: float, turn: float = 0) -> str:
    """Return the outline of a shape, turned clockwise by `turn` degrees."""
    size = round(radius)
    if shape == "circle":
        x, y = round(centre[0]), round(centre[1])
        return f"M{x - size} {y}a{size} {size} 0 1 0 {2 * size} 0a{size} {size} 0 1 0-{2 * size} 0z"
    if shape == "half":
        left, right = _placed(((-1, HALF_LOW), (1, HALF_LOW)), centre, radius, turn)
        return f"M{_point(left)}A{size} {size} 0 0 1 {_point(right)}z"
    return line(_placed(CORNERS[shape], centre, radius, turn)) + "z"


def stripes(shape: str, centre: Point, radius: float, turn: float = 0) -> str:
    """Return diagonal lines that fill a shape, with the same slope at every turn."""
    corners = _placed(_corners(shape), centre, radius, turn)
    sums = [x + y for x, y in corners]
    middle = centre[0] + centre[1]
    least, most = math.ceil((min(sums) - middle) / STRIPES_APART), max(sums) - middle
    found = []
    for number in range(least, math.floor(most / STRIPES_APART) + 1):
        crossed = sorted(_crossings(corners, middle + number * STRIPES_APART))
        found += [line(pair) for pair in zip(crossed[::2], crossed[1::2], strict=False)]
    return "".join(found)


def line(points: Iterable[Point]) -> str:
    """Return a line through points, rounded to whole numbers."""
    whole = [(round(x), round(y)) for x, y in points]
    steps = [(to[0] - at[0], to[1] - at[1]) for at, to in pairwise(whole)]
    return f"M{_point(whole[0])}l" + " ".join(map(_point, steps))


def _corners(shape: str) -> Sequence[Point]:
    if shape not in ("circle", "half"):
        return CORNERS[shape]
    whole = shape == "circle"
    angles = [2 * math.pi * corner / FINE for corner in range(FINE if whole else FINE // 2 + 1)]
    low = 0 if whole else HALF_LOW
    return [(-math.cos(angle), low - math.sin(angle)) for angle in angles]


def _placed(corners: Iterable[Point], centre: Point, radius: float, turn: float) -> list[Point]:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [
        (centre[0] + radius * (x * cos - y * sin), centre[1] + radius * (x * sin + y * cos))
        for x, y in corners
    ]


def _crossings(corners: Sequence[Point], level: float) -> Iterable[Point]:
    """Yield the points where the outline crosses the diagonal line x + y = `level`."""
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        before, after = x1 + y1 - level, x2 + y2 - level
        # Only one end of each edge counts, so that a corner is crossed once.
        if (before < 0) != (after < 0):
            part = before / (before - after)
            yield x1 + part * (x2 - x1), y1 + part * (y2 - y1)


def _point(point: Point) -> str:
    x, y = round(point[0]), round(point[1])
    return f"{x}{y}" if y < 0 else f"{x} {y}"


@dataclass(frozen=True, slots=True)
class Path:
    """A path. `style` is a class of the style sheet, so that colours follow light and dark mode."""

    style: str
    d: str


@dataclass(frozen=True, slots=True)
class Words:
    """Text at a point; `anchor` is start, middle or end."""

    text: str
    x: str
    y: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure in its own units, which the page scales to its width."""

    width: int
    height: int
    paths: tuple[Path, ...]
    words: tuple[Words, ...] = ()


def number(value: float) -> str:
    """Return a coordinate with at most one decimal, and a point in every language."""
    return f"{round(value, 1):g}"
