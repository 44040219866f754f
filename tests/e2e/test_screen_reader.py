"""Puzzles without sight: what is heard of each kind, and what to press if it has pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e import rows
from tests.e2e.heard import heard, names
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import SMALL_BANK, Service
from tests.support.student import Student

PICTURES = ["A", "B", "C", "D", "E", "F"]
SAID = {
    "en": "This puzzle uses pictures. If you can't see them, press “I can't see the pictures”",
    "hi": "इस पहेली में चित्र हैं। अगर आपको वे दिखाई नहीं देते, तो नीचे “मुझे चित्र नहीं दिख रहे”",
}
SWAP = {
    "en": "If you can't see pictures, you can swap a puzzle that uses them",
    "hi": "अगर आपको चित्र दिखाई नहीं देते, तो चित्रों वाली पहेली की जगह",
}
BUTTONS = {"en": "I can't see the pictures", "hi": "मुझे चित्र नहीं दिख रहे"}
FIRST, LAST = 51, 62

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def shipped_bank(service: Service) -> Iterator[None]:
    service.manage("load_items", "--make-current")
    yield
    service.manage("load_items", str(SMALL_BANK), "--make-current")


def go_to_puzzles(
    student: Student, partner: PartnerBackend, applicant: Applicant, language: str = "en"
) -> None:
    """Answer the statements, up to the page before the puzzles."""
    student.open(f"{partner.redirect_url(applicant)}&language={language}")
    student.consent()
    student.press(student.page.locator("#start"))
    student.answer_until(lambda: student.kind == "section" and student.position == FIRST)


def show(service: Service, applicant: Applicant, student: Student, code: str) -> None:
    """Show this puzzle instead of the one on the page."""
    attempt = rows.attempts(service, applicant)[0]["id"]
    service.rows(
        "UPDATE assessments_answer SET item_id = (SELECT i.id FROM assessments_item i"
        " JOIN assessments_assessment a ON a.bank_id = i.bank_id"
        " WHERE a.id = %s AND i.code = %s)"
        " WHERE assessment_id = %s AND choice IS NULL AND replaced_at IS NULL RETURNING id",
        (attempt, code, attempt),
    )
    student.reload()


@pytest.mark.parametrize(("language", "scripts"), [("en", True), ("en", False), ("hi", True)])
def test_a_picture_puzzle_says_what_to_press_and_another_one_can_be_heard(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    new_student: Any,
    language: str,
    scripts: bool,
) -> None:
    student = new_student(java_script_enabled=scripts)
    go_to_puzzles(student, partner, applicant, language)
    words = [node.name for node in heard(student.page)]
    [swap] = [place for place, name in enumerate(words) if name.startswith(SWAP[language])]
    examples = student.page.locator("summary").all_inner_texts()
    assert swap < min(words.index(title) for title in examples)
    student.answer()
    show(service, applicant, student, "apt-matrices-01")

    before = heard(student.page)
    choices = names(before, "radio")
    assert choices[:-1] == PICTURES
    words = [node.name for node in before]
    [said] = [place for place, name in enumerate(words) if name.startswith(SAID[language])]
    assert said < words.index("A")
    [group] = [node for node in before if node.role == "group"]
    assert group.description.startswith(SAID[language])
    assert BUTTONS[language] in names(before, "button")

    student.page.get_by_role("radio").first.check()  # by mistake
    student.press(BUTTONS[language])
    after = heard(student.page)

    assert student.position == FIRST
    assert student.ticked == []
    assert BUTTONS[language] not in names(after, "button")
    assert names(after, "radio")[:-1] != PICTURES
    assert not any(node.name.startswith(SAID[language]) for node in after)
    assert student.kept_on_the_phone == []
    [attempt] = rows.attempts(service, applicant)
    assert FIRST not in rows.choices(service, attempt)


def test_by_keyboard_and_to_the_result_no_more_pictures_come(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    go_to_puzzles(student, partner, applicant)
    student.answer()
    show(service, applicant, student, "apt-matrices-01")
    # From the last answer, past Continue, to the button; Enter presses it.
    student.page.get_by_role("radio").last.focus()
    student.page.keyboard.press("Tab")
    student.page.keyboard.press("Tab")
    with student.page.expect_navigation():
        student.page.keyboard.press("Enter")

    kinds = []
    while student.position <= LAST and student.kind == "question":
        kinds.append(names(heard(student.page), "radio")[:-1])
        student.answer()
    student.answer_to_the_end()

    assert len(kinds) == LAST - FIRST + 1
    assert PICTURES not in kinds
    [record] = partner.assessments(applicant.email)
    assert record["Status"] == "Completed"
