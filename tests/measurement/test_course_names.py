"""Proposed fields of real names of courses, from public lists of programmes, tagged beforehand.

`right` and `plausible` are main fields; "-" means that nothing should be proposed.
"""

import csv
from collections import Counter
from pathlib import Path

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
