"""A student under 18, with scripts off, at a college that asks for a guardian."""

from __future__ import annotations

import pytest

from tests.e2e import rows
from tests.e2e.conftest import NewStudent, onboard
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow

GUARDIAN, CONTACT = "Lakshmi Venkataraman", "lakshmi.v@example.org"


@pytest.fixture(scope="module")
def partner(service: Service) -> PartnerBackend:
    """Give a partner whose project asks the age."""
    partner = onboard(service, "Junior College")
    service.rows(
        "UPDATE partners_project SET consent_mode = 'ask' WHERE project_id = %s",
        (partner.project_id,),
    )
    return partner


def shown_errors(student: Student) -> list[str]:
    return student.page.locator("form .error").all_inner_texts()


def test_a_minor_starts_once_a_guardian_is_named(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    logged_before = len(service.logs())
    student = new_student(java_script_enabled=False, viewport={"width": 360, "height": 640})
    name, contact = (student.page.locator(f"#guardian_{what}") for what in ("name", "contact"))
    minor, adult = (
        student.page.get_by_role("radio", name=words) for words in ("Under 18", "18 or older")
    )

    student.open(partner.redirect_url(applicant))
    student.consent()
    assert not name.is_visible()
    student.press("Start")

    assert (student.status, student.kind) == (400, "landing")
    assert shown_errors(student) == ["Say whether you are under 18."]
    assert rows.attempts(service, applicant) == []

    minor.check()
    assert name.is_visible()
    name.fill(GUARDIAN)
    student.press("Start")

    assert (student.status, student.kind) == (400, "landing")
    assert len(shown_errors(student)) == 1
    assert "e-mail address or mobile number" in shown_errors(student)[0]
    summary = student.page.get_by_role("alert")
    assert summary.evaluate("element => element === document.activeElement")
    summary.get_by_role("link").click()
    assert contact.evaluate("element => element === document.activeElement")
    assert student.page.get_by_role("checkbox").is_checked()
    assert minor.is_checked()
    assert name.input_value() == GUARDIAN
    assert rows.links(service, applicant)[0]["used_at"] is None
    assert rows.attempts(service, applicant) == []

    contact.fill(CONTACT)
    student.press("Start")

    assert student.kind == "section"
    [attempt] = rows.attempts(service, applicant)
    assert attempt["is_minor"]
    assert (attempt["guardian_name"], attempt["guardian_contact"]) == (GUARDIAN, CONTACT)
    assert attempt["consent_version"]

    # a fresh link continues without asking, and to start again asks again
    student.context.clear_cookies()
    student.open(partner.redirect_url(applicant))
    student.consent()
    student.press("Start again")
    assert shown_errors(student) == ["Say whether you are under 18."]
    adult.check()
    assert not name.is_visible()
    student.press("Continue (0 of 44 answered)")
    student.leave()

    assert len(rows.attempts(service, applicant)) == 1
    assert set(partner.assessments(applicant.email)[0]) == {
        "AssessmentId",
        "Status",
        "Recommendations",
        "AssessmentDuration",
    }
    logged = service.logs()[logged_before:]
    assert not [part for part in (*GUARDIAN.split(), CONTACT) if part in logged]
