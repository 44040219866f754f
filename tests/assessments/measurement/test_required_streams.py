"""Courses that require subjects the student does not have are left out of the choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assessments.measurement.ability import Ability
from assessments.measurement.courses import CourseData
from assessments.measurement.profile import Profile
from assessments.measurement.recommendation import Suggestions, suggest
from assessments.measurement.scales import FACETS
from tests.assessments.measurement.field_bank import field_bank, sitting
from tests.assessments.test_report import EVEN, profile

MATHS, BIOLOGY = "science-maths", "science-biology"
BANK = field_bank()
LIKES_MACHINES = replace(
    profile(EVEN),
    fields=sitting({"machines": 5, "building": 4}),
    aptitude={name: Ability(1.0, 0.4) for name in ("overall", *FACETS)},
)


def course(code: str, field: str, *required: str, **facts: Any) -> CourseData:
    return CourseData(
        code=code,
        name=f"Course {code}",
        order=1,
        fields=(field,),
        required_streams=required,
        **facts,
    )


CATALOGUE = [
    course("MEC", "machines", MATHS, levels=(3, 0, 0), importance=(2, 0, 0)),
    course("CIV", "building", MATHS, BIOLOGY, levels=(1, 0, 0), importance=(1, 0, 0)),
    course("AGR", "farm", BIOLOGY, levels=(0, 1, 0), importance=(0, 1, 0)),
    course("ART", "art", levels=(0, 0, 1), importance=(0, 0, 1)),
    course("LAW", "law"),
]


def suggested(stream: str, student: Profile = LIKES_MACHINES, count: int = 5) -> Suggestions:
    return suggest(BANK, student, {}, CATALOGUE, count, stream)


def recommended(stream: str) -> list[str]:
    return [each.code for each in suggested(stream).recommended]


def others(stream: str) -> list[str]:
    return [each.code for each in suggested(stream).other_subjects]


def test_a_course_is_left_out_only_if_it_requires_other_subjects() -> None:
    everything = recommended("")
    assert everything[:2] == ["MEC", "CIV"]

    assert set(recommended("commerce")) == {"ART", "LAW"}
    assert others("commerce") == [code for code in everything if code in {"MEC", "CIV", "AGR"}]
    assert (others(MATHS), others(BIOLOGY)) == (["AGR"], ["MEC"])


@pytest.mark.parametrize("stream", ["", "other"])
def test_without_a_stream_nothing_is_left_out(stream: str) -> None:
    assert suggested(stream) == suggested("")
    assert others(stream) == []


def test_fits_are_those_among_all_courses() -> None:
    everything = {each.code: each.score for each in suggested("").recommended}

    some = {each.code: each.score for each in suggested("commerce").recommended}

    assert some == {code: everything[code] for code in some}


def test_at_most_twenty_courses_that_need_other_subjects_are_kept() -> None:
    many = [course(f"C{n:02}", "machines", MATHS) for n in range(25)]

    kept = suggest(BANK, LIKES_MACHINES, {}, many, 5, "arts").other_subjects

    assert [each.code for each in kept] == [f"C{n:02}" for n in range(20)]
