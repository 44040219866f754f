"""Drawings: figures of a bank and numbers of a result in, paths and words out."""

import re

import pytest

from assessments.charts.puzzle_figures import BOTTOM, bars, shown
from assessments.charts.puzzle_matrix import cell, matrix
from assessments.templatetags.charts import percent, radar, span
from lab.generators import matrices

TABLE = {
    "kind": "table",
    "caption": {"en": "Cups sold", "hi": "बिके कप"},
    "columns": [{"en": "Drink", "hi": "पेय"}, {"en": "Cups", "hi": "कप"}],
    "rows": [{"label": {"en": "Tea", "hi": "चाय"}, "values": [1200]}],
}
CELL = {"kind": "cell", "cell": {"shape": "star"}}
MATRIX = {"kind": "matrix", "cells": [CELL["cell"]] * 8 + [None], "alt": {"en": "Nine places."}}


@pytest.mark.parametrize(
    ("language", "caption", "columns", "label"),
    [("en", "Cups sold", ["Drink", "Cups"], "Tea"), ("hi", "बिके कप", ["पेय", "कप"], "चाय")],
)
def test_a_table_is_in_one_language(language, caption, columns, label):
    rows = [{"label": label, "values": ["1200"]}]

    expected = {"kind": "table", "caption": caption, "columns": columns, "rows": rows}
    assert shown(TABLE, language) == expected


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


@pytest.mark.parametrize("step", [0, 10])
def test_bars_are_as_high_as_their_values(step):
    drawn = bars(chart(40, 20, 80, 60, step=step), "en").paths

    paths = [path.d for path in drawn if path.style == "column"]
    heights = [BOTTOM - float(d.split("V")[1].split("h")[0]) for d in paths]
    assert [height / max(heights) for height in heights] == pytest.approx(
        [0.5, 0.25, 1, 0.75], abs=0.01
    )


def test_labels_of_bars_are_in_the_language():
    assert [each.text for each in bars(chart(5), "hi").words] == ["सोम", "5"]


ITEMS = [
    matrices.generate(rule, seed, place=1 + seed % 6)
    for rule in matrices.RULES
    for seed in (400, 401)
]
COMMAND = re.compile(r"([MLHVAlhvaqmz])([-\d ]*)")
NUMBERS = {"M": 2, "m": 2, "l": 2, "h": 1, "v": 1, "a": 7, "A": 7, "q": 4, "z": 0}


def points(d):
    """Where a path's commands lead; fails if it is not made of known ones with whole numbers."""
    assert COMMAND.sub("", d) == "", d
    assert d[0] == "M"
    found = []
    x = y = start_x = start_y = 0
    for name, text in COMMAND.findall(d):
        numbers = [int(number) for number in re.findall(r"-?\d+", text)]
        size = NUMBERS[name]
        assert (len(numbers) % size == 0 and numbers) if size else not numbers, d
        if name == "z":
            x, y = start_x, start_y
        for at in range(0, len(numbers), size or 1):
            step = numbers[at : at + size]
            if name in "hv":
                x, y = (x + step[0], y) if name == "h" else (x, y + step[0])
            else:
                x, y = (0, 0) if name.isupper() else (x, y)
                x, y = x + step[-2], y + step[-1]
            if name in "Mm":
                start_x, start_y = x, y
            found.append((x, y))
    return found


def test_every_path_of_a_matrix_is_well_formed_and_within_its_frame():
    drawn = [matrix(item.figure or {}, "en") for item in ITEMS]
    drawn += [cell(figure, "en") for item in ITEMS for figure in item.option_figures]
    for drawing in drawn:
        for path in drawing.paths:
            for x, y in points(path.d):
                assert 0 <= x <= drawing.width, path
                assert 0 <= y <= drawing.height, path


def test_only_the_empty_place_of_a_matrix_has_a_question_mark_and_options_differ():
    for item in ITEMS:
        drawing = matrix(item.figure or {}, "en")
        (mark,) = [path for path in drawing.paths if path.style == "gap"]
        assert all(min(point) > 2 * drawing.width / 3 for point in points(mark.d))
        options = [cell(figure, "en") for figure in item.option_figures]
        assert "gap" not in {path.style for option in options for path in option.paths}
        assert len(set(options)) == len(options)


def six(*percents):
    return [{"label": f"Kind {place}", "percent": value} for place, value in enumerate(percents)]


def test_a_full_profile_reaches_the_outer_ring_of_the_radar():
    drawn = radar(six(100, 100, 100, 100, 100, 100))

    assert drawn["shape"] == drawn["rings"][-1]
    assert len(drawn["shape"].split()) == 6


@pytest.mark.parametrize(("given", "drawn"), [(-20, 4), (140, 100)])
def test_a_value_of_the_radar_stays_visible_and_inside(given, drawn):
    shapes = [radar(six(value, 50, 50, 50, 50, 50))["shape"] for value in (given, drawn)]

    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(
    ("low", "high", "start", "width"),
    [
        (48, 83, "48%", "35%"),
        (50, 50, "50%", "4%"),
        (100, 100, "96%", "4%"),
        (33.333, 66.666, "33.3%", "33.3%"),
    ],
)
def test_a_span_is_on_the_line_and_visible(low, high, start, width):
    assert span(low, high) == {"start": start, "width": width}


@pytest.mark.parametrize(
    ("value", "bounds", "text"),
    [(62.5, (), "62.5%"), (-1, (), "0%"), (120, (), "100%"), (0, (3, 97), "3%")],
)
def test_a_percentage_is_clamped(value, bounds, text):
    assert percent(value, *bounds) == text
