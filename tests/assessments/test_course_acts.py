"""A course previewed before it is saved; its list; and what of it is in the audit trail."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assessments.measurement.scales import INTERESTS
from assessments.models import Course, ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.course_form import ADD, add, page, text
from tests.factories import CourseFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


def preview_typed(staff: Client, address: str, **fields: Any) -> str:
    return text(staff.post(address, {**ADD, **fields, "_preview": "Preview"}))


def test_what_is_typed_can_be_previewed_before_it_is_saved(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    course = CourseFactory.create(project=project, name="Machines", code="BOT")
    CourseFactory.create(project=project, name="Care", realistic=0, social=3)
    before = Course.objects.filter(pk=course.pk).values().get()
    liked = dict.fromkeys(INTERESTS, "0") | {"social": "3"}

    shown = preview_typed(staff, page(course), name="Helping", **liked)

    preview = shown.split("<h2>Preview</h2>")[1]
    assert Course.objects.filter(pk=course.pk).values().get() == before
    assert "This is what you have typed. Nothing is saved yet." in preview
    assert "Care: 1.00" in preview
    assert 'value="Helping"' in shown
    assert "errornote" not in shown
    assert not AuditEvent.objects.filter(action__startswith="courses.").exists()


def test_a_new_course_can_be_previewed_before_it_is_saved(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    CourseFactory.create(project=project, name="Care", realistic=0, social=3)

    shown = preview_typed(staff, reverse("admin:assessments_course_add"), project=project.pk)

    assert Course.objects.count() == 1
    assert "catalogue of 2 courses" in shown
    assert "Six sample students" in shown


def test_errors_come_before_a_preview(staff: Client, bank: ItemBank, project: Project) -> None:
    course = CourseFactory.create(project=project)

    shown = preview_typed(staff, page(course), name="")

    assert "There is no preview of a course with errors" in shown
    assert "This field is required." in shown
    assert "Six sample students" not in shown


def test_a_course_never_moves_to_another_project(
    staff: Client, project: Project, other_project: Project
) -> None:
    course = CourseFactory.create(project=project)

    staff.post(page(course), {**ADD, "project": other_project.pk})

    course.refresh_from_db()
    assert (course.project, course.name) == (project, "Botany")


def test_the_list_is_narrowed_to_a_project_in_staff_order(
    staff: Client, project: Project, other_project: Project
) -> None:
    CourseFactory.create(project=project, name="Second", order=2)
    CourseFactory.create(project=project, name="First", order=1)
    CourseFactory.create(project=other_project, name="Theirs")
    address = reverse("admin:assessments_course_changelist")

    shown = text(staff.get(address, {"project": project.pk}))

    assert shown.index("First") < shown.index("Second")
    assert "Theirs" not in shown
    assert reverse("admin:assessments_course_catalogue", args=[project.pk]) in shown
    assert "catalogue" not in text(staff.get(address))


def test_each_act_on_a_course_is_in_the_trail(staff: Client, project: Project) -> None:
    add(staff, project)
    course = Course.objects.get()
    staff.post(page(course), {**ADD, "name": "Plants", "social": "1"})

    events = AuditEvent.objects.filter(action__startswith="courses.").order_by("pk")
    assert list(events.values_list("action", "reason", "project")) == [
        ("courses.added", "BOT", project.pk),
        ("courses.changed", "BOT: name, social", project.pk),
    ]


def test_a_course_is_made_inactive_and_never_deleted(project: Project) -> None:
    course = CourseFactory.create(project=project)
    whole = UserFactory.create(is_superuser=True)
    client = Client()
    client.force_login(whole)
    delete = reverse("admin:assessments_course_delete", args=[course.pk])
    listing = reverse("admin:assessments_course_changelist")

    assert client.post(delete, {"post": "yes"}).status_code == 403
    sent = {"action": "delete_selected", "_selected_action": [course.pk], "post": "yes"}
    client.post(listing, sent)
    assert Course.objects.filter(pk=course.pk).exists()
    assert "delete" not in text(client.get(listing)).lower()
    assert delete not in text(client.get(page(course)))


def test_the_top_of_a_refused_form_says_how_many_errors_and_leads_to_each(
    staff: Client, project: Project
) -> None:
    course = CourseFactory.create(project=project)

    shown = text(staff.post(page(course), {**ADD, "name": "", "order": "x"}))

    assert "Nothing was saved: there are 2 errors." in shown
    assert '<a href="#id_name">Name</a>' in shown
    assert '<a href="#id_order">Order</a>' in shown
    assert 'href="#id_code"' not in shown


def test_a_rating_that_there_is_not_is_refused_in_words(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    course = CourseFactory.create(project=project, realistic=3)

    shown = text(staff.post(page(course), {**ADD, "realistic": "9"}))

    assert "Nothing was saved: there is 1 error." in shown
    assert "There is no preview of a course with errors" in shown
    course.refresh_from_db()
    assert course.realistic == 3
