"""The specification's two integration patterns, each played whole from outside."""

from __future__ import annotations

import csv
import re

import pytest

from tests.e2e import rows
from tests.e2e.conftest import CATALOGUE, NewStudent
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow

RECORD = ["AssessmentDuration", "AssessmentId", "Recommendations", "Status"]


def check_completed(record: dict[str, object], shown: list[str]) -> None:
    """Compare a record with the specification and with what the student saw."""
    with CATALOGUE.open(newline="") as file:
        offered = {row["name"] for row in csv.DictReader(file)}
    assert sorted(record) == RECORD
    assert re.fullmatch(r"asm_[A-Za-z0-9]{16}", str(record["AssessmentId"]))
    assert record["Status"] == "Completed"
    assert re.fullmatch(r"\d+m [1-5]?\ds", str(record["AssessmentDuration"]))
    assert record["Recommendations"] == shown
    assert shown
    assert len(set(shown)) == len(shown)
    assert set(shown) <= offered


def test_pattern_a_assessment_before_application(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    """The student registers, takes the assessment, and goes on to the application form."""
    link = partner.redirect_url(applicant)
    nothing_yet = partner.assessments(applicant.email)
    student.start(link)
    while_in_progress = partner.assessments(applicant.email)
    student.answer_to_the_end()
    # the courses that the application form offers
    [record] = partner.assessments(applicant.email)

    assert re.fullmatch(
        rf"{service.url}/{partner.project_id}/assessment\?token=[A-Za-z0-9_-]{{43}}", link
    )
    assert nothing_yet == []
    assert while_in_progress == []
    check_completed(record, student.recommended)
    [row] = rows.attempts(service, applicant)
    assert row["assessment_id"] == record["AssessmentId"]
    assert row["completed_at"]
    assert not row["abandoned_at"]


@pytest.mark.sqlite
def test_pattern_b_assessment_after_payment(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    """The link is asked for again after the payment went through; scripts are off."""
    partner.redirect_url(applicant)
    after_payment = partner.redirect_url(applicant)
    student = new_student(java_script_enabled=False)

    student.start(after_payment)
    student.answer_to_the_end()

    [record] = partner.assessments(applicant.email.upper())
    check_completed(record, student.recommended)
    assert [bool(link["used_at"]) for link in rows.links(service, applicant)] == [False, True]
