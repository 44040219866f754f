"""The words of the editors' pages for fields of work and kinds of teaching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from measurement.courses import DELIVERY
from measurement.fields import FIELDS
from measurement.wording import ENGLISH

# The ends of the scales of preferences, in order.
DELIVERY_WORDS = dict(
    zip(DELIVERY, (end for ends in ENGLISH.preferences.values() for end in ends), strict=True)
)


class FieldChoice(NamedTuple):
    name: str
    about: str
    examples: str  # two courses

    def __str__(self) -> str:
        return f"{self.name}: {self.about} ({self.examples})"


FIELD_CHOICES: Mapping[str, FieldChoice] = {
    "machines": FieldChoice(
        "Machines",
        "run and repair machines, engines and devices",
        "Mechanical Engineering, Electrical Engineering",
    ),
    "building": FieldChoice(
        "Building things",
        "plan and construct houses, roads and bridges",
        "Civil Engineering, Architecture",
    ),
    "nature": FieldChoice(
        "Farming and nature",
        "grow crops, keep animals, look after forests and land",
        "Agriculture, Veterinary Science",
    ),
    "care": FieldChoice(
        "Health care", "treat patients and nurse them back to health", "Nursing, Physiotherapy"
    ),
    "life_science": FieldChoice(
        "Biology", "study cells, plants, animals and the human body", "Biotechnology, Zoology"
    ),
    "physical_science": FieldChoice(
        "Physics and chemistry",
        "experiment with matter, forces and substances",
        "Physics, Chemical Engineering",
    ),
    "maths": FieldChoice(
        "Maths", "calculate, prove and find patterns in figures", "Statistics, Data Science"
    ),
    "computers": FieldChoice(
        "Computers",
        "write programs, run networks and systems",
        "Computer Science, Computer Applications",
    ),
    "mind_society": FieldChoice(
        "People and society",
        "find out how people think and how societies work",
        "Psychology, Sociology",
    ),
    "art": FieldChoice("Art", "draw, paint, sculpt", "Fine Arts, Applied Art"),
    "design": FieldChoice(
        "Design",
        "give clothes, rooms, products and screens their form",
        "Fashion Design, Interior Design",
    ),
    "writing": FieldChoice(
        "Writing",
        "read and write stories and essays, work with languages",
        "English Literature, Translation Studies",
    ),
    "media": FieldChoice(
        "Media", "make news, films, broadcasts and campaigns", "Journalism, Film Making"
    ),
    "performing": FieldChoice(
        "Stage and music", "sing, play, dance or act for an audience", "Music, Theatre"
    ),
    "teaching": FieldChoice(
        "Teaching",
        "explain, train and teach children or adults",
        "Teacher Education, Physical Education",
    ),
    "helping": FieldChoice(
        "Helping people",
        "advise and support people in difficulty",
        "Social Work, Special Education",
    ),
    "business": FieldChoice(
        "Business", "sell, lead a team, run a company", "Business Administration, Marketing"
    ),
    "law": FieldChoice(
        "Law and politics", "argue cases, make rules, work in government", "Law, Political Science"
    ),
    "hospitality": FieldChoice(
        "Food and hospitality",
        "cook, look after guests, organise travel",
        "Hotel Management, Tourism",
    ),
    "accounts": FieldChoice(
        "Accounts",
        "keep books, check bills, handle tax and money",
        "Accounting and Finance, Banking and Insurance",
    ),
    "logistics": FieldChoice(
        "Transport and deliveries",
        "store goods and get them to the right place on time",
        "Logistics, Port Management",
    ),
    "office": FieldChoice(
        "Office work", "keep records and files, run an office", "Office Management, Library Science"
    ),
}


def field_names(codes: Sequence[str]) -> str:
    return "; ".join(FIELD_CHOICES[code].name for code in codes if code in FIELDS)
