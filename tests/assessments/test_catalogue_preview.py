"""Whom a catalogue would reach, before any student sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.catalogue.preview import (
    catalogue_preview,
)
from tests.assessments.measurement.field_bank import field_bank
from tests.assessments.profiles import demo_courses

DEMO = demo_courses()
BY_FIELDS = field_bank()


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
