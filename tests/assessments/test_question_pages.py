"""The pages of an attempt as a student meets them."""

from __future__ import annotations

import re

import pytest

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import answer_until, issue, question_path
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.usefixtures("bank")


def test_a_whole_run(project: Project, browser: Browser) -> None:
    page = browser.start(issue(project)[1])
    seen = []
    while page.name in {"section", "question"}:
        seen.append((page.name, page.place))
        assert page.status == 200
        assert page.response.headers["Cache-Control"] == "no-store"
        page = browser.go_on(page)

    assert page.name == "result"
    assert seen == [
        ("section", "/1"),
        *[("question", f"/{position}") for position in (1, 7, 13)],
        ("section", "/19"),
        ("question", "/19"),
        ("section", "/25"),
        *[("question", f"/{position}") for position in range(25, 37)],
        ("section", "/37"),
        *[("question", f"/{position}") for position in (37, 41)],
    ]
    attempt = Assessment.objects.get()
    assert attempt.completed_at is not None
    assert attempt.read_answers().answered_count == 44


def test_controls_are_named_as_the_contract_of_the_pages_says(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question_path(attempt, 1)))
    statements = page.form.questions
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question_path(attempt, 25)))

    assert statements == [f"answer-{position}" for position in range(1, 7)]
    assert page.form.questions == ["answer"]
    for form in (page.form,):
        assert form.filled["assessment"] == attempt.assessment_id
        assert len(form.buttons) == 1


def test_an_incomplete_page_comes_back_with_what_was_given(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question_path(attempt, 1)))

    again = browser.send(page, {"answer-1": "4", "answer-5": "2"})

    assert again.status == 400
    filled = [again.form.filled.get(name) for name in again.form.questions]
    assert filled == ["4", None, None, None, "2", None]
    kept = [answer.choice for answer in attempt.read_answers().page(1)]
    assert kept == [4, None, None, None, 2, None]
    reloaded = browser.open(question_path(attempt, 1))
    assert (reloaded.status, reloaded.form.filled["answer-1"]) == (200, "4")
    done = browser.send(reloaded, {f"answer-{number}": "3" for number in (2, 3, 4, 6)})
    assert done.status == 303
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [4, 3, 3, 3, 2, 3]


def listed(page: Page) -> list[tuple[str, str]]:
    """Return the links of the summary of errors: where each leads, and its words."""
    summary = page.text.partition('class="summary"')[2].partition("</div>")[0]
    return re.findall(r'<a href="#([\w-]+)"[^>]*>(.+?)</a>', summary)


def test_several_missing_answers_are_listed_in_one_line(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.go_on(browser.open(question_path(attempt, 1)))

    again = browser.send(page, {"answer-1": "4", "answer-5": "9"})

    assert "4 answers are missing:" in again.text
    assert 'aria-label="Question 2"' in again.text
    assert listed(again) == [
        *[(f"answer-{number}-1", str(number)) for number in (2, 3, 4, 6)],
        ("answer-5-1", "Question 5: Choose one of the answers shown."),
    ]
    assert again.text.count('class="error"') == 5


def test_a_statement_can_be_changed_by_going_back(attempt: Assessment, browser: Browser) -> None:
    """T4: the page shows the saved choice; the change is stored; nothing behind it is lost."""
    answer_until(attempt, 12)

    page = browser.open(question_path(attempt, 1))
    assert page.form.filled["answer-2"] == "1"
    after = browser.press(page, {"answer-2": "5"})

    assert after.place == "/7"
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [1, 5, 1, 1, 1, 1]
    assert attempt.read_answers().answered_count == 12


def test_an_aptitude_answer_cannot_be_changed(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 26)

    page = browser.open(question_path(attempt, 25))

    assert all("disabled" in c for c in page.form.inputs if c.get("type") == "radio")
    assert page.form.buttons == []
    resent = browser.send(page, {"answer": "5"})
    assert resent.status == 303
    assert resent.location == question_path(attempt, 26)
    assert attempt.read_answers().page(25)[0].choice == 1
