"""Whom a catalogue would reach, before any student sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.catalogue.preview import (
    STUDENTS,
    catalogue_preview,
)
from assessments.measurement.courses import CourseRatings
from tests.assessments.profiles import RANKING, WEIGHTS, demo_courses

DEMO = demo_courses()


def shares(
    edited: list[CourseRatings], saved: list[CourseRatings]
) -> dict[str, tuple[int, int | None]]:
    shown = catalogue_preview(edited, saved, WEIGHTS, RANKING, 5)
    return {each.code: (each.percent, each.before) for each in shown.standings}


def test_each_demo_course_reaches_some_students_but_not_all() -> None:
    shown = catalogue_preview(DEMO, DEMO, WEIGHTS, RANKING, 5)

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

    shown = catalogue_preview([*DEMO, shadow], DEMO, WEIGHTS, RANKING, 3)

    assert [(pair.one, pair.other, pair.correlation) for pair in shown.alike] == [
        (DEMO[0].name, "Shadow", 1.0)
    ]
    assert shown.standings[-1].percent <= 2
