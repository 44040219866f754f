"""Figures of a bank file, prepared for a page in one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from measurement.puzzle_matrix import cell, matrix
from measurement.shapes import Drawing, Path, Words, number

WIDTH, HEIGHT = 300, 200
TOP, BOTTOM = 22, 172
# Room for the numbers beside the gridlines, at a font size of 12 units.
SIDE = 36
LABEL_GAP, NUMBER_GAP, HALF_LETTER = 17, 6, 4
# The width of a bar as a share of its slot.
FILLED = 0.62


def bars(figure: Mapping[str, Any], language: str) -> Drawing:
    """Return the drawing of a figure of kind "bars", in units of one CSS pixel at full size.

    With a `step`, gridlines are at its multiples; without one, each value is above its bar.
    Styles: "column", "axis" and "grid".
    """
    values = [int(bar["value"]) for bar in figure["bars"]]
    step = int(figure.get("step", 0))
    highest = max(values)
    left = SIDE if step else 0
    place = (WIDTH - left) / len(values)
    width = place * FILLED

    def height(value: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * value / highest

    paths, words = [], []
    for line in range(0, highest + 1, step) if step else ():
        if line:
            paths.append(Path("grid", f"M{left},{number(height(line))}H{WIDTH}"))
        y = number(height(line) + HALF_LETTER)
        words.append(Words(str(line), number(left - NUMBER_GAP), y, "end"))
    for index, bar in enumerate(figure["bars"]):
        centre = left + place * (index + 0.5)
        x, top = number(centre - width / 2), number(height(values[index]))
        paths.append(Path("column", f"M{x},{BOTTOM}V{top}h{number(width)}V{BOTTOM}z"))
        words.append(Words(bar["label"][language], number(centre), number(BOTTOM + LABEL_GAP)))
        if not step:
            above = number(height(values[index]) - NUMBER_GAP)
            words.append(Words(str(values[index]), number(centre), above))
    paths.append(Path("axis", f"M{left},{BOTTOM}H{WIDTH}"))
    return Drawing(WIDTH, HEIGHT, tuple(paths), tuple(words))


TABLE = "table"
DRAWN: dict[str, Callable[[Mapping[str, Any], str], Drawing]] = {
    "matrix": matrix,
    "cell": cell,
    "bars": bars,
}


def shown(figure: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the figure in one language: a drawing with its text alternative, or a table.

    A table has no `drawing`, and the first of its `columns` is the heading of the row labels.
    Raises KeyError for an unknown kind.
    """
    kind = str(figure["kind"])
    caption = figure["caption"][language] if figure.get("caption") else ""
    if kind != TABLE:
        return {
            "kind": kind,
            "caption": caption,
            "alternative": figure["alt"][language] if figure.get("alt") else "",
            "drawing": DRAWN[kind](figure, language),
        }
    return {
        "kind": kind,
        "caption": caption,
        "columns": [column[language] for column in figure["columns"]],
        "rows": [
            {"label": row["label"][language], "values": [str(value) for value in row["values"]]}
            for row in figure["rows"]
        ],
    }
