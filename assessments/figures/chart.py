"""A line chart of counts over days, as the values of SVG attributes.

Positions are percentages of the drawing, so that it fits every width while text keeps its size.
Paths use a box of WIDTH x HEIGHT units, stretched over the same area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import Any

WIDTH, HEIGHT = 1000, 100
# The approximate number of gridlines above zero.
GRIDLINES = 4
# Labels of days, which must fit on a phone.
MOST_LABELS = 5


def gridlines(highest: int) -> list[int]:
    """Return round values from 0 to at least the highest count."""
    rough = max(1, highest) / GRIDLINES
    magnitude = int(10 ** max(0, math.floor(math.log10(rough))))
    step = next(n * magnitude for n in (1, 2, 5, 10) if n * magnitude >= rough)
    return list(range(0, step * max(1, math.ceil(highest / step)) + 1, step))


def line_chart(
    days: Sequence[date], series: Sequence[tuple[str, str, Sequence[int]]]
) -> dict[str, Any]:
    """Draw counts of consecutive days; each of `series` is a CSS class, a label and its counts."""
    values = gridlines(max(max(counts) for _, _, counts in series))
    highest, last = values[-1], len(days) - 1

    def x(index: int) -> float:
        return index / last if last else 0.5

    def path(counts: Sequence[int]) -> str:
        places = [x(index) for index in range(len(days))]
        if not last:  # a single day has a line across
            counts, places = [*counts, *counts], [0.0, 1.0]
        points = zip(places, counts, strict=True)
        return "M" + "L".join(
            f"{WIDTH * place:.1f},{HEIGHT * (1 - count / highest):.1f}" for place, count in points
        )

    sums = ", ".join(f"{sum(counts):,} {label.lower()}" for _, label, counts in series)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "rows": [
            {"text": f"{value:,}", "at": f"{100 * (1 - value / highest):.1f}%"} for value in values
        ],
        # From the last day backwards, because readers look for the last day.
        "columns": [
            {"text": f"{days[index].day} {days[index]:%b}", "at": f"{100 * x(index):.1f}%"}
            for index in range(last, -1, -math.ceil(len(days) / MOST_LABELS))
        ],
        "lines": [
            {"style": style, "label": label, "path": path(counts)}
            for style, label, counts in series
        ],
        "description": f"{days[0]:%-d %b %Y} to {days[-1]:%-d %b %Y}: {sums}.",
    }
