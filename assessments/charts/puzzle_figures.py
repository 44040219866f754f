"""Figures of a bank file, prepared for a page in one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its label and its values as text."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in one language: a drawing with its text alternative, or a table.

    A table has no `drawing`, and the first of its `columns` is the heading of the row labels.
    """

    kind: str
    caption: str
    alternative: str
    drawing: Drawing | None
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()


def shown(figure: Mapping[str, Any], language: str) -> Figure:
    """Return the figure in one language. Raises KeyError for an unknown kind."""
    kind = str(figure["kind"])
    caption = _said(figure.get("caption"), language)
    if kind != TABLE:
        alternative = _said(figure.get("alt"), language)
        return Figure(kind, caption, alternative, DRAWN[kind](figure, language))
    return Figure(
        kind=kind,
        caption=caption,
        alternative="",
        drawing=None,
        columns=tuple(column[language] for column in figure["columns"]),
        rows=tuple(
            Row(row["label"][language], tuple(str(value) for value in row["values"]))
            for row in figure["rows"]
        ),
    )


def _said(texts: Mapping[str, str] | None, language: str) -> str:
    return texts[language] if texts else ""
