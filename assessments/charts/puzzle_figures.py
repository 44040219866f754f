"""Figures of a bank file, prepared for a page in one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assessments.charts.drawing import Drawing
from assessments.charts.puzzle_bars import bars
from assessments.charts.puzzle_matrix import cell, matrix

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
