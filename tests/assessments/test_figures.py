"""Figures of a bank file as a page shows them."""

from __future__ import annotations

import pytest

from assessments.charts.puzzle_figures import shown

TABLE = {
    "kind": "table",
    "caption": {"en": "Cups sold", "hi": "बिके कप"},
    "columns": [{"en": "Drink", "hi": "पेय"}, {"en": "Cups", "hi": "कप"}],
    "rows": [{"label": {"en": "Tea", "hi": "चाय"}, "values": [1200]}],
}
CHART = {
    "kind": "bars",
    "caption": {"en": "Cups sold"},
    "bars": [{"label": {"en": "Tea"}, "value": 20}, {"label": {"en": "Milk"}, "value": 10}],
    "alt": {"en": "A chart of two bars."},
}
CELL = {"kind": "cell", "cell": {"shape": "star"}}
MATRIX = {"kind": "matrix", "cells": [CELL["cell"]] * 8 + [None], "alt": {"en": "Nine places."}}


@pytest.mark.parametrize(
    ("language", "caption", "columns", "label"),
    [
        ("en", "Cups sold", ["Drink", "Cups"], "Tea"),
        ("hi", "बिके कप", ["पेय", "कप"], "चाय"),
    ],
)
def test_a_table_speaks_one_language(
    language: str, caption: str, columns: list[str], label: str
) -> None:
    figure = shown(TABLE, language)

    assert figure == {
        "kind": "table",
        "caption": caption,
        "columns": columns,
        "rows": [{"label": label, "values": ["1200"]}],
    }


@pytest.mark.parametrize("figure", [CHART, CELL, MATRIX])
def test_the_other_kinds_are_drawn(figure: dict[str, object]) -> None:
    drawing = shown(figure, "en")["drawing"]

    assert drawing.paths
    assert drawing.width > 0
