"""A course previewed before it is saved; its list; and what of it is in the audit trail."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessments.models import Course, ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.course_form import ADD, add, page, text
from tests.factories import CourseFactory, UserFactory
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db


def preview_typed(admin_client: Client, address: str, **fields: Any) -> str:
    return text(edit(admin_client, address, {**ADD, **fields}, "_preview"))


def test_what_is_typed_can_be_previewed_before_it_is_saved(
    admin_client: Client, bank: ItemBank, project: Project
) -> None:
    course = CourseFactory.create(project=project, name="Machines", code="BOT")
    CourseFactory.create(project=project, name="Care", fields=["care"])
    before = Course.objects.filter(pk=course.pk).values().get()
    liked = {"main_field": "care", "second_field": ""}

    shown = preview_typed(admin_client, page(course), name="Helping", **liked)

    preview = shown.split("<h2>Preview</h2>")[1]
    assert Course.objects.filter(pk=course.pk).values().get() == before
    assert "This preview shows your edits. Nothing is saved yet." in preview
    assert "Care: 1.00" in preview
    assert 'value="Helping"' in shown
    assert "errornote" not in shown
    assert not AuditEvent.objects.filter(action__startswith="courses.").exists()


def test_a_course_never_moves_to_another_project(
    admin_client: Client, project: Project, other_project: Project
) -> None:
    course = CourseFactory.create(project=project)

    edit(admin_client, page(course), {**ADD, "project": other_project.pk})

    course.refresh_from_db()
    assert (course.project, course.name) == (project, "Botany")


def test_each_act_on_a_course_is_in_the_trail(admin_client: Client, project: Project) -> None:
    add(admin_client, project)
    course = Course.objects.get()
    edit(admin_client, page(course), {**ADD, "name": "Plants", "order": "2"})

    events = AuditEvent.objects.filter(action__startswith="courses.").order_by("pk")
    assert list(events.values_list("action", "reason", "project")) == [
        ("courses.added", "BOT", project.pk),
        ("courses.changed", "BOT: name, order", project.pk),
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
