"""The doors of the admin to erasure and export: who may, what is said, what is sent."""

from __future__ import annotations

import csv
import io

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessments.models import Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import answer_until, issue, marked_completed, started
from tests.factories import staff_with

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def student(project: Project) -> Student:
    marked_completed(started(project))
    answer_until(started(project), 6)
    issue(project)
    return Student.objects.get()


def client(*permissions: str) -> Client:
    staff = Client()
    staff.force_login(staff_with(*permissions))
    return staff


def eraser() -> Client:
    return client("assessments.view_student", "assessments.erase_student")


def erase_address(student: Student) -> str:
    return reverse("admin:assessments_student_erase", args=[student.pk])


def export_address(project: Project) -> str:
    return reverse("admin:assessments_figures_export", args=[project.pk])


# --- erasure


def test_the_page_says_what_will_happen_and_changes_nothing(student: Student) -> None:
    page = eraser().get(erase_address(student))

    text = page.content.decode()
    assert page.status_code == 200
    assert "asha.rao@example.com" in text
    assert "mobile number of the student and of 3 links." in text
    assert "Ended: 1 link that can still be started, and 1 open attempt." in text
    assert "Kept without a name, for statistics: 2 attempts with 6 answers" in text
    assert "cannot be undone" in text
    assert not Student.objects.get().is_erased
    assert "no-store" in page.headers["Cache-Control"]


def test_the_button_erases_and_leads_to_the_receipt(student: Student) -> None:
    staff = eraser()

    done = staff.post(erase_address(student), {"reason": "asked for by letter"})

    student.refresh_from_db()
    assert (done.status_code, done.headers["Location"]) == (302, erase_address(student))
    event = AuditEvent.objects.get(action="student.erased")
    assert event.reason == f"{student.receipt}: asked for by letter"
    assert event.actor.startswith("staff:")
    text = staff.get(erase_address(student)).content.decode()
    assert f">{student.receipt}</code>" in text
    assert f"{timezone.now():%Y-%m-%d}" in text
    assert "links 3, attempts 2" in text
    assert "asha" not in text.lower()


def test_sent_twice_it_gives_the_same_receipt(student: Student) -> None:
    staff = eraser()
    staff.post(erase_address(student), {"reason": "letter"})
    receipt = Student.objects.get().receipt

    again = staff.post(erase_address(student), {"reason": "letter"})

    assert receipt in again.content.decode()
    assert AuditEvent.objects.filter(action="student.erased").count() == 1


def test_a_reason_with_an_address_or_a_number_comes_back(student: Student) -> None:
    for reason in ("someone@example.net asked", "call 080 2345678"):
        page = eraser().post(erase_address(student), {"reason": reason})

        assert "Do not write e-mail addresses or phone numbers here" in page.content.decode()
    assert not Student.objects.get().is_erased


def test_looking_at_the_page_is_written_down(student: Student) -> None:
    eraser().get(erase_address(student))

    event = AuditEvent.objects.get(action="student.read")
    assert (event.object_id, event.project) == (f"student-{student.pk}", student.project)


@pytest.mark.parametrize("method", ["get", "post"])
def test_only_with_the_right(student: Student, method: str) -> None:
    staff = client("assessments.view_student", "assessments.export_results")

    refused = getattr(staff, method)(erase_address(student), {"reason": "letter"})

    assert refused.status_code == 403
    assert not Student.objects.get().is_erased


# --- export


def exporter() -> Client:
    return client("assessments.export_results")


def body(response: object) -> str:
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response).decode()  # type: ignore[arg-type]


def test_csv_is_streamed_as_a_file(student: Student, project: Project) -> None:
    answer = exporter().post(export_address(project), {"file": "csv", "since": ""})

    rows = list(csv.DictReader(io.StringIO(body(answer).removeprefix("\ufeff"), newline="")))
    assert [row["email"] for row in rows] == ["asha.rao@example.com"]
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    today = f"{timezone.now():%Y-%m-%d}"
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="results-{project.project_id}-{today}.csv"'
    )
    event = AuditEvent.objects.get(action="results.exported")
    assert event.reason == "csv, attempts 1"
    assert event.actor.startswith("staff:")


@pytest.mark.parametrize("sent", [{"file": ""}, {"file": "xlsx"}, {"file": "csv", "since": "soon"}])
def test_what_is_not_offered_comes_back(
    student: Student, project: Project, sent: dict[str, str]
) -> None:
    page = exporter().post(export_address(project), sent)

    assert page.status_code == 200
    assert "Please correct the error below." in page.content.decode()
    assert not AuditEvent.objects.filter(action="results.exported").exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_nothing_is_exported_without_the_right(
    student: Student, project: Project, method: str
) -> None:
    staff = client("assessments.view_assessment", "assessments.view_answer")

    refused = getattr(staff, method)(export_address(project), {"file": "csv"})

    assert refused.status_code == 403
    assert not AuditEvent.objects.filter(action="results.exported").exists()


def test_a_project_id_from_elsewhere_is_safe_in_a_file_name(
    student: Student, project: Project
) -> None:
    Project.objects.update(project_id='a"; x=\r\n/../b')

    answer = exporter().post(export_address(project), {"file": "csv"})

    assert 'filename="results-axb-' in answer.headers["Content-Disposition"]
