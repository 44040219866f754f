"""Whom a catalogue would reach, before any student sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.catalogue.preview import STUDENTS, catalogue_preview
from assessments.measurement.courses import CourseData
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.profiles import demo_courses

DEMO = demo_courses()
BANK = field_bank()


def shares(edited: list[CourseData], saved: list[CourseData]) -> dict[str, tuple[int, int | None]]:
    shown = catalogue_preview(edited, saved, BANK, 5)
    return {each.code: (each.percent, each.before) for each in shown.standings}


def test_each_demo_course_reaches_some_students_but_not_all() -> None:
    shown = catalogue_preview(DEMO, DEMO, BANK, 5)

    assert shown.students == STUDENTS
    assert (shown.never, shown.often) == ((), ())
    assert sum(each.percent for each in shown.standings) == pytest.approx(500, abs=12)
    assert all(each.percent == each.before for each in shown.standings)


def test_the_preview_compares_typed_and_saved_values() -> None:
    crowded = [
        *DEMO,
        *(replace(DEMO[0], code=f"TWIN{n}", order=0) for n in range(5)),
    ]

    found = shares(crowded, DEMO)

    typed, saved = found[DEMO[0].code]
    assert saved is not None
    assert typed < saved


def test_courses_of_the_same_fields_are_alike() -> None:
    twin = replace(DEMO[0], code="TWIN", name="Twin", order=99)

    shown = catalogue_preview([*DEMO, twin], DEMO, BANK, 5)

    assert (DEMO[0].name, "Twin", 1.0) in [
        (pair.one, pair.other, pair.correlation) for pair in shown.alike
    ]
