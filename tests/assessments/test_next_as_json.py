"""The page's script asks for JSON: it is told where to go, under the same rules as the form."""

from __future__ import annotations

from itertools import product

import pytest
from django.urls import reverse

from assessments.models import Assessment
from tests.assessments.attempts import answer_until, question_path
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.usefixtures("bank")

JSON = "application/json"


def choices(attempt: Assessment, position: int) -> list[int | None]:
    return [answer.choice for answer in attempt.read_answers().page(position)]


def six(choice: int) -> dict[str, str]:
    return {f"answer-{position}": str(choice) for position in range(1, 7)}


@pytest.fixture
def first_page(attempt: Assessment, browser: Browser) -> Page:
    """Give the attempt's first page of statements, unanswered."""
    return browser.go_on(browser.open(question_path(attempt, 1)))


def test_a_json_request_gets_the_next_page(
    attempt: Assessment, browser: Browser, first_page: Page
) -> None:
    answer = browser.send(first_page, six(4), HTTP_ACCEPT=JSON)

    assert (answer.status, answer.response.json()) == (200, {"next": question_path(attempt, 7)})
    assert answer.response.headers["Content-Type"] == JSON
    assert answer.response.headers["Cache-Control"] == "no-store"
    assert choices(attempt, 1) == [4] * 6
    assert attempt.answers.count() == 12


@pytest.mark.parametrize(
    "accept",
    ["text/html,application/xhtml+xml", "*/*", "text/html, application/json", f"{JSON};q=0.9", ""],
)
def test_everybody_else_is_redirected(
    attempt: Assessment, browser: Browser, first_page: Page, accept: str
) -> None:
    answered = browser.send(first_page, six(4), HTTP_ACCEPT=accept)

    assert (answered.status, answered.location) == (303, question_path(attempt, 7))
    assert choices(attempt, 1) == [4] * 6


@pytest.mark.parametrize(("first", "again"), list(product((JSON, "*/*"), repeat=2)))
def test_a_page_sent_twice_in_either_way_is_stored_once(
    attempt: Assessment, browser: Browser, first: str, again: str
) -> None:
    """An answer that was stored, but not acknowledged, is sent again by the form or the script."""
    answer_until(attempt, 24)
    page = browser.go_on(browser.open(question_path(attempt, 25)))

    browser.send(page, {"answer": "2"}, HTTP_ACCEPT=first)
    resent = browser.send(page, {"answer": "3"}, HTTP_ACCEPT=again)

    led_to = resent.response.json()["next"] if again == JSON else resent.location
    assert led_to == question_path(attempt, 26)
    assert choices(attempt, 25) == [2]
    assert attempt.answers.count() == 26


def test_the_last_page_leads_to_the_result_also_when_sent_again(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 40)
    page = browser.open(question_path(attempt, 41))
    filled = dict.fromkeys(page.form.questions, "3")

    answers = [browser.send(page, filled, HTTP_ACCEPT=JSON).response.json() for _ in range(2)]

    result = reverse("result", args=[attempt.student.project.project_id])
    assert answers == [{"next": result}] * 2
    attempt.refresh_from_db()
    assert attempt.completed_at
