"""What support does about an attempt: closing it, and what holds for every act."""

from __future__ import annotations

import pytest
from django.test import Client

from assessments.admin.confirmed_actions import ReasonAboutForm
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.ends import End
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    answer_until,
    how_ended,
    started,
)
from tests.assessments.link_actions import STAFF, WHY, address, hidden, press
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


def test_an_open_attempt_is_closed(support: Client, project: Project) -> None:
    attempt = answer_until(started(project), 12)

    response = press(support, address("close", attempt))

    attempt.refresh_from_db()
    event = AuditEvent.objects.get(action="assessment.closed")
    page = support.get(response.headers["Location"]).content.decode()
    assert attempt.abandoned_at is not None
    assert how_ended(attempt) == End.CLOSED
    assert (event.object_id, event.project, event.reason) == (
        attempt.assessment_id, project, WHY,
    )  # fmt: skip
    assert WHY in page


def test_an_attempt_closed_by_support_does_not_say_the_student_left(
    attempt: Assessment, browser: Browser
) -> None:
    attempt.close(reason=WHY, actor=STAFF)

    page = browser.get(f"/{attempt.project.project_id}/assessment")

    assert page.status == 410
    assert page.name == "link-unavailable"


def test_what_has_ended_is_not_closed(support: Client, project: Project) -> None:
    attempt = started(project)
    attempt.abandon()
    before = Assessment.objects.values().get()

    response = support.post(address("close", attempt), {"reason": WHY})

    assert attempt.close(reason=WHY, actor=STAFF) is False
    assert Assessment.objects.values().get() == before
    attempt.refresh_from_db()
    assert how_ended(attempt) == End.LEFT
    page = support.get(response.headers["Location"]).content.decode()
    assert "has ended (left by the student)" in page
    assert not AuditEvent.objects.filter(action="assessment.closed").exists()


@pytest.mark.parametrize("act", ["issue", "close", "extend"])
def test_each_act_needs_a_reason(support: Client, project: Project, act: str) -> None:
    attempt = started(project)
    url = address(act, attempt.student if act == "issue" else attempt)
    before = (Assessment.objects.values().get(), AssessmentLink.objects.count())

    nameless = support.post(url, {**hidden(support, url), "days": "7", "reason": " "})

    read = AuditEvent.objects.filter(action="student.read").newest_first()[0]
    assert read.object_id == f"student-{attempt.student_id}"
    assert attempt.student.email in nameless.content.decode()
    assert nameless.status_code == 200
    assert (Assessment.objects.values().get(), AssessmentLink.objects.count()) == before


def test_a_student_who_was_renamed_meanwhile_is_not_named_in_the_trail(
    support: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the form's look and the act a call of the partner can give another name."""
    attempt = started(project)
    look = ReasonAboutForm.is_valid

    def is_valid(form: ReasonAboutForm) -> bool:
        valid = look(form)
        Student.objects.filter(pk=attempt.student_id).update(name="Meenakshi Iyer")
        form.student.refresh_from_db()
        return valid

    monkeypatch.setattr(ReasonAboutForm, "is_valid", is_valid)
    url = address("close", attempt)

    response = support.post(url, {"reason": "the mother of Meenakshi asked"}, follow=True)

    assert response.status_code == 200
    assert "Nothing was changed" in response.content.decode()
    attempt.refresh_from_db()
    assert attempt.abandoned_at is None
    assert not AuditEvent.objects.filter(action="assessment.closed").exists()
