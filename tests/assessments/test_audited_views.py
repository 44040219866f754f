"""Whoever reads what is known of a student leaves a line in the audit trail, and names nobody."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import started
from tests.factories import staff_with

MODELS = (Student, AssessmentLink, Assessment)

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def reader(db: None) -> User:
    return staff_with(*(f"assessments.view_{model._meta.model_name}" for model in MODELS))


@pytest.fixture
def staff(reader: User) -> Client:
    client = Client()
    client.force_login(reader)
    return client


def address(model: type[Any], page: str, *args: Any) -> str:
    return reverse(f"admin:assessments_{model._meta.model_name}_{page}", args=args)


def new_events(before: int) -> list[AuditEvent]:
    return list(AuditEvent.objects.order_by("pk")[before:])


@pytest.mark.parametrize("model", MODELS)
def test_a_page_is_one_line_about_its_student(
    project: Project, staff: Client, reader: User, model: type[Any]
) -> None:
    attempt = started(project)
    row = model.objects.get()
    before = AuditEvent.objects.count()

    assert staff.get(address(model, "change", row.pk)).status_code == 200

    (event,) = new_events(before)
    assert event.action == "student.read"
    assert event.object_id == f"student-{attempt.student_id}"
    assert event.project == project
    assert event.actor == f"staff:{reader.pk}"
    assert event.reason == f"looked at: {row}"


@pytest.mark.parametrize("model", MODELS)
def test_a_list_is_one_line_with_how_many_it_showed(
    project: Project, staff: Client, reader: User, model: type[Any]
) -> None:
    for number in range(3):
        started(project, email=f"s{number}@example.com")
    before = AuditEvent.objects.count()

    staff.get(address(model, "changelist"))
    staff.get(address(model, "changelist"), {"project": "no such project"})

    name = str(model._meta.verbose_name)
    assert [(e.action, e.object_id, e.reason) for e in new_events(before)] == [
        ("student.listed", f"user-{reader.pk}", f"{name}: 3 rows"),
        ("student.listed", f"user-{reader.pk}", f"{name}: 0 rows"),
    ]


@pytest.mark.parametrize("model", MODELS)
def test_what_shows_nobody_leaves_no_line(project: Project, model: type[Any]) -> None:
    started(project)
    row = model.objects.get()
    without = Client()
    without.force_login(staff_with())
    before = AuditEvent.objects.count()

    without.get(address(model, "change", row.pk))
    without.get(address(model, "changelist"))
    Client().get(address(model, "change", row.pk))

    # It says that they were refused, not that they read.
    refused = AuditEvent.objects.order_by("pk")[before:]
    assert [event.action for event in refused] == ["staff.refused"] * 2
