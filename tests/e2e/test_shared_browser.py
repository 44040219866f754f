from __future__ import annotations

from dataclasses import replace

import pytest

from tests.e2e import rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def test_a_second_student_takes_over_the_browser(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    """On a family's phone a page of the first student never answers for the second."""
    sister = replace(applicant, name="Lakshmi Iyer", email=f"l.{applicant.email}")
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)
    student.choose()
    of_sister = student.new_tab(partner.redirect_url(sister))
    of_sister.consent()
    of_sister.press("Start")
    of_sister.go_to_question(1)

    student.press("Continue")
    refused = student.status, student.heading
    student.press("Go on with the one that is open")

    assert refused == (409, "Another assessment is open in this browser")
    assert (student.kind, student.position) == ("question", 1)
    [first], [second] = rows.attempts(service, applicant), rows.attempts(service, sister)
    assert sorted(rows.choices(service, first)) == [1, 2, 3, 4, 5, 6]
    assert rows.choices(service, second) == {}


def test_leaving_from_the_page_of_another_student_ends_neither(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    sister = replace(applicant, name="Lakshmi Iyer", email=f"l.{applicant.email}")
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)
    student.press("Leave the assessment")
    of_sister = student.new_tab(partner.redirect_url(sister))
    of_sister.consent()
    of_sister.press("Start")

    student.press("Leave the assessment")

    assert student.status == 409
    for who in (applicant, sister):
        [attempt] = rows.attempts(service, who)
        assert attempt["abandoned_at"] is None
