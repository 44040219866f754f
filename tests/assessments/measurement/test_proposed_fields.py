"""Fields proposed from a course's name."""

from __future__ import annotations

import pytest

from assessments.measurement.fields import FIELDS
from assessments.measurement.proposed_fields import propose_fields

MAIN_FIELDS = {
    "B.Tech Automobile Engineering": "machines",
    "B. Tech. (Hons) Mechatronics": "machines",
    "BE Electronics & Communication Engineering": "machines",
    "ITI Electrician": "machines",
    "M.Tech Machine Design": "machines",
    "Bachelor of Engineering": "machines",
    "Diploma in Civil Engineering": "building",
    "B.Arch": "building",
    "B.Plan Urban Planning": "building",
    "B.Sc. (Hons) Horticulture": "nature",
    "BVSc & AH": "nature",
    "B.Sc Forestry": "nature",
    "MBBS": "care",
    "BDS": "care",
    "BAMS (Ayurveda)": "care",
    "GNM": "care",
    "B.Sc Medical Laboratory Technology": "care",
    "Bachelor of Occupational Therapy": "care",
    "B.Sc Microbiology": "life_science",
    "B.Sc Zoology, Botany, Chemistry": "life_science",
    "Pharm.D": "life_science",
    "B.Tech Biomedical Engineering": "life_science",
    "B.Sc. Chemistry (Hons)": "physical_science",
    "B.Tech Chemical Engineering": "physical_science",
    "B.Sc Mathematics": "maths",
    "B.Sc Data Science": "maths",
    "BCA (Cloud Computing)": "computers",
    "B.Sc IT": "computers",
    "B.Tech Artificial Intelligence and Machine Learning": "computers",
    "BA (Hons) Sociology": "mind_society",
    "BA History": "mind_society",
    "B.Sc Cognitive Science": "mind_society",
    "BVA Painting": "art",
    "B.Des Fashion Design": "design",
    "Diploma in Interior Design": "design",
    "B.Sc Animation and VFX": "design",
    "BA Hindi": "writing",
    "BA French Language and Literature": "writing",
    "BJMC": "media",
    "BA Film Making": "media",
    "BPA Music (Hindustani Vocal)": "performing",
    "Bachelor of Performing Arts": "performing",
    "D.El.Ed": "teaching",
    "B.Ed Mathematics": "teaching",
    "B.P.Ed Physical Education": "teaching",
    "MSW": "helping",
    "BA Rural Development": "helping",
    "BBA Digital Marketing": "business",
    "PGDM": "business",
    "LL.B. (three years)": "law",
    "BBA LLB": "law",
    "BA Political Science": "law",
    "BHMCT": "hospitality",
    "BBA Tourism and Travel Management": "hospitality",
    "B.Sc Culinary Arts": "hospitality",
    "B.Com (Hons)": "accounts",
    "BBA Finance": "accounts",
    "B.Com Banking and Insurance": "accounts",
    "BBA Aviation": "logistics",
    "Diploma in Supply Chain Management": "logistics",
    "Diploma in Office Management": "office",
    "B.Lib.I.Sc": "office",
}


@pytest.mark.parametrize(("name", "field"), MAIN_FIELDS.items())
def test_the_main_field_comes_from_the_name(name: str, field: str) -> None:
    assert propose_fields(name)[0] == field


def test_the_names_cover_every_field() -> None:
    assert set(MAIN_FIELDS.values()) == set(FIELDS)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("BA Psychology and English", ("mind_society", "helping", "writing")),
        ("BBA Logistics", ("logistics", "business")),
        # a degree says nothing beside a subject, and a profession more than one
        ("BTech Computer Science and Engineering", ("computers", "maths")),
        ("B.Ed Physics", ("teaching", "helping", "physical_science")),
    ],
)
def test_several_words_of_a_name_give_several_fields(name: str, fields: tuple[str, ...]) -> None:
    assert propose_fields(name) == fields


def test_nothing_is_proposed_from_nothing() -> None:
    assert propose_fields("Foundation Year") == ()
    assert propose_fields("") == ()
