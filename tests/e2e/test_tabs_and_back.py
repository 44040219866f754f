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


def test_two_tabs_that_answer_different_pages_are_both_kept(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.rule = always(0)
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)
    first_page = student.new_tab(student.page.url.replace("/7", "/1"))
    first_page.rule = always(4)

    first_page.choose()
    student.choose()
    student.press("Continue")
    first_page.press("Continue")

    [attempt] = rows.attempts(service, applicant)
    given = rows.choices(service, attempt)
    assert given == dict.fromkeys(range(1, 7), 5) | dict.fromkeys(range(7, 13), 1)
    # the tab that was behind sees the truth
    assert first_page.position == 7
    assert len(first_page.ticked) == 6


def test_of_a_statement_answered_in_two_tabs_the_last_one_counts(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.rule = always(0)
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)
    other_tab = student.new_tab(student.page.url)
    other_tab.rule = always(4)

    student.answer()
    other_tab.answer()
    student.back()

    [attempt] = rows.attempts(service, applicant)
    assert rows.choices(service, attempt) == dict.fromkeys(range(1, 7), 5)
    assert student.position == 1
    assert student.ticked == ["Strongly like"] * 6


def test_of_a_puzzle_answered_in_two_tabs_the_first_one_stands(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.rule = always(0)
    student.start(partner.redirect_url(applicant))
    student.go_to_question(FIRST_PUZZLE)
    other_tab = student.new_tab(student.page.url)
    other_tab.rule = always(1)
    other_tab.choose()

    student.answer()
    other_tab.press("Continue")

    [attempt] = rows.attempts(service, applicant)
    assert rows.choices(service, attempt)[FIRST_PUZZLE] == 1
    assert other_tab.position == student.position == FIRST_PUZZLE + 1


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
    locked = student.page.locator("input[type=radio]:disabled").count()
    ticked = student.ticked
    student.press("Continue")

    assert locked == student.page.locator("input[type=radio]").count()
    assert len(ticked) == 1
    assert student.position == FIRST_PUZZLE + 1
    assert rows.choices(service, attempt) == before


def test_after_the_end_nothing_can_be_changed(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(7)
    other_tab = student.new_tab(student.page.url)
    other_tab.choose()
    student.answer_to_the_end()
    [completed] = rows.attempts(service, applicant)
    given = rows.choices(service, completed)

    student.back()
    after_back = student.kind
    other_tab.press("Continue")
    refused = other_tab.status, other_tab.heading
    other_tab.press("See your result")

    assert after_back == "result"
    assert refused == (409, "This assessment is already finished")
    assert other_tab.kind == "result"
    assert rows.attempts(service, applicant) == [completed]
    assert rows.choices(service, completed) == given


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
    after_start = student.kind
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

    assert after_start == "section"
    assert after_a_page == 7
    assert after_a_puzzle == FIRST_PUZZLE + 1
    assert student.kind == "result"
    [attempt] = rows.attempts(service, applicant)
    assert attempt["completed_at"]


def test_a_page_with_a_gap_keeps_what_was_given(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)
    for question in student.page.locator("fieldset").all()[:5]:
        question.locator("label").nth(2).click()

    student.press("Continue")

    assert (student.status, student.kind, student.position) == (400, "question", 1)
    assert len(student.ticked) == 5
    summary = student.page.locator(".summary").inner_text()
    assert "Question 6: Say how much you'd like this." in summary
    [attempt] = rows.attempts(service, applicant)
    assert rows.choices(service, attempt) == dict.fromkeys(range(1, 6), 3)
