"""What support does about an attempt: closing it, and what holds for every act."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from assessments.admin.reasons import ReasonAboutForm
from assessments.models import Assessment, AssessmentLink, Student
from assessments.models.attempts import AttemptEnded, End
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    copies,
    issue,
    last_choices,
    last_page,
    started,
    use,
)
from tests.assessments.link_acts import STAFF, VIEW, WHY, address, hidden, press
from tests.factories import staff_with
from tests.support.browser import Browser
from tests.support.threads import race

pytestmark = pytest.mark.usefixtures("bank")


def test_an_open_attempt_is_closed(support: Client, project: Project) -> None:
    attempt = answer_until(started(project), 12)

    response = press(support, address("close", attempt))

    attempt.refresh_from_db()
    event = AuditEvent.objects.get(action="assessment.closed")
    page = support.get(response.headers["Location"]).content.decode()
    assert attempt.abandoned_at is not None
    assert attempt.how_it_ended() == "closed by support"
    assert (event.object_id, event.project, event.reason) == (
        attempt.assessment_id, project, WHY,
    )  # fmt: skip
    assert "Support closed the attempt" in page
    assert WHY in page


def test_what_support_closed_does_not_tell_the_student_that_they_left(
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
    assert attempt.end_at() == End.LEFT
    page = support.get(response.headers["Location"]).content.decode()
    assert "has ended (left by the student)" in page
    assert not AuditEvent.objects.filter(action="assessment.closed").exists()


@pytest.mark.django_db(transaction=True)
def test_closing_and_completing_at_one_moment_have_one_winner(project: Project) -> None:
    first = at_last_page(started(project))
    for attempt in [first, *copies(first, 11)]:
        choices = last_choices(attempt)

        def complete(attempt: Assessment = attempt, choices: dict[int, int] = choices) -> Any:
            mine = Assessment.objects.get(pk=attempt.pk)
            return mine.record(last_page(mine), choices)

        def close(attempt: Assessment = attempt) -> bool:
            return Assessment.objects.get(pk=attempt.pk).close(reason=WHY, actor=STAFF)

        completed, closed = race([complete, close])

        attempt.refresh_from_db()
        events = AuditEvent.objects.about(attempt).filter(action="assessment.closed").count()
        assert closed is (attempt.abandoned_at is not None)
        assert isinstance(completed, AttemptEnded) is closed
        assert (attempt.completed_at is None) is closed
        assert events == int(closed)


@pytest.mark.parametrize("act", ["issue", "close", "extend"])
def test_each_act_needs_a_reason_and_its_right(support: Client, project: Project, act: str) -> None:
    attempt = started(project)
    url = address(act, attempt.student if act == "issue" else attempt)
    reader = Client()
    reader.force_login(staff_with(*VIEW))
    before = (Assessment.objects.values().get(), AssessmentLink.objects.count())

    nameless = support.post(url, {**hidden(support, url), "days": "7", "reason": " "})

    read = AuditEvent.objects.filter(action="student.read").newest_first()[0]
    assert read.object_id == f"student-{attempt.student_id}"
    assert attempt.student.email in nameless.content.decode()
    assert nameless.status_code == 200
    assert "This field is required" in nameless.content.decode()
    assert reader.get(url).status_code == reader.post(url, {"reason": WHY}).status_code == 403
    assert (Assessment.objects.values().get(), AssessmentLink.objects.count()) == before


@pytest.mark.parametrize("act", ["issue", "close", "extend"])
def test_a_number_that_nobody_has_is_a_page_of_the_admin(support: Client, act: str) -> None:
    model = "student" if act == "issue" else "assessment"
    for number in (10**9, 10**30):
        url = f"/admin/assessments/{model}/{number}/{act}/"
        response = support.get(url)
        assert response.status_code == 404
        assert "Page not found" in response.content.decode()


def test_pages_show_the_buttons_of_what_can_be_done(support: Client, project: Project) -> None:
    attempt = started(project)
    link = AssessmentLink.objects.get()
    reader = Client()
    reader.force_login(staff_with(*VIEW))
    acts = [
        address("issue", attempt.student),
        address("close", attempt),
        address("extend", attempt),
    ]

    for row in (attempt.student, link, attempt):
        html = support.get(address("change", row)).content.decode()
        assert all(f'href="{act}"' in html for act in acts)
        bare = reader.get(address("change", row)).content.decode()
        assert not any(f'href="{act}"' in bare for act in acts)
    attempt.abandon()

    html = support.get(address("change", link)).content.decode()

    assert [f'href="{act}"' in html for act in acts] == [True, False, False]


def test_a_link_that_staff_issued_says_who_and_why(support: Client, project: Project) -> None:
    student = issue(project)[0].student
    press(support, address("issue", student))
    link = AssessmentLink.objects.latest("pk")

    html = support.get(address("change", link)).content.decode()

    assert WHY in html
    assert use(link).links.get() == link


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


@pytest.mark.parametrize("act", ["close", "extend"])
def test_an_attempt_that_was_purged_meanwhile_is_told_on_the_list(
    support: Client, project: Project, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = started(project)
    url = address(act, attempt)
    fields = {**hidden(support, url), "reason": WHY, "days": "7"}
    look = ReasonAboutForm.is_valid

    def is_valid(form: ReasonAboutForm) -> bool:
        valid = look(form)
        AssessmentLink.objects.all().delete()
        Assessment.objects.all().delete()
        return valid

    monkeypatch.setattr(ReasonAboutForm, "is_valid", is_valid)

    response = support.post(url, fields, follow=True)

    assert response.redirect_chain == [("/admin/assessments/assessment/", 302)]
    assert "was deleted when its retention time ended" in response.content.decode()
