"""Bar charts of puzzles, with values that can be read exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assessments.charts.drawing import Drawing, Path, Words, number

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
