from __future__ import annotations

import re

import pytest

from tests.e2e import rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def test_leaving_deliberately_is_an_abandoned_record(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    link = partner.redirect_url(applicant)
    student.start(link)
    student.go_to_question(7)

    student.leave()

    assert student.kind == "left"
    [record] = partner.assessments(applicant.email)
    assert record["Status"] == "Abandoned"
    assert record["Recommendations"] == []
    assert re.fullmatch(r"\d+m [1-5]?\ds", record["AssessmentDuration"])
    [attempt] = rows.attempts(service, applicant)
    assert attempt["abandoned_at"]
    assert len(rows.choices(service, attempt)) == 6
    # the same words when the link is opened again
    student.open(link)
    assert student.kind == "left"


def test_looking_at_the_leave_page_ends_nothing(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)

    student.press("Leave the assessment")
    asked = student.kind
    student.press("Go back to the questions")

    assert asked == "leave"
    assert student.position == 7
    [attempt] = rows.attempts(service, applicant)
    assert attempt["abandoned_at"] is None


def test_an_answer_after_leaving_changes_nothing(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)
    other_tab = student.new_tab(student.page.url)
    other_tab.choose()
    student.leave()

    other_tab.answer()

    assert other_tab.status == 409
    assert other_tab.kind == "error-409"
    [attempt] = rows.attempts(service, applicant)
    assert len(rows.choices(service, attempt)) == 6


def test_too_late_to_finish(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    """An attempt that ran out is Abandoned at once, and what was answered is kept."""
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)
    student.choose()
    service.rows(
        "UPDATE assessments_assessment SET started_at = '2026-01-01 10:00:00+00:00',"
        " finish_by_at = '2026-01-02 10:00:00+00:00' WHERE id = %s",
        (rows.attempts(service, applicant)[0]["id"],),
    )

    student.press("Continue")

    assert student.status == 409
    [record] = partner.assessments(applicant.email)
    assert (record["Status"], record["Recommendations"]) == ("Abandoned", [])
    [attempt] = rows.attempts(service, applicant)
    assert attempt["completed_at"] is None
    assert attempt["abandoned_at"] is None
    assert len(rows.choices(service, attempt)) == 6
    student.press("See what you can do")
    assert (student.status, student.kind) == (410, "link-unavailable")
