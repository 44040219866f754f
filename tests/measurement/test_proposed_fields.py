"""Fields proposed from a course's name."""

import pytest

from measurement.fields import FIELDS
from measurement.proposed_fields import propose_fields

MAIN_FIELDS = {
    "B.Tech Automobile Engineering": "machines",
    "BE Electronics & Communication Engineering": "machines",
    "Bachelor of Engineering": "machines",
    "B.Arch": "building",
    "BVSc & AH": "nature",
    "MBBS": "care",
    "B.Sc Medical Laboratory Technology": "care",
    "B.Sc Microbiology": "life_science",
    "Pharm.D": "life_science",
    "B.Tech Chemical Engineering": "physical_science",
    "B.Sc Data Science": "maths",
    "BCA (Cloud Computing)": "computers",
    "BA History": "mind_society",
    "BVA Painting": "art",
    "B.Des Fashion Design": "design",
    "BA Hindi": "writing",
    "BJMC": "media",
    "BPA Music (Hindustani Vocal)": "performing",
    "D.El.Ed": "teaching",
    "MSW": "helping",
    "PGDM": "business",
    "BBA LLB": "law",
    "BHMCT": "hospitality",
    "B.Com (Hons)": "accounts",
    "BBA Aviation": "logistics",
    "Diploma in Office Management": "office",
}


def test_the_main_field_comes_from_the_name():
    assert {name: propose_fields(name)[0] for name in MAIN_FIELDS} == MAIN_FIELDS
    assert set(MAIN_FIELDS.values()) == set(FIELDS)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("BA Psychology and English", ("mind_society", "helping", "writing")),
        ("BBA Logistics", ("logistics", "business")),
        # a degree says nothing beside a subject, and a profession more than one
        ("BTech Computer Science and Engineering", ("computers", "maths")),
        ("B.Ed Physics", ("teaching", "helping", "physical_science")),
        ("Foundation Year", ()),
        ("", ()),
    ],
)
def test_several_words_of_a_name_give_several_fields(name, fields):
    assert propose_fields(name) == fields
