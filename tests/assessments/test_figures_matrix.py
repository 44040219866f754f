"""Matrices and their options are drawn so that every difference shows, and nothing else does."""

from __future__ import annotations

import re

from assessments.charts.puzzle_matrix import cell, matrix
from assessments.charts.shapes import Drawing
from lab.generators import matrices

ITEMS = [
    matrices.generate(rule, seed, place=1 + seed % 6)
    for rule in matrices.RULES
    for seed in (400, 401)
]
COMMAND = re.compile(r"([MLHVAlhvaqmz])([-\d ]*)")
NUMBERS = {"M": 2, "m": 2, "l": 2, "h": 1, "v": 1, "a": 7, "A": 7, "q": 4, "z": 0}


def points(d: str) -> list[tuple[int, int]]:
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


def all_drawings() -> list[Drawing]:
    drawn = [matrix(item.figure or {}, "en") for item in ITEMS]
    return drawn + [cell(figure, "en") for item in ITEMS for figure in item.option_figures]


def test_every_path_is_well_formed_and_within_its_frame() -> None:
    for drawing in all_drawings():
        for path in drawing.paths:
            for x, y in points(path.d):
                assert 0 <= x <= drawing.width, path
                assert 0 <= y <= drawing.height, path


def test_only_the_empty_place_of_a_matrix_has_a_question_mark() -> None:
    for item in ITEMS:
        drawing = matrix(item.figure or {}, "en")
        (mark,) = [path for path in drawing.paths if path.style == "gap"]
        place = 2 * drawing.width / 3
        assert all(x > place and y > place for x, y in points(mark.d))
        assert "gap" not in {
            path.style for f in item.option_figures for path in cell(f, "en").paths
        }


def test_options_are_drawn_differently() -> None:
    for item in ITEMS:
        drawn = {cell(figure, "en") for figure in item.option_figures}
        assert len(drawn) == len(item.option_figures)
