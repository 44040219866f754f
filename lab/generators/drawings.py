"""Draw the figures of puzzles from their descriptions: matrices, their cells, and bar charts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from lab.generators.items import in_all

Point = tuple[float, float]

# Corners of shapes around (0, 0), about as large as a circle of radius 1; y points down.
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
# To compute stripes, a circle is a polygon of this many corners.
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
    """Return diagonal lines that fill a shape; their slope stays the same when it turns."""
    corners = _placed(_corners(shape), centre, radius, turn)
    sums = [x + y for x, y in corners]
    middle = centre[0] + centre[1]
    least, most = math.ceil((min(sums) - middle) / STRIPES_APART), max(sums) - middle
    found = []
    for number in range(least, math.floor(most / STRIPES_APART) + 1):
        crossed = sorted(_crossings(corners, middle + number * STRIPES_APART))
        found += [line(pair) for pair in zip(crossed[::2], crossed[1::2], strict=False)]
    # A corner that just touches a line leaves a stroke without length.
    return "".join(stroke for stroke in found if not stroke.endswith("l0 0"))


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
        # Each edge counts with one end only, so that a corner is crossed once.
        if (before < 0) != (after < 0):
            part = before / (before - after)
            yield x1 + part * (x2 - x1), y1 + part * (y2 - y1)


def _point(point: Point) -> str:
    x, y = round(point[0]), round(point[1])
    return f"{x}{y}" if y < 0 else f"{x} {y}"


# All in hundredths of the width of a cell.
SIDE = 100
GAP = 6
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

Figure = Mapping[str, Any]
Strokes = dict[str, list[str]]


def draw(figure: Figure) -> dict[str, Any]:
    """Return a figure as the bank stores it: a drawing as paths, a table unchanged.

    A drawing has one path for each style. The frames of cells and the question mark are not stored:
    they are the same in every drawing, and the page adds them. A chart also has `words`.
    """
    kind = figure["kind"]
    if kind == "table":
        return dict(figure)
    words: list[dict[str, Any]] = []
    if kind == "bars":
        strokes, words = _bars(figure)
    else:
        strokes = _cells(figure["cells"] if kind == "matrix" else [figure["cell"]])
    texts = {name: figure[name] for name in ("caption", "alt") if name in figure}
    paths = {style: "".join(drawn) for style, drawn in strokes.items() if any(drawn)}
    return {"kind": kind, **texts, "paths": paths, **({"words": words} if words else {})}


def _cells(cells: Iterable[Mapping[str, Any] | None]) -> Strokes:
    """Return the strokes of cells by style. All styles are of lines, but "solid" is filled."""
    strokes: Strokes = defaultdict(list)
    for place, one in enumerate(cells):
        row, column = divmod(place, 3)
        if one is not None:
            _draw(one, (column * (SIDE + GAP), row * (SIDE + GAP)), strokes)
    return strokes


def _draw(one: Mapping[str, Any], corner: Point, strokes: Strokes) -> None:
    if "outer" in one:
        _shape({"shape": one["outer"]}, _moved(MIDDLE, corner), OUTER, strokes)
    if "shape" in one:
        centres, radius = _places(one)
        for centre in centres:
            _shape(one, _moved(centre, corner), radius, strokes)
    for ray in one.get("rays", ()):
        angle = ray * math.pi / 4
        reach = SLANTING_RAY if ray % 2 else RAY
        ends = [(50 + r * math.sin(angle), 50 - r * math.cos(angle)) for r in reach]
        strokes["ink"].append(line([_moved(end, corner) for end in ends]))
    if "lines" in one:
        half = LINES_WITHIN if "dot" in one else LINES
        strokes["ink"] += [_line(name, _moved(MIDDLE, corner), half) for name in one["lines"]]
    for name, radius, style in (("ring", RING, "ink"), ("dot", DOT, "solid")):
        if name in one:
            centre = _moved(BORDER[one[name]], corner)
            strokes[style].append(outline("circle", centre, radius))


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


def _moved(point: Point, corner: Point) -> Point:
    return point[0] + corner[0], point[1] + corner[1]


WIDTH = 300
TOP, BOTTOM = 22, 172
# Room for the numbers beside the gridlines, at a font size of 12 units.
TILE = 36
LABEL_GAP, NUMBER_GAP, HALF_LETTER = 17, 6, 4
# The width of a bar as a share of its slot.
FILLED = 0.62


def _bars(figure: Figure) -> tuple[Strokes, list[dict[str, Any]]]:
    """Return the strokes of a bar chart, in units of one CSS pixel at full size, and its words.

    With a `step`, gridlines are at its multiples; without one, each value is above its bar.
    """
    values = [int(bar["value"]) for bar in figure["bars"]]
    step, highest = figure["step"], max(values)
    left = TILE if step else 0
    place = (WIDTH - left) / len(values)
    width = place * FILLED

    def height(value: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * value / highest

    strokes: Strokes = defaultdict(list)
    words = []
    for level in range(0, highest + 1, step) if step else ():
        if level:
            strokes["grid"].append(f"M{left},{_number(height(level))}H{WIDTH}")
        text = in_all(str(level))
        words.append(_label(text, left - NUMBER_GAP, height(level) + HALF_LETTER, "end"))
    for index, (bar, value) in enumerate(zip(figure["bars"], values, strict=True)):
        centre = left + place * (index + 0.5)
        x, top = _number(centre - width / 2), _number(height(value))
        strokes["column"].append(f"M{x},{BOTTOM}V{top}h{_number(width)}V{BOTTOM}z")
        words.append(_label(bar["label"], centre, BOTTOM + LABEL_GAP))
        if not step:
            words.append(_label(in_all(str(value)), centre, height(value) - NUMBER_GAP))
    strokes["axis"].append(f"M{left},{BOTTOM}H{WIDTH}")
    return strokes, words


def _label(text: Mapping[str, str], x: float, y: float, anchor: str = "middle") -> dict[str, Any]:
    return {"x": _number(x), "y": _number(y), "anchor": anchor, "text": dict(text)}


def _number(value: float) -> str:
    return f"{round(value, 1):g}"
