"""The catalogue's table: nobody overwrites a colleague, and nothing else can be written."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from assessments.models import Course
from partners.models import Project
from tests.assessments.catalogue_page import rows, save, text, three_courses, typed
from tests.factories import CourseFactory, staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_course", "assessments.change_course"))
    return client


@pytest.fixture
def courses(project: Project) -> list[Course]:
    return three_courses(project)


def test_a_row_changed_by_another_user_is_reported_not_overwritten(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, _ = courses
    mine = typed(*courses, MAC_name="Mine", CAR_name="Caring")
    Course.objects.filter(pk=machines.pk).update(name="Theirs", social=2)
    before = rows(project)

    shown = text(save(editor, project, mine))

    assert rows(project) == before
    assert "Another user changed 1 course while this page was open" in shown
    theirs = "Theirs, order 1, fields: Machines; Maths, ratings 3 0 0 2 0 0, active."
    assert f"Another user saved: {theirs}" in shown
    assert 'value="Mine"' in shown

    # who saves once more has read it, and means it
    machines.refresh_from_db()
    digest = f"course-{machines.pk}-digest"
    assert f'name="{digest}" value="{machines.digest}"' in " ".join(shown.split())
    save(editor, project, {**mine, digest: machines.digest})

    machines.refresh_from_db()
    care.refresh_from_db()
    assert (machines.name, care.name) == ("Mine", "Caring")


def test_what_only_the_other_changed_is_left_to_them(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, _ = courses
    mine = typed(*courses, CAR_name="Caring")
    Course.objects.filter(pk=machines.pk).update(name="Theirs")

    save(editor, project, mine)

    machines.refresh_from_db()
    care.refresh_from_db()
    assert (machines.name, care.name) == ("Theirs", "Caring")


def test_of_two_saves_the_first_wins_and_the_second_reports_a_conflict(
    editor: Client, project: Project, courses: list[Course], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row changes between the look at it and the write."""
    real = Course.objects.revise

    def slow(self: Any, *args: Any, **kwargs: Any) -> int:
        Course.objects.filter(pk=courses[0].pk).update(name="Theirs")
        return real(*args, **kwargs)

    monkeypatch.setattr(type(Course.objects), "revise", slow)

    shown = text(save(editor, project, typed(*courses, MAC_name="Mine")))

    assert "Another user saved: Theirs" in shown
    assert Course.objects.get(code="MAC").name == "Theirs"


@pytest.mark.parametrize("column", ["name", "is_active", "digest", "code", "project", "id", "x"])
def test_another_project_s_course_cannot_be_written(
    editor: Client, project: Project, courses: list[Course], other_project: Project, column: str
) -> None:
    theirs = CourseFactory.create(project=other_project, name="Theirs")
    forged = typed(*courses, MAC_name="Mine") | {f"course-{theirs.pk}-{column}": theirs.digest}
    before = rows(project), rows(other_project)

    shown = text(save(editor, project, forged))

    assert (rows(project), rows(other_project)) == before
    assert "does not belong to a course of this project" in shown
    assert "Theirs" not in shown
    assert 'value="Mine"' in shown


@pytest.mark.parametrize(
    "name",
    [
        "course-0-name",
        "course--1-name",
        "course-99999999999999999999-name",
        "course-new-name",
        "course-",
        "course-1",
    ],
)
def test_a_row_cannot_be_added(
    editor: Client, project: Project, courses: list[Course], name: str
) -> None:
    before = rows(project)

    shown = text(save(editor, project, {**typed(*courses, MAC_name="Mine"), name: "New"}))

    assert rows(project) == before
    assert "does not belong to a course of this project" in shown


@pytest.mark.parametrize(
    "column", ["code", "project", "project_id", "id", "verbal_level", "streams"]
)
def test_a_column_that_is_not_in_the_table_cannot_be_written(
    editor: Client, project: Project, courses: list[Course], column: str
) -> None:
    before = rows(project)
    forged = typed(*courses, MAC_name="Mine") | {f"course-{courses[0].pk}-{column}": "1"}

    save(editor, project, forged)

    assert rows(project) == before
