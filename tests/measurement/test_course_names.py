"""Proposed fields of names of courses, as colleges and ITIs list them, tagged beforehand.

`right` and `plausible` are main fields; "-" means that nothing should be proposed.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from measurement.fields import FIELDS
from measurement.proposed_fields import RANKS, TABLES, propose_fields, split_words

NAMES = Path(__file__).parent / "data" / "course_names.csv"
KINDS = ("right", "plausible")


with NAMES.open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines))


def test_each_field_is_a_tag_and_no_name_stands_twice():
    assert len(ROWS) >= 800
    assert max(Counter(row["name"] for row in ROWS).values()) == 1
    right, plausible = ({tag for row in ROWS for tag in row[kind].split()} for kind in KINDS)
    assert right == {*FIELDS, "-"} >= plausible


def test_no_phrase_stands_twice():
    texts = [text for rank in RANKS for texts in TABLES[rank].values() for text in texts]
    phrases = Counter("".join(split_words(text)) for text in texts)

    assert [phrase for phrase, count in phrases.items() if count > 1] == []


def test_most_names_get_a_right_or_plausible_field_and_hardly_any_a_wrong_one():
    none, wrong = [], []
    for row in ROWS:
        main = next(iter(propose_fields(row["name"])), "-")
        if main not in (row["right"] + " " + row["plausible"]).split():
            (none if main == "-" else wrong).append(f"{row['name']}: {main}")

    assert len(none + wrong) <= 0.02 * len(ROWS), none
    assert len(wrong) <= 0.01 * len(ROWS), wrong


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
    names = [row["name"] for row in ROWS]

    assert [name for name in names if propose_fields(name) != propose_fields(spelled(name))] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("B.Sc. Bio-Chemistry", "BSc Biochemistry"), ("Physio therapy", "Physiotherapy")]
    + [("B.Sc. C.S.", "BSc CS"), ("B. Ed.", "BEd"), ("बी.एस.सी. हिन्दी", "बीएससी हिंदी")]
    + [("बी०ए० हिंदी", "बी.ए. हिंदी"), ("बी0ए0 हिंदी", "बी.ए. हिंदी")]
    # a language of teaching, and who pays
    + [("B.Com. (English Medium)", "B.Com."), ("B.Sc. Physics (Self Finance)", "BSc Physics")],
)
def test_spellings_of_one_name(one, other):
    assert propose_fields(one) == propose_fields(other) != ()


@pytest.mark.parametrize(
    "name",
    ["B.A.", "B.Sc. (Hons.)", "B.Tech. Xyzology", "Management of Xyzology", "Foundation Year", ""]
    + ["Level 4 Diploma in Xyzology (RQF)", "B.A. (Hindi Medium)", "Craftsman Training Scheme"]
    + ["Doctor of Philosophy", "BS-MS Dual Degree", "कला स्नातक"],
)
def test_of_an_unknown_subject_nothing_is_proposed(name):
    assert propose_fields(name) == ()


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("BA Psychology and English", ("mind_society", "helping", "writing")),
        ("BBA Logistics", ("logistics", "business")),
        # a degree says nothing beside a subject, and a profession more than one
        ("BTech Computer Science and Engineering", ("computers", "maths")),
        ("B.Ed Physics", ("teaching", "helping", "physical_science")),
        ("Bachelor of Education (Arts) French", ("teaching", "helping", "writing")),
        # a hint says nothing beside a subject
        ("BE Electronics and Communication", ("machines", "physical_science", "computers")),
        ("Diploma in Communication", ("media", "writing")),
    ],
)
def test_several_words_of_a_name_give_several_fields(name, fields):
    assert propose_fields(name) == fields
