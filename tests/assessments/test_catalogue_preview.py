"""Whom a catalogue would reach, before any student sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assessments.catalogue.preview import (
    FEWEST_STUDENTS,
    STUDENTS,
    alike,
    catalogue_preview,
    made_up_students,
)
from assessments.measurement.courses import CourseRatings
from tests.assessments.profiles import MIXED, PURE, RANKING, WEIGHTS, demo_courses

DEMO = demo_courses()


def shares(
    edited: list[CourseRatings], saved: list[CourseRatings]
) -> dict[str, tuple[int, int | None]]:
    shown = catalogue_preview(edited, saved, WEIGHTS, RANKING, 5)
    return {each.code: (each.percent, each.before) for each in shown.standings}


def test_the_demo_s_courses_all_reach_somebody_and_none_everybody() -> None:
    shown = catalogue_preview(DEMO, DEMO, WEIGHTS, RANKING, 5)

    assert shown.students == STUDENTS
    assert (shown.never, shown.often, shown.alike) == ((), (), ())
    assert sum(each.percent for each in shown.standings) == pytest.approx(500, abs=12)
    assert all(each.percent == each.before for each in shown.standings)


def test_the_same_catalogue_gives_the_same_figures() -> None:
    once = catalogue_preview(DEMO, DEMO, WEIGHTS, RANKING, 5)

    assert catalogue_preview(DEMO[::-1], DEMO, WEIGHTS, RANKING, 5) == once


def test_what_is_typed_stands_beside_what_is_saved() -> None:
    duller = [
        replace(course, ratings=(0, 0, 0, 0, 0, 2)) if course.code == "BFA" else course
        for course in DEMO
    ]

    found = shares(duller, DEMO)

    typed, saved = found["BFA"]
    assert saved is not None
    assert typed < saved


def test_a_course_that_was_not_active_has_no_share_before() -> None:
    assert shares(PURE, PURE[1:])["C0"][1] is None


def test_a_list_is_as_long_as_the_project_wants() -> None:
    shown = catalogue_preview(MIXED, MIXED, WEIGHTS, RANKING, 3)

    assert shown.listed == 3
    assert sum(each.percent for each in shown.standings) == pytest.approx(300, abs=5)


def test_a_course_in_another_s_shadow_is_recommended_to_nobody() -> None:
    shadow = replace(
        DEMO[0], code="SHADOW", name="Shadow", order=99, levels=(3, 3, 3), importance=(2, 2, 2)
    )

    shown = catalogue_preview([*DEMO, shadow], DEMO, WEIGHTS, RANKING, 3)

    assert [(pair.one, pair.other, pair.correlation) for pair in shown.alike] == [
        (DEMO[0].name, "Shadow", 1.0)
    ]
    assert shown.standings[-1].percent <= 2


def test_five_courses_are_in_every_list_of_five() -> None:
    shown = catalogue_preview(PURE[:5], PURE[:5], WEIGHTS, RANKING, 5)

    assert {each.percent for each in shown.standings} == {100}
    assert len(shown.often) == 5


@pytest.mark.parametrize("count", [0, 1, 2])
def test_small_catalogues_have_a_preview_too(count: int) -> None:
    shown = catalogue_preview(PURE[:count], PURE, WEIGHTS, RANKING, 5)

    assert len(shown.standings) == count


def test_of_many_alike_some_are_named_and_the_others_counted() -> None:
    copies = [replace(PURE[0], code=f"X{n}", name=f"X {n}", order=n) for n in range(7)]

    shown = catalogue_preview([*PURE, *copies], PURE, WEIGHTS, RANKING, 5)

    assert len(alike([*PURE, *copies])) == 28
    assert (len(shown.alike), shown.more_alike) == (10, 18)


def test_a_long_catalogue_is_tried_on_fewer_students() -> None:
    many = [replace(DEMO[n % 24], code=f"C{n}", order=n) for n in range(300)]

    assert catalogue_preview(many, many, WEIGHTS, RANKING, 5).students == FEWEST_STUDENTS


def test_made_up_students_are_spread_as_students_are() -> None:
    students = made_up_students()
    zs = [z for each in students for z in each.interests.z]

    assert len(set(map(str, students))) == STUDENTS
    assert sum(zs) / len(zs) == pytest.approx(0, abs=0.15)
    assert max(map(abs, zs)) <= 2.2
