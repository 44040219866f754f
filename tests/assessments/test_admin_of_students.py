"""What staff see of students, links, attempts and banks, what they cannot change, and the trail."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Course, Item, ItemBank, Student
from partners.models import AuditEvent
from tests.assessments.attempts import (
    answer_until,
    completed,
    issue,
    marked_completed,
    started,
    use,
)
from tests.assessments.link_actions import VIEW
from tests.factories import CourseFactory

OF_STUDENTS = (Student, AssessmentLink, Assessment)
READ_ONLY = (*OF_STUDENTS, ItemBank, Item)
MODELS = (*READ_ONLY, Course)

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.fixture
def row_of(project):
    """Give a row of each model; the attempt is completed."""
    course = CourseFactory.create(project=project, name="Botany")
    link, _ = issue(project)
    attempt = completed(use(link))
    item = attempt.bank.item_set.get(code="int-vegetables")
    return {type(row): row for row in (link.student, link, attempt, attempt.bank, item, course)}


def url(model, page, *args):
    return reverse(f"admin:assessments_{model.__name__.lower()}_{page}", args=args)


def text(response):
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.sqlite
def test_lists_and_pages_open(row_of, admin_client):
    for model in MODELS:
        listed = admin_client.get(url(model, "changelist"))
        shown = admin_client.get(url(model, "change", row_of[model].pk))

        assert str(row_of[model].pk) in text(listed), model
        assert text(shown), model
        assert listed.headers["Cache-Control"] != "public"
        assert "unsafe" not in shown.headers["Content-Security-Policy"]


@pytest.mark.sqlite
def test_rows_are_not_writable(row_of, admin_client, rows):
    for model in READ_ONLY:
        pk, before = row_of[model].pk, rows(*READ_ONLY)
        fields = {field.name: "1" for field in model._meta.fields}  # type: ignore[attr-defined]

        responses = [
            admin_client.get(url(model, "add")),
            admin_client.post(url(model, "add"), fields),
            admin_client.post(url(model, "change", pk), {**fields, "_save": "Save"}),
            admin_client.get(url(model, "delete", pk)),
            admin_client.post(url(model, "delete", pk), {"post": "yes"}),
        ]
        delete = {"action": "delete_selected", "_selected_action": [pk], "post": "yes"}
        admin_client.post(url(model, "changelist"), delete)

        assert [response.status_code for response in responses] == [403] * 5, model
        assert rows(*READ_ONLY) == before
    assert not LogEntry.objects.exists()


def test_attempts_can_be_picked_by_status(project, admin_client):
    names = ("done", "left", "running")
    attempts = {name: started(project, email=f"{name}@example.com") for name in names}
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


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_list_takes_no_search_and_no_order(project, admin_client, model):
    _, link = issue(project)
    for number in range(2):
        started(project, email=f"s{number}@example.com")
    events, address = AuditEvent.objects.count(), url(model, "changelist")

    for sought in (link, "asha.rao@example.com"):
        plain = admin_client.get(address, {"q": sought})
        chosen = admin_client.get(address, {"q": sought, "project": project.pk})

        assert (plain.status_code, chosen.status_code) == (302, 302)
        assert plain.headers["Location"] == address
        assert chosen.headers["Location"] == f"{address}?project={project.pk}"
        assert not plain.content + chosen.content
    assert AuditEvent.objects.count() == events
    for order in ("1", "-2", "2.3"):
        page = admin_client.get(address, {"o": order})
        keys = [row.pk for row in page.context["cl"].result_list]
        assert keys == sorted(keys, reverse=True)
        assert len(keys) > 1


def test_outcomes_need_a_right(row_of, staff):
    address = url(Assessment, "change", row_of[Assessment].pk)
    reader = staff("assessments.view_assessment")

    without = text(reader.get(address))
    listed = text(reader.get(url(Assessment, "changelist"), {"answers": "flagged"}))
    seen = text(staff("assessments.view_assessment", "assessments.view_answer").get(address))

    assert "Your role does not allow you to see outcomes." in without
    assert "Botany" not in without
    assert "nothing unusual" not in without
    assert row_of[Assessment].assessment_id in listed
    assert "Read with care" not in listed
    assert "Botany" in seen


def test_long_lists_ask_as_many_questions_as_short_ones(
    row_of, project, admin_client, django_assert_max_num_queries
):
    for number in range(12):
        CourseFactory.create(project=project)
        answer_until(started(project, email=f"{number}@example.com"), 6)

    for model in MODELS:
        admin_client.get(url(model, "changelist"))
        with django_assert_max_num_queries(12):
            admin_client.get(url(model, "changelist"))


# Reading is recorded


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_reader_of_a_page_or_a_list_is_in_the_audit_trail(project, staff, model):
    attempt = started(project)
    row = model.objects.get()
    for number in range(2):
        started(project, email=f"s{number}@example.com")
    reader, before = staff(*VIEW), AuditEvent.objects.count()

    reader.get(url(model, "change", row.pk))
    reader.get(url(model, "changelist"))
    reader.get(url(model, "changelist"), {"project": "no such project"})

    number, name = reader.session["_auth_user_id"], str(model._meta.verbose_name)
    events = AuditEvent.objects.order_by("pk")[before:]
    assert {event.actor for event in events} == {f"staff:{number}"}
    assert [(e.action, e.object_id, e.project, e.reason) for e in events] == [
        ("student.read", f"student-{attempt.student_id}", project, f"looked at: {row}"),
        ("student.listed", f"user-{number}", None, f"{name}: 3 rows"),
        ("student.listed", f"user-{number}", None, f"{name}: 0 rows"),
    ]


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_refused_reader_is_recorded_as_refused_and_nobody_without_signing_in(
    project, staff, model
):
    started(project)
    page = url(model, "change", model.objects.get().pk)
    without, before = staff(), AuditEvent.objects.count()

    for client, address in ((without, page), (without, url(model, "changelist")), (Client(), page)):
        client.get(address)

    refused = AuditEvent.objects.order_by("pk")[before:]
    assert [event.action for event in refused] == ["staff.refused"] * 2
