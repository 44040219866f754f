from __future__ import annotations

import pytest

from tests.e2e import rows
from tests.e2e.conftest import NewStudent
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def test_the_same_browser_goes_on_where_it_stopped(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    link = partner.redirect_url(applicant)
    student.start(link)
    student.go_to_question(13)
    [before] = rows.attempts(service, applicant)

    by_link = student.new_tab(link)
    by_address = student.new_tab(f"{service.url}/{partner.project_id}/assessment")

    assert (by_link.kind, by_link.position) == ("question", 13)
    assert (by_address.kind, by_address.position) == ("question", 13)
    assert "Questions 13 to 18 of 44" in by_link.text
    assert rows.attempts(service, applicant) == [before]


def test_another_browser_is_told_nothing_about_the_student(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    link = partner.redirect_url(applicant)
    student, stranger = new_student(), new_student()
    student.start(link)
    student.go_to_question(7)
    before = rows.attempts(service, applicant), rows.links(service, applicant)

    stranger.open(link)

    assert (stranger.status, stranger.kind) == (410, "link-unavailable")
    page = stranger.page.content()
    first_name, last_name = applicant.name.split()
    for private in (first_name, last_name, applicant.email, applicant.mobile, "answered", "asm_"):
        assert private not in page
    assert (rows.attempts(service, applicant), rows.links(service, applicant)) == before


def test_a_fresh_link_continues_in_a_new_browser_and_the_old_one_stops(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    old_phone, new_phone = new_student(), new_student()
    old_phone.start(partner.redirect_url(applicant))
    old_phone.go_to_question(7)
    old_phone.choose()

    new_phone.start(partner.redirect_url(applicant), "Continue (6 of 44 answered)")
    old_phone.press("Continue")

    assert (new_phone.kind, new_phone.position) == ("question", 7)
    assert (old_phone.status, old_phone.kind) == (403, "error-403")
    [attempt] = rows.attempts(service, applicant)
    assert sorted(rows.choices(service, attempt)) == [1, 2, 3, 4, 5, 6]
    assert [link["assessment_id"] for link in rows.links(service, applicant)] == [attempt["id"]] * 2


def test_a_fresh_link_starts_again_and_the_old_attempt_is_abandoned(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    old_phone, new_phone = new_student(), new_student()
    old_phone.start(partner.redirect_url(applicant))
    old_phone.go_to_question(7)
    old_phone.choose()

    new_phone.start(partner.redirect_url(applicant), "Start again")
    old_phone.press("Continue")

    assert "Part 1 of 3" in new_phone.text
    assert (old_phone.status, old_phone.kind) == (409, "error-409")
    old, new = rows.attempts(service, applicant)
    assert old["abandoned_at"]
    assert len(rows.choices(service, old)) == 6
    assert new["abandoned_at"] is None
    [record] = partner.assessments(applicant.email)
    assert (record["AssessmentId"], record["Status"]) == (old["assessment_id"], "Abandoned")


def test_a_fresh_link_after_completion_says_so_and_both_count(
    partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.answer_to_the_end()

    student.open(partner.redirect_url(applicant))
    said = student.text
    student.consent()
    student.press("Start")
    student.go_to_question(1)
    student.leave()

    assert "You have finished this assessment before." in said
    newest, oldest = partner.assessments(applicant.email)
    assert (newest["Status"], oldest["Status"]) == ("Abandoned", "Completed")


def test_an_expired_link_is_explained_and_stays_unused(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    link = partner.redirect_url(applicant)
    student.open(link)
    student.consent()
    service.rows(
        "UPDATE assessments_assessmentlink SET issued_at = '2026-01-01 10:00:00+00:00',"
        " expires_at = '2026-01-04 10:00:00+00:00' WHERE id = %s",
        (rows.links(service, applicant)[0]["id"],),
    )

    student.press("Start")

    assert (student.status, student.kind) == (410, "link-unavailable")
    assert "no longer valid" in student.heading
    assert rows.links(service, applicant)[0]["used_at"] is None
    assert rows.attempts(service, applicant) == []
