"""What support staff see of links, attempts, courses and banks, and what they cannot change."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Course, Item, ItemBank, Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    answer_until,
    completed,
    issue,
    marked_completed,
    started,
    use,
)
from tests.factories import CourseFactory, staff_with

OF_STUDENTS = (Student, AssessmentLink, Assessment)
READ_ONLY = (*OF_STUDENTS, ItemBank, Item)
MODELS = (*READ_ONLY, Course)

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def rows(project: Project) -> dict[type, Any]:
    """Give a row of each model; the attempt is completed."""
    course = CourseFactory.create(project=project, name="Botany")
    link, _ = issue(project, name="Asha Rao", email="asha@example.com")
    attempt = completed(use(link))
    return {
        Student: link.student,
        AssessmentLink: link,
        Assessment: attempt,
        ItemBank: attempt.bank,
        Item: attempt.bank.item_set.get(code="int-vegetables"),
        Course: course,
    }


def url(model: type, page: str, *args: Any) -> str:
    return reverse(f"admin:assessments_{model.__name__.lower()}_{page}", args=args)


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return response.content.decode()


def test_lists_and_pages_open(rows: dict[type, Any], admin_client: Client) -> None:
    for model in MODELS:
        listed = admin_client.get(url(model, "changelist"))
        shown = admin_client.get(url(model, "change", rows[model].pk))

        assert str(rows[model].pk) in text(listed), model
        assert text(shown), model
        assert listed.headers["Cache-Control"] != "public"
        assert "unsafe" not in shown.headers["Content-Security-Policy"]


def test_what_the_service_makes_cannot_be_written(
    rows: dict[type, Any], admin_client: Client
) -> None:
    for model in READ_ONLY:
        before = list(model._default_manager.order_by("pk").values())  # type: ignore[attr-defined]
        fields = {field.name: "1" for field in model._meta.fields}  # type: ignore[attr-defined]

        responses = [
            admin_client.get(url(model, "add")),
            admin_client.post(url(model, "add"), fields),
            admin_client.post(url(model, "change", rows[model].pk), {**fields, "_save": "Save"}),
            admin_client.get(url(model, "delete", rows[model].pk)),
            admin_client.post(url(model, "delete", rows[model].pk), {"post": "yes"}),
        ]
        admin_client.post(
            url(model, "changelist"),
            {"action": "delete_selected", "_selected_action": [rows[model].pk], "post": "yes"},
        )

        assert [response.status_code for response in responses] == [403] * 5, model
        assert list(model._default_manager.order_by("pk").values()) == before  # type: ignore[attr-defined]
    assert not LogEntry.objects.exists()


def test_attempts_can_be_picked_by_status(project: Project, admin_client: Client) -> None:
    emails = {name: f"{name}@example.com" for name in ("done", "left", "running")}
    attempts = {name: started(project, email=email) for name, email in emails.items()}
    marked_completed(attempts["done"])
    attempts["left"].abandon()

    for status, found in {
        "completed": {"done"},
        "abandoned": {"left"},
        "open": {"running"},
        "": set(attempts),
        "delete": set(attempts),
    }.items():
        chosen = {"status": status} if status else {}
        listed = text(admin_client.get(url(Assessment, "changelist"), chosen))
        assert {name for name, a in attempts.items() if a.assessment_id in listed} == found, status
    assert Assessment.objects.count() == 3


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_list_of_students_keeps_no_search_in_its_address(
    project: Project, admin_client: Client, model: type
) -> None:
    _, link = issue(project)
    events = AuditEvent.objects.count()

    for sought in (link, "asha.rao@example.com"):
        plain = admin_client.get(url(model, "changelist"), {"q": sought})
        chosen = admin_client.get(url(model, "changelist"), {"q": sought, "project": project.pk})

        assert (plain.status_code, chosen.status_code) == (302, 302)
        assert plain.headers["Location"] == url(model, "changelist")
        assert chosen.headers["Location"] == f"{url(model, 'changelist')}?project={project.pk}"
        assert not plain.content + chosen.content
    assert AuditEvent.objects.count() == events


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_lists_of_students_are_sorted_by_no_column(
    rows: dict[type, Any], project: Project, admin_client: Client, model: type
) -> None:
    started(project, email="another@example.com")

    pages = [
        admin_client.get(url(model, "changelist"), {"o": order}) for order in ("1", "-2", "2.3")
    ]

    for page in pages:
        keys = [row.pk for row in page.context["cl"].result_list]
        assert keys == sorted(keys, reverse=True)


def test_without_the_right_to_outcomes_a_page_shows_none(rows: dict[type, Any]) -> None:
    reader = Client()
    reader.force_login(staff_with("assessments.view_assessment"))
    address = url(Assessment, "change", rows[Assessment].pk)

    without = text(reader.get(address))
    listed = text(reader.get(url(Assessment, "changelist"), {"answers": "flagged"}))
    reader.force_login(staff_with("assessments.view_assessment", "assessments.view_answer"))
    seen = text(reader.get(address))

    assert "Your role does not allow you to see outcomes." in without
    assert "Botany" not in without
    assert "nothing unusual" not in without
    assert rows[Assessment].assessment_id in listed
    assert "Read with care" not in listed
    assert "Botany" in seen


def test_long_lists_ask_as_many_questions_as_short_ones(
    rows: dict[type, Any],
    project: Project,
    admin_client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    for number in range(12):
        CourseFactory.create(project=project)
        answer_until(started(project, email=f"{number}@example.com"), 6)

    for model in MODELS:
        admin_client.get(url(model, "changelist"))
        with django_assert_max_num_queries(12):
            admin_client.get(url(model, "changelist"))
