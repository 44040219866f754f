"""Drawings: figures of a bank and numbers of a result in, paths and words out."""

import pytest

from measurement.drawings import shown

CELL = {"kind": "cell", "cell": {"shape": "star"}}
MATRIX = {"kind": "matrix", "cells": [CELL["cell"]] * 8 + [None], "alt": {"en": "Nine places."}}


def chart(*values, step=0):
    named = [{"label": {"en": "Mon", "hi": "सोम"}, "value": value} for value in values]
    return {"kind": "bars", "bars": named, "step": step, "caption": {"en": "Cups"}}


@pytest.mark.parametrize(
    ("figure", "caption", "alternative"),
    [(chart(20, 10), "Cups", ""), (CELL, "", ""), (MATRIX, "", "Nine places.")],
)
def test_the_other_kinds_are_drawn(figure, caption, alternative):
    said = shown(figure, "en")

    drawing = said.pop("drawing")
    assert drawing.paths
    assert drawing.width > 0
    assert said == {"kind": figure["kind"], "caption": caption, "alternative": alternative}
