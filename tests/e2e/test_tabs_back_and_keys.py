"""The browser's Back button, double clicks, and the number keys that choose an answer."""

import pytest

from tests.e2e.conftest import choices, stored

pytestmark = pytest.mark.slow

FIRST_PUZZLE = 25
TICKED = "inputs => inputs.map(input => input.value)"


def values(student):
    """Return the values that are ticked, in the order of the page."""
    return list(student.page.locator("fieldset input:checked").evaluate_all(TICKED))


def test_back_shows_what_was_saved_and_a_statement_can_be_changed(
    service, link, applicant, student
):
    student.rule = lambda question, labels: 1
    student.start(link)
    student.go_to_question(13)

    student.back()
    second_page = student.position, student.ticked
    student.back()
    first_page = student.position, student.ticked
    student.rule = lambda question, labels: 3
    student.answer()

    assert second_page == (7, ["Dislike"] * 6)
    assert first_page == (1, ["Dislike"] * 6)
    given = choices(service, applicant)
    assert given == dict.fromkeys(range(1, 7), 4) | dict.fromkeys(range(7, 13), 2)


def test_back_shows_an_answered_puzzle_that_cannot_be_changed(service, link, applicant, student):
    student.start(link)
    student.go_to_question(FIRST_PUZZLE + 1)
    before = choices(service, applicant)

    student.back()
    offered = student.page.locator("input[type=radio]").count()
    locked = student.page.locator("input[type=radio]:disabled").count()
    ticked = student.ticked
    student.press("Continue")

    assert locked == offered > 0
    assert len(ticked) == 1
    assert student.position == FIRST_PUZZLE + 1
    assert choices(service, applicant) == before


def test_a_double_click_is_one_click_on_every_page(service, link, applicant, student):
    places = []

    def double_click():
        if student.kind == "question":
            student.choose()
        # not a navigation: the second click aborts that of the first, which is no fault
        with student.page.expect_event("load"):
            student.page.locator("main form button").dblclick()
        student.page.wait_for_load_state("networkidle")
        places.append(f"{student.kind} {student.path.rpartition('/')[2]}")

    student.open(link)
    student.consent()
    for _ in range(4):  # Start, the subjects, the first section, its first page
        double_click()
    for position in (FIRST_PUZZLE, 41):
        student.go_to_question(position)
        double_click()

    assert places == [
        *("question subjects", "section 1", "question 1", "question 7"),
        *(f"question {FIRST_PUZZLE + 1}", "result result"),
    ]
    [attempt] = stored(service, applicant)
    assert attempt["completed_at"]


def test_number_keys_answer_the_question_that_has_the_focus_unless_switched_off(
    service, link, applicant, student
):
    page = student.page
    student.start(link)
    student.go_to_question(1)

    page.locator("fieldset").nth(2).locator("input").first.focus()
    page.keyboard.press("4")
    assert page.locator("fieldset").nth(2).locator("input:checked").count() == 1
    assert values(student) == ["4"]
    page.keyboard.press("2")  # of the first question that is open
    page.keyboard.press("Control+5")
    page.keyboard.press("9")  # no answer has it
    assert values(student) == ["2", "4"]

    student.page.get_by_label("The keys 1, 2, 3").uncheck()
    before = values(student)
    page.keyboard.press("3")
    assert values(student) == before
    student.reload()
    before = values(student)
    page.keyboard.press("3")
    assert values(student) == before
    student.page.get_by_label("The keys 1, 2, 3").check()

    student.go_to_question(FIRST_PUZZLE)
    offered = page.locator("fieldset input").evaluate_all(TICKED)
    page.keyboard.press("1")
    page.keyboard.press("3")  # of a puzzle the last key counts
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert choices(service, applicant)[FIRST_PUZZLE] == int(offered[2])
    assert student.position == FIRST_PUZZLE + 1
