"""At a keyboard the keys 1 to 9 choose an answer, and they can be switched off."""

from __future__ import annotations

import pytest

from tests.e2e import rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def values(student: Student) -> list[str]:
    """The values that are ticked, in the order of the page."""
    found: list[str] = student.page.eval_on_selector_all(
        "fieldset input:checked", "inputs => inputs.map(input => input.value)"
    )
    return found


def test_a_key_answers_the_question_that_has_the_focus(
    partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)
    third = student.page.locator("fieldset").nth(2)

    third.locator("input").first.focus()
    student.page.keyboard.press("4")
    by_focus = third.locator("input:checked").get_attribute("value"), len(values(student))
    student.page.keyboard.press("2")
    student.page.keyboard.press("Control+5")
    student.page.keyboard.press("9")

    assert by_focus == ("4", 1)
    assert values(student) == ["2", "4"]


def test_a_puzzle_is_answered_by_keys_and_the_last_key_counts(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(25)
    offered = student.page.eval_on_selector_all(
        "fieldset input", "inputs => inputs.map(input => +input.value)"
    )

    student.page.keyboard.press("1")
    student.page.keyboard.press("3")
    with student.page.expect_navigation():
        student.page.keyboard.press("Enter")

    [attempt] = rows.attempts(service, applicant)
    assert rows.choices(service, attempt)[25] == offered[2]
    assert student.position == 26


def test_the_keys_can_be_switched_off_and_stay_off(
    partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)

    student.page.get_by_label("The keys 1, 2, 3").uncheck()
    student.page.keyboard.press("3")
    at_once = values(student)
    student.reload()
    student.page.keyboard.press("3")
    later = values(student)
    student.page.get_by_label("The keys 1, 2, 3").check()
    student.page.keyboard.press("3")

    assert (at_once, later) == ([], [])
    assert values(student) == ["3"]
