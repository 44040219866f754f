"""Matrices: nine cells in three rows, the last of them empty."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from measurement.shapes import Drawing, Path, Point, line, outline, stripes

# All in hundredths of the width of a cell.
SIDE = 100
GAP = 6
EDGE = 2
MIDDLE = (50, 50)
ALONE, SMALL, TINY = 30, 20, 11
SIZES = {1: 15, 2: 27, 3: 41}
# The inner shape is placed so that it also fits into an outer triangle.
OUTER, OUTER_MIDDLE, IN_OUTER = 43, (50, 52), 16
COUNTED = 14
COUNTS: dict[int, tuple[Point, ...]] = {
    1: ((50, 50),),
    2: ((28, 50), (72, 50)),
    3: ((50, 29), (27, 70), (73, 70)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((21, 21), (79, 21), (50, 50), (21, 79), (79, 79)),
}
GRID = (22, 50, 78)
# Clockwise from the upper left corner.
BORDER = ((13, 13), (50, 13), (87, 13), (87, 50), (87, 87), (50, 87), (13, 87), (13, 50))
DOT, RING = 6, 10
# The distances of both ends from the middle; diagonal rays have more room.
RAY, SLANTING_RAY = (28, 46), (34, 54)
# Half the side of the square of the lines, smaller if a dot is at the border.
LINES, LINES_WITHIN = 34, 27
STYLES = ("frame", "hatch", "ink", "solid", "gap")
QUESTION = "m-13-14a13 13 0 1 1 18 12q-5 3-5 10m0 13v1"

Strokes = dict[str, list[str]]


def matrix(figure: Mapping[str, Any], language: str) -> Drawing:
    """Return the drawing of a figure of kind "matrix", with a question mark in the empty cell.

    Styles: "frame", "ink" and "hatch" are lines, "solid" is filled, "gap" is the question mark.
    """
    strokes: Strokes = defaultdict(list)
    for place, one in enumerate(figure["cells"]):
        row, column = divmod(place, 3)
        corner = (column * (SIDE + GAP), row * (SIDE + GAP))
        if one is None:
            strokes["frame"].append(_frame(corner))
            strokes["gap"].append(f"M{corner[0] + 50} {corner[1] + 50}{QUESTION}")
        else:
            _draw(one, corner, strokes)
    side = 3 * SIDE + 2 * GAP
    return Drawing(side, side, _paths(strokes))


def cell(figure: Mapping[str, Any], language: str) -> Drawing:
    """Return the drawing of a figure of kind "cell": one cell of a matrix, in its styles."""
    strokes: Strokes = defaultdict(list)
    _draw(figure["cell"], (0, 0), strokes)
    return Drawing(SIDE, SIDE, _paths(strokes))


def _paths(strokes: Strokes) -> tuple[Path, ...]:
    return tuple(Path(style, "".join(strokes[style])) for style in STYLES if strokes[style])


def _draw(one: Mapping[str, Any], corner: Point, strokes: Strokes) -> None:
    strokes["frame"].append(_frame(corner))
    if "outer" in one:
        _shape({"shape": one["outer"]}, _moved(MIDDLE, corner), OUTER, strokes)
    if "shape" in one:
        centres, radius = _places(one)
        for centre in centres:
            _shape(one, _moved(centre, corner), radius, strokes)
    for ray in one.get("rays", ()):
        strokes["ink"].append(_ray(ray, corner))
    if "lines" in one:
        half = LINES_WITHIN if "dot" in one else LINES
        strokes["ink"] += [_line(name, _moved(MIDDLE, corner), half) for name in one["lines"]]
    if "ring" in one:
        centre = _moved(BORDER[one["ring"]], corner)
        strokes["ink"].append(outline("circle", centre, RING))
    if "dot" in one:
        centre = _moved(BORDER[one["dot"]], corner)
        strokes["solid"].append(outline("circle", centre, DOT))


def _places(one: Mapping[str, Any]) -> tuple[Sequence[Point], int]:
    if "count" in one:
        return COUNTS[one["count"]], COUNTED
    if "grid" in one:
        return [(GRID[place % 3], GRID[place // 3]) for place in one["grid"]], TINY
    if "outer" in one:
        return [OUTER_MIDDLE], IN_OUTER
    if "size" in one:
        return [MIDDLE], SIZES[one["size"]]
    return [MIDDLE], SMALL if one.keys() & {"rays", "dot", "ring"} else ALONE


def _shape(one: Mapping[str, Any], centre: Point, radius: int, strokes: Strokes) -> None:
    fill, turn = one.get("fill", "empty"), one.get("turn", 0)
    strokes["solid" if fill == "solid" else "ink"].append(
        outline(one["shape"], centre, radius, turn)
    )
    if fill == "striped":
        strokes["hatch"].append(stripes(one["shape"], centre, radius, turn))


def _ray(ray: int, corner: Point) -> str:
    angle = ray * math.pi / 4
    reach = SLANTING_RAY if ray % 2 else RAY
    ends = [(50 + r * math.sin(angle), 50 - r * math.cos(angle)) for r in reach]
    return line([_moved(end, corner) for end in ends])


def _line(name: int, centre: Point, half: int) -> str:
    x, y = centre
    left, right, top, bottom = x - half, x + half, y - half, y + half
    return (
        outline("circle", centre, 0.36 * half),
        outline("circle", centre, 0.76 * half),
        line([(left, top), (right, top), (right, bottom), (left, bottom)]) + "z",
        line([(x, top), (x, bottom)]),
        line([(left, y), (right, y)]),
        line([(left, top), (right, bottom)]),
        line([(right, top), (left, bottom)]),
    )[name]


def _frame(corner: Point) -> str:
    side = SIDE - 2 * EDGE
    return f"M{corner[0] + EDGE} {corner[1] + EDGE}h{side}v{side}h-{side}z"


def _moved(point: Point, corner: Point) -> Point:
    return point[0] + corner[0], point[1] + corner[1]
