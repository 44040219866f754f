"""What staff enter for a course, and what they are shown before any student is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessments.measurement.courses import CourseData
from assessments.measurement.fields import FIELDS
from assessments.models import Course, ItemBank
from partners.models import Project
from tests.assessments.course_form import ADD, add, page, text
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, staff_with
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db

LIST = reverse("admin:assessments_course_changelist")


def test_it_works(admin_client: Client, project: Project) -> None:
    assert add(admin_client, project).status_code == 302

    assert Course.objects.get().as_data == CourseData(
        code="BOT",
        name="Botany",
        order=1,
        levels=(2, 0, 1),
        importance=(1, 0, 2),
        department="Life Sciences",
        delivery=("group", "doing"),
        entry_level="class-12",
        streams=("science-biology", "arts"),
        fields=("life_science", "nature"),
        required_streams=("science-biology",),
    )


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"verbal_level": "0"}, "The verbal level and its importance go together"),
        ({"verbal_importance": "0"}, "The verbal level and its importance go together"),
        ({"numerical_level": "4"}, "4 is not one of the available choices"),
        ({"numerical_importance": "3"}, "3 is not one of the available choices"),
        ({"main_field": "botany"}, "botany is not one of the available choices"),
        ({"main_field": ""}, "Choose the main field before the others."),
        ({"second_field": "life_science"}, "Choose each field only once."),
        ({"required_streams": ["maths"]}, "maths is not one of the available choices"),
        ({"entry_level": "class-8"}, "class-8 is not one of the available choices"),
        ({"streams": ["arts", "x"]}, "x is not one of the available choices"),
        ({"delivery": ["labs"]}, "labs is not one of the available choices"),
        ({"delivery": ["group", "group"]}, "each at most once"),
        ({"name": "Bot\u202eany"}, "a character that can't be shown"),
        ({"department": "Life\u202eSciences"}, "a character that can't be shown"),
    ],
)
def test_nonsense_is_refused_in_words(
    admin_client: Client, project: Project, fields: dict[str, Any], fault: str
) -> None:
    assert fault in text(add(admin_client, project, **fields))
    assert not Course.objects.exists()


NO_FIELDS = {"main_field": "", "second_field": "", "third_field": ""}


def test_a_course_without_fields_gets_proposed_ones_that_an_editor_confirms(
    admin_client: Client, project: Project
) -> None:
    add(admin_client, project, **NO_FIELDS)
    course = Course.objects.get()
    assert (course.fields, course.fields_proposed) == (["life_science", "nature"], True)
    assert "Confirm the proposed fields" in text(admin_client.get(page(course)))
    assert "Biology; Farming and nature (proposed)" in text(admin_client.get(LIST))

    edit(admin_client, page(course), {**ADD, "name": "Plants"})
    course.refresh_from_db()
    assert course.fields_proposed

    edit(admin_client, page(course), {**ADD, "confirmed": "on"})
    course.refresh_from_db()
    assert (course.fields, course.fields_proposed) == (["life_science", "nature"], False)
    assert "Confirm the proposed fields" not in text(admin_client.get(page(course)))
    assert "(proposed)" not in text(admin_client.get(LIST))


def test_other_fields_replace_a_proposal(admin_client: Client, project: Project) -> None:
    add(admin_client, project, **NO_FIELDS)
    course = Course.objects.get()

    edit(admin_client, page(course), {**ADD, "second_field": "teaching"})

    course.refresh_from_db()
    assert (course.fields, course.fields_proposed) == (["life_science", "teaching"], False)


def test_a_course_without_any_clue_is_refused(admin_client: Client, project: Project) -> None:
    shown = text(add(admin_client, project, **NO_FIELDS, name="Foundation Year"))

    assert "Choose a main field" in shown
    assert not Course.objects.exists()


def test_a_list_of_proposals_is_left_to_check(admin_client: Client, project: Project) -> None:
    CourseFactory.create(project=project, name="Chosen", fields=["art"])
    CourseFactory.create(project=project, name="Guessed", fields=["art"], fields_proposed=True)

    shown = text(admin_client.get(LIST, {"fields_proposed__exact": "1"}))

    assert "Guessed" in shown
    assert "Chosen" not in shown


def test_who_may_only_view_a_course_reads_its_fields(project: Project) -> None:
    course = CourseFactory.create(project=project, fields=["machines", "maths"])
    client = Client()
    client.force_login(staff_with("assessments.view_course"))

    shown = text(client.get(page(course)))

    assert "Machines; Maths" in shown
    assert 'name="main_field"' not in shown


def test_the_page_shows_neighbours_and_sample_students(
    admin_client: Client, bank: ItemBank, project: Project, other_project: Project
) -> None:
    machines = CourseFactory.create(project=project, name="Machines", fields=["machines", "maths"])
    CourseFactory.create(project=project, name="Engines", fields=["machines"])
    CourseFactory.create(project=project, name="Care", fields=["care"])
    CourseFactory.create(project=project, name="Trade", fields=["business"])
    CourseFactory.create(project=project, name="Old", is_active=False)
    CourseFactory.create(project=other_project, name="Theirs")

    shown = text(admin_client.get(page(machines))).split("<h2>Preview</h2>")[1]

    assert "catalogue of 4 courses" in shown
    assert "1 means the same fields" in shown
    assert shown.index("Engines") < shown.index("Trade")
    assert "Old" not in shown
    assert "Theirs" not in shown
    row = re.search(r"Machines</th>\s*<td>(\d+)</td>", shown)
    assert row
    assert row[1] in "12"


def test_by_fields_the_page_shows_who_would_get_the_course(
    admin_client: Client, project: Project
) -> None:
    publish_field_bank()
    machines = CourseFactory.create(project=project, name="Engines", fields=["machines"])
    for field in ("care", "law", "art", "office", "teaching", "writing"):
        CourseFactory.create(project=project, name=field, fields=[field])

    shown = text(admin_client.get(page(machines))).split("<h2>Preview</h2>")[1]

    assert "Who would get this course" in shown
    assert "1 means the same fields" in shown
    assert "mix of interests" not in shown
    row = re.search(r"Machines</th>\s*<td>(\d+)</td>", shown)
    assert row
    assert row[1] == "1"
    assert "with machines, which you enjoy" in shown
    assert "Not among" not in shown


def test_by_fields_a_course_for_nobody_says_what_to_do(
    admin_client: Client, project: Project
) -> None:
    publish_field_bank()
    odd = CourseFactory.create(project=project, name="Odd", fields=["machines", "art", "law"])
    for field in FIELDS:
        CourseFactory.create_batch(6, project=project, fields=[field])

    shown = text(admin_client.get(page(odd))).split("<h2>Preview</h2>")[1]

    assert "Nobody with a single favourite field." in shown
