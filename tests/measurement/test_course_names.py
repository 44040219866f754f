"""Proposed fields of real names of courses, from public lists of programmes, tagged beforehand.

`right` and `plausible` are main fields; "-" means that nothing should be proposed.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from measurement.fields import FIELDS
from measurement.proposed_fields import propose_fields

NAMES = Path(__file__).parent / "data" / "course_names.csv"


def graded():
    """Return the names of each grade: right, plausible, none, wrong."""
    grades = {"right": [], "plausible": [], "none": [], "wrong": []}
    with NAMES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            main = next(iter(propose_fields(row["name"])), "-")
            if main in row["right"].split():
                grade = "right"
            elif main in row["plausible"].split():
                grade = "plausible"
            else:
                grade = "none" if main == "-" else "wrong"
            grades[grade].append(f"{row['name']}: {main}")
    return grades


def test_the_tags_are_fields_and_no_name_stands_twice():
    with NAMES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    assert len(rows) >= 300
    assert max(Counter(row["name"] for row in rows).values()) == 1
    tags = {tag for row in rows for tag in (row["right"] + " " + row["plausible"]).split()}
    assert tags <= {*FIELDS, "-"}


def test_most_names_get_a_right_or_plausible_field_and_hardly_any_a_wrong_one():
    grades = graded()
    count = sum(map(len, grades.values()))

    assert len(grades["right"] + grades["plausible"]) >= 0.95 * count, grades["none"]
    assert len(grades["wrong"]) <= 0.02 * count, grades["wrong"]


def names():
    with NAMES.open(encoding="utf-8", newline="") as lines:
        return [row["name"] for row in csv.DictReader(lines)]


@pytest.mark.parametrize(
    "spelled",
    [
        str.upper,
        str.lower,
        lambda name: name.replace(".", ". "),
        lambda name: name.replace("-", " "),
        lambda name: f"  {name.replace(' ', '  ')} ",
        lambda name: re.sub(r"\b([A-Za-z])\.(?=[A-Za-z])", r"\1", name),
    ],
    ids=["upper", "lower", "wide full stops", "no hyphens", "wide", "fewer full stops"],
)
def test_case_full_stops_hyphens_and_spaces_change_nothing(spelled):
    different = {name for name in names() if propose_fields(name) != propose_fields(spelled(name))}

    assert different == set()


@pytest.mark.parametrize(
    ("one", "other"),
    [("B.Sc. Bio-Chemistry", "BSc Biochemistry"), ("Physio therapy", "Physiotherapy")]
    + [("B.Sc. C.S.", "BSc CS"), ("B. Ed.", "BEd"), ("बी.एस.सी. हिन्दी", "बीएससी हिंदी")],
)
def test_spellings_of_one_name(one, other):
    assert propose_fields(one) == propose_fields(other) != ()


@pytest.mark.parametrize(
    "name",
    ["B.A.", "B.Sc. (Hons.)", "B.Tech. Xyzology", "Management of Xyzology", "Foundation Year", ""],
)
def test_of_an_unknown_subject_nothing_is_proposed(name):
    assert propose_fields(name) == ()
