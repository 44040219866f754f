"""Check that a page can show the figures of a bank file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from measurement.bank_checks import (
    is_text,
    is_whole,
    is_within,
    listed,
    mapping,
    text_faults,
)
from measurement.drawings import DRAWN, TABLE, shown

PLACES = 9
# More than fits on a phone, yet small enough to draw quickly.
MOST_BARS, MOST_GRIDLINES, MOST_ROWS, MOST_COLUMNS = 12, 20, 12, 8
HIGHEST_BAR = 10**7
MOST_ATTRIBUTES, MOST_PARTS, WIDEST_TURN = 12, 16, 360


def figure_faults(figure: object, languages: Sequence[str]) -> Iterator[str]:
    figure = mapping(figure)
    if figure.get("kind") == TABLE:
        yield from _table(figure, languages)
        return
    if "alt" not in figure:
        yield "the text alternative is missing."
    yield from drawing_faults(figure, languages)


def drawing_faults(figure: object, languages: Sequence[str]) -> Iterator[str]:
    """Yield the faults of a drawn figure; the figure of an option needs no text alternative."""
    figure = mapping(figure)
    kind = figure.get("kind")
    if not isinstance(kind, str) or kind not in DRAWN:
        yield f"unknown kind {kind}."
        return
    for name, called in (("caption", "caption"), ("alt", "text alternative")):
        if name in figure:
            yield from (f"the {called} {fault}" for fault in text_faults(figure[name], languages))
    sizes = {"matrix": _matrix, "cell": _option, "bars": _bars}[kind]
    faults = [*sizes(figure), *_bar_labels(figure, languages)]
    yield from faults
    # Don't draw a faulty figure: a huge number could keep the processor busy for hours.
    for language in languages if not faults else ():
        try:
            shown(figure, language)
        except Exception as error:
            yield f"it can't be drawn in {language} ({type(error).__name__}: {error})."


def _matrix(figure: Mapping[str, Any]) -> Iterator[str]:
    cells = listed(figure.get("cells"))
    if len(cells) != PLACES or cells[-1] is not None:
        yield f"the cells are not {PLACES} with the last one empty (null)."
    for number, cell in enumerate(cells[:-1], start=1):
        yield from _cell(cell, f"cell {number}")


def _option(figure: Mapping[str, Any]) -> Iterator[str]:
    yield from _cell(figure.get("cell"), "the cell")


def _cell(cell: object, name: str) -> Iterator[str]:
    values = list(mapping(cell).values())
    if not values or len(values) > MOST_ATTRIBUTES:
        yield f"{name} is not an object of 1 to {MOST_ATTRIBUTES} attributes."
    for value in values:
        parts = listed(value) if isinstance(value, list) else [value]
        if len(parts) > MOST_PARTS or not all(
            isinstance(part, str) or (is_whole(part) and 0 <= part < WIDEST_TURN) for part in parts
        ):
            yield f"{name} has an attribute that is not a name, number or short list of them."


def _bars(figure: Mapping[str, Any]) -> Iterator[str]:
    bars = [mapping(bar) for bar in listed(figure.get("bars"))]
    values = [bar.get("value") for bar in bars]
    whole = [value for value in values if is_whole(value) and 0 <= value <= HIGHEST_BAR]
    if not 2 <= len(bars) <= MOST_BARS:
        yield f"the bars are not 2 to {MOST_BARS}."
    if len(whole) < len(values) or not any(whole):
        yield f"the values are not whole numbers from 0 to {HIGHEST_BAR}, one above 0."
        return
    step = figure.get("step", 0)
    if not is_whole(step) or step < 0 or (step and max(whole) > MOST_GRIDLINES * step):
        yield f"the step is not 0, or large enough for at most {MOST_GRIDLINES} gridlines."


def _bar_labels(figure: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    for number, bar in enumerate(listed(figure.get("bars")), start=1):
        for fault in text_faults(mapping(bar).get("label"), languages):
            yield f"the label of bar {number} {fault}"


def _table(figure: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    for fault in text_faults(figure.get("caption"), languages):
        yield f"the caption {fault}"
    columns, rows = listed(figure.get("columns")), listed(figure.get("rows"))
    if not 2 <= len(columns) <= MOST_COLUMNS or not 1 <= len(rows) <= MOST_ROWS:
        yield f"it has not 2 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows."
    for number, column in enumerate(columns, start=1):
        yield from (f"column {number} {fault}" for fault in text_faults(column, languages))
    for number, row in enumerate(rows, start=1):
        for fault in text_faults(mapping(row).get("label"), languages):
            yield f"the label of row {number} {fault}"
        values = listed(mapping(row).get("values"))
        if len(values) != len(columns) - 1:
            yield f"row {number} has {len(values)} values under {len(columns) - 1} columns."
        if not all(is_text(value) or is_within(value, -1e12, 1e12) for value in values):
            yield f"row {number} has a value that is neither a number nor a text."
