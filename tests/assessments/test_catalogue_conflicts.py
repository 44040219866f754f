"""The catalogue's table: nobody overwrites a colleague, and nothing else can be written."""

from __future__ import annotations

import pytest
from django.test import Client

from assessments.models import Course
from partners.models import Project
from tests.assessments.catalogue_page import (
    address,
    rows,
    save,
    text,
    three_courses,
    typed,
)
from tests.factories import CourseFactory, staff_with
from tests.support.admin_forms import forms_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_course", "assessments.change_course"))
    return client


@pytest.fixture
def courses(project: Project) -> list[Course]:
    return three_courses(project)


def test_a_value_that_two_changed_is_reported_with_both_and_not_overwritten(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, _ = courses
    mine = typed(*courses, MAC_name="Mine", MAC_order="7", CAR_name="Caring")
    Course.objects.filter(pk=machines.pk).update(name="Theirs", order=4, realistic=2)
    before = rows(project)

    answer = save(editor, project, mine)

    shown = text(answer)
    assert rows(project) == before
    assert "Somebody changed what you changed in 1 course" in shown
    for name, theirs, ours in (("Name", "Theirs", "Mine"), ("Order", "4", "7")):
        said = f"{name}: Somebody saved “{theirs}” here while you were editing. To replace it with"
        assert f"{said} “{ours}”, save again." in shown
    assert shown.count("Somebody saved") == 2

    # who saves once more has read it, and means it
    [form] = [each for each in forms_of(answer) if f"course-{care.pk}-name" in each.controls]
    editor.post(address(project), form.sent({"_save": "1"}))

    machines.refresh_from_db()
    care.refresh_from_db()
    assert (machines.name, machines.order, machines.realistic) == ("Mine", 7, 2)
    assert care.name == "Caring"


def test_other_values_of_a_row_that_another_user_changed_are_kept(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, _ = courses
    mine = typed(*courses, CAR_name="Caring", MAC_order="7")
    Course.objects.filter(pk=machines.pk).update(name="Theirs")

    save(editor, project, mine)

    machines.refresh_from_db()
    care.refresh_from_db()
    assert (machines.name, machines.order, care.name) == ("Theirs", 7, "Caring")


@pytest.mark.parametrize("shown", ["", "{}", "[]", "x", '{"name": "Machines"}', "[" * 5000])
def test_a_page_that_does_not_say_what_it_showed_saves_nothing(
    editor: Client, project: Project, courses: list[Course], shown: str
) -> None:
    before = rows(project)
    forged = typed(*courses, MAC_name="Mine") | {f"course-{courses[0].pk}-shown": shown}

    answer = text(save(editor, project, forged))

    assert rows(project) == before
    assert "we can't tell what you changed" in answer
    assert 'value="Mine"' in answer


@pytest.mark.parametrize("column", ["name", "is_active", "shown", "code", "project", "id", "x"])
def test_another_project_s_course_cannot_be_written(
    editor: Client, project: Project, courses: list[Course], other_project: Project, column: str
) -> None:
    theirs = CourseFactory.create(project=other_project, name="Theirs")
    forged = typed(*courses, MAC_name="Mine") | {f"course-{theirs.pk}-{column}": "{}"}
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
