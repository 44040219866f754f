"""Two tabs of one browser, and its Back button."""

from __future__ import annotations

import pytest

from tests.e2e import rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Rule, Student

pytestmark = pytest.mark.slow

FIRST_PUZZLE = 25


def always(number: int) -> Rule:
    return lambda question, labels: number


def test_back_shows_what_was_saved_and_a_statement_can_be_changed(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.rule = always(1)
    student.start(partner.redirect_url(applicant))
    student.go_to_question(13)

    student.back()
    second_page = student.position, student.ticked
    student.back()
    first_page = student.position, student.ticked
    student.rule = always(3)
    student.answer()

    assert second_page == (7, ["Dislike"] * 6)
    assert first_page == (1, ["Dislike"] * 6)
    [attempt] = rows.attempts(service, applicant)
    given = rows.choices(service, attempt)
    assert given == dict.fromkeys(range(1, 7), 4) | dict.fromkeys(range(7, 13), 2)


def test_back_shows_an_answered_puzzle_that_cannot_be_changed(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.rule = always(0)
    student.start(partner.redirect_url(applicant))
    student.go_to_question(FIRST_PUZZLE + 1)
    [attempt] = rows.attempts(service, applicant)
    before = rows.choices(service, attempt)

    student.back()
    offered = student.page.locator("input[type=radio]").count()
    locked = student.page.locator("input[type=radio]:disabled").count()
    ticked = student.ticked
    student.press("Continue")

    assert locked == offered > 0
    assert len(ticked) == 1
    assert student.position == FIRST_PUZZLE + 1
    assert rows.choices(service, attempt) == before


def test_a_double_click_is_one_click(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    def double_click() -> None:
        # not a navigation: the second click aborts that of the first, which is no fault
        with student.page.expect_event("load"):
            student.page.locator("main form button").dblclick()
        student.page.wait_for_load_state("networkidle")

    student.open(partner.redirect_url(applicant))
    student.consent()
    double_click()
    after_start = student.asks_subjects
    student.choose()
    double_click()
    after_subjects = student.kind
    double_click()
    student.choose()
    double_click()
    after_a_page = student.position
    student.go_to_question(FIRST_PUZZLE)
    student.choose()
    double_click()
    after_a_puzzle = student.position
    student.go_to_question(41)
    student.choose()
    double_click()

    assert after_start
    assert after_subjects == "section"
    assert after_a_page == 7
    assert after_a_puzzle == FIRST_PUZZLE + 1
    assert student.kind == "result"
    [attempt] = rows.attempts(service, applicant)
    assert attempt["completed_at"]
