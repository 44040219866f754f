"""Whom a catalogue would reach, before any student sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.catalogue.preview import (
    STUDENTS,
    catalogue_preview,
)
from assessments.measurement.courses import CourseRatings
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.profiles import RANKING, WEIGHTS, demo_courses

DEMO = demo_courses()
BY_FIELDS = field_bank()
BY_TYPES = replace(BY_FIELDS, matching=None, weights=WEIGHTS, ranking=RANKING)


def shares(
    edited: list[CourseRatings], saved: list[CourseRatings]
) -> dict[str, tuple[int, int | None]]:
    shown = catalogue_preview(edited, saved, BY_TYPES, 5)
    return {each.code: (each.percent, each.before) for each in shown.standings}


def test_each_demo_course_reaches_some_students_but_not_all() -> None:
    shown = catalogue_preview(DEMO, DEMO, BY_TYPES, 5)

    assert shown.students == STUDENTS
    assert (shown.never, shown.often, shown.alike) == ((), (), ())
    assert sum(each.percent for each in shown.standings) == pytest.approx(500, abs=12)
    assert all(each.percent == each.before for each in shown.standings)


def test_the_preview_compares_typed_and_saved_values() -> None:
    duller = [
        replace(course, ratings=(0, 0, 0, 0, 0, 2)) if course.code == "BFA" else course
        for course in DEMO
    ]

    found = shares(duller, DEMO)

    typed, saved = found["BFA"]
    assert saved is not None
    assert typed < saved


def test_a_course_in_another_s_shadow_is_recommended_to_nobody() -> None:
    shadow = replace(
        DEMO[0], code="SHADOW", name="Shadow", order=99, levels=(3, 3, 3), importance=(2, 2, 2)
    )

    shown = catalogue_preview([*DEMO, shadow], DEMO, BY_TYPES, 3)

    assert [(pair.one, pair.other, pair.correlation) for pair in shown.alike] == [
        (DEMO[0].name, "Shadow", 1.0)
    ]
    assert shown.standings[-1].percent <= 2


def test_by_fields_each_demo_course_reaches_some_students_but_not_all() -> None:
    shown = catalogue_preview(DEMO, DEMO, BY_FIELDS, 5)

    assert (shown.never, shown.often) == ((), ())
    assert sum(each.percent for each in shown.standings) == pytest.approx(500, abs=12)


@pytest.mark.slow
def test_by_fields_courses_of_the_same_fields_are_alike() -> None:
    twin = replace(DEMO[0], code="TWIN", name="Twin", order=99, ratings=(3, 0, 0, 0, 0, 0))

    shown = catalogue_preview([*DEMO, twin], DEMO, BY_FIELDS, 5)

    assert shown.by_fields
    assert (DEMO[0].name, "Twin", 1.0) in [
        (pair.one, pair.other, pair.correlation) for pair in shown.alike
    ]


def test_by_fields_a_course_without_any_is_alike_to_none() -> None:
    bare = [replace(DEMO[n], code=f"BARE{n}", name=f"Bare {n}", fields=()) for n in (0, 1)]

    shown = catalogue_preview([*DEMO, *bare], DEMO, BY_FIELDS, 5)

    assert not any("Bare" in pair.one + pair.other for pair in shown.alike)
