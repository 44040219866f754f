"""Descriptions of figures become paths: what differs is drawn differently, and nothing in vain."""

import json
import re

import pytest

from lab.generators import build, data, matrices
from lab.generators.drawings import draw
from lab.tests.generators.sixty import sixty
from measurement.drawings import STYLES


def drawings():
    """Yield the drawings of the file that ships."""
    bank = json.loads(build.SHIPPED.read_bytes())
    for question in (*bank["items"], *bank["sections"][2]["examples"]):
        for holder in (question, *question.get("options", ())):
            if holder.get("figure", {"kind": "table"})["kind"] != "table":
                yield holder["figure"]


@pytest.mark.parametrize(
    ("cell", "paths"),
    [
        ({"shape": "square"}, {"ink": "M25 25l50 0 0 50 -50 0z"}),
        ({"shape": "square", "fill": "solid"}, {"solid": "M25 25l50 0 0 50 -50 0z"}),
        ({"rays": [0, 2]}, {"ink": "M50 22l0-18M78 50l18 0"}),
        ({"dot": 1}, {"solid": "M44 13a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"}),
    ],
)
def test_a_cell_is_drawn_in_its_styles(cell, paths):
    assert draw({"kind": "cell", "cell": cell}) == {"kind": "cell", "paths": paths}


def test_cells_that_differ_are_drawn_differently():
    cells = [
        cell
        for draft in sixty(matrices)
        for cell in (*draft.figure["cells"][:-1], *(each["cell"] for each in draft.option_figures))
    ]
    drawn = {repr(cell): repr(draw({"kind": "cell", "cell": cell})["paths"]) for cell in cells}

    assert len(drawn) > 300
    assert len(set(drawn.values())) == len(drawn)


def test_a_bar_is_as_high_as_its_value_and_gridlines_are_at_the_steps():
    charts = [draft.figure for draft in sixty(data) if draft.figure["kind"] == "bars"]
    assert any(chart["step"] for chart in charts)
    for chart in charts:
        paths = draw(chart)["paths"]
        values = [bar["value"] for bar in chart["bars"]]
        tops = [float(top) for top in re.findall(r"V([\d.]+)h", paths["column"])]
        lines = [float(y) for y in re.findall(r",([\d.]+)H", paths.get("grid", ""))]
        unit = 150 / max(values)

        assert tops == pytest.approx([172 - unit * value for value in values], abs=0.06)
        steps = range(chart["step"], max(values) + 1, chart["step"]) if chart["step"] else ()
        assert lines == pytest.approx([172 - unit * step for step in steps], abs=0.06)


def test_the_bank_holds_drawings_without_empty_strokes():
    found = list(drawings())

    assert len(found) == 448
    for figure in found:
        assert figure.keys() <= {"kind", "caption", "alt", "paths", "words"}
        assert figure["paths"].keys() <= set(STYLES[figure["kind"]])
        assert not re.search(r"l0 0(?![\d. ])", "".join(figure["paths"].values()))
