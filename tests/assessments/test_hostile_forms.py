"""Fields that no page of ours would send: refused, and no attempt changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from assessments.models import Answer, Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.attempts import answer_until, issue
from tests.support.browser import Browser, Page

FORMS = ["question", "leave", "private-link", "forget"]
BAD_VALUES = [
    "",
    "-1",
    "1.0",
    "１",
    "true",
    "\0",
    "<b>",
    "9" * 30,
    "x" * 5000,
]

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]


def state() -> Any:
    return [
        list(model._default_manager.order_by("pk").values())
        for model in (AssessmentLink, Assessment, Answer)
    ]


@pytest.fixture
def statements(attempt: Assessment, browser: Browser) -> Page:
    """Give the first page of statements, unanswered."""
    return browser.go_on(browser.open(address(attempt, 1)))


@pytest.fixture
def puzzle(attempt: Assessment, browser: Browser) -> Page:
    """Give the first puzzle, unanswered."""
    answer_until(attempt, 24)
    return browser.go_on(browser.open(address(attempt, 25)))


def address(attempt: Assessment, position: int) -> str:
    return reverse("question", args=[attempt.student.project.project_id, position])


@pytest.mark.parametrize("value", [*BAD_VALUES, "6"])
def test_a_statement_s_value_that_is_not_offered(
    attempt: Assessment, statements: Page, browser: Browser, value: str
) -> None:
    chosen = dict.fromkeys(statements.form.questions, "2") | {"answer-4": value}

    page = browser.send(statements, chosen)

    assert page.status == 400
    assert page.name == "question"
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [2, 2, 2, None, 2, 2]
    assert attempt.answers.count() == 6


@pytest.mark.parametrize("value", [*BAD_VALUES, "7", "255"])
def test_a_puzzle_s_value_that_is_not_offered(
    attempt: Assessment, puzzle: Page, browser: Browser, value: str
) -> None:
    before = state()

    page = browser.send(puzzle, {"answer": value})

    assert page.status == 400
    assert state() == before


def test_an_option_that_only_another_puzzle_has(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    before = state()
    options = [int(value) for value in puzzle.form.offered("answer")]

    page = browser.send(puzzle, {"answer": str(max(options) + 1)})

    assert page.status == 400
    assert state() == before


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "1"},
        {"answer-7": "1", "answer-25": "1", "answer-44": "1"},
        {"answer-0": "1", "answer--1": "1", "answer-": "1"},
        {"position": "44", "item": "1", "choice": "1", "completed_at": "2026-01-01"},
        {"bank": "1", "student": "1", "browser_digest": "0" * 64, "score": "5"},
    ],
)
def test_fields_that_the_page_does_not_have(
    attempt: Assessment, statements: Page, browser: Browser, fields: dict[str, str]
) -> None:
    before = state()

    page = browser.send(statements, fields)

    assert page.status == 400
    assert state() == before


def test_an_answer_twice_in_one_form_is_one_answer(
    attempt: Assessment, statements: Page, browser: Browser
) -> None:
    form = statements.form
    chosen = {**form.filled, **dict.fromkeys(form.questions, ["1", "2"])}

    response = browser.client.post(form.action, chosen)

    assert response.status_code == 303
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [2] * 6


@pytest.mark.parametrize("value", ["", "asm_0000000000000000", "x", "1", "\0", "asm_" + "x" * 5000])
@pytest.mark.parametrize("path", FORMS)
def test_a_form_of_no_attempt_of_this_browser(
    attempt: Assessment, statements: Page, browser: Browser, path: str, value: str
) -> None:
    before = state()
    arguments = [attempt.student.project.project_id, *([1] if path == "question" else [])]

    page = browser.post(
        reverse(path, args=arguments),
        {"assessment": value, "leave": "yes", **dict.fromkeys(statements.form.questions, "1")},
    )

    assert page.status == 409
    assert state() == before


def test_another_s_id_opens_and_changes_nothing(
    attempt: Assessment, statements: Page, project: Project, browser: Browser
) -> None:
    """T13: every address, with the other's AssessmentId wherever one could stand."""
    theirs = Browser()
    theirs.go_on(theirs.start(issue(project, email="other@example.com", name="Zoya")[1]))
    other = Assessment.objects.exclude(pk=attempt.pk).get()
    before = state()
    buttons = dict.fromkeys(("leave", "begin", "make", "end", "forget"), "yes")
    answers = {**buttons, **{f"answer-{n}": "1" for n in range(1, 7)}}
    paths = [
        reverse("assessment", args=[project.project_id]),
        reverse("leave", args=[project.project_id]),
        reverse("result", args=[project.project_id]),
        reverse("private-link", args=[project.project_id]),
        reverse("forget", args=[project.project_id]),
        address(attempt, 1),
        address(attempt, 25),
    ]

    for path in paths:
        for extra in ({}, {"HTTP_X_ASSESSMENT_ID": other.assessment_id}):
            url = f"{path}?assessment={other.assessment_id}&AssessmentId={other.assessment_id}"
            shown = browser.open(url, **extra)
            sent = browser.post(path, {"assessment": other.assessment_id, **answers}, **extra)
            assert sent.status in {404, 405, 409}
            for text in (shown.text, sent.text):
                assert other.assessment_id not in text
                assert "Zoya" not in text
    assert browser.get(f"/{other.assessment_id}/assessment").status == 404

    assert state() == before


def test_too_many_fields_are_a_400_page(
    attempt: Assessment, statements: Page, browser: Browser
) -> None:
    before = state()

    page = browser.send(statements, {f"field-{number}": "x" for number in range(2000)})

    assert page.status in {400, 403}
    assert state() == before
