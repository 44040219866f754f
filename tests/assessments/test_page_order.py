"""Which page opens when: in order, made by the POST before it, and GET only reads."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from assessments.models import Answer, Assessment
from tests.assessments.attempts import answer_until, at_last_page, question_path
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


def state() -> Any:
    return (
        list(Assessment.objects.order_by("pk").values()),
        list(Answer.objects.order_by("pk").values()),
    )


def test_get_only_reads(attempt: Assessment, browser: Browser) -> None:
    at_last_page(attempt)
    before = state()

    for method in ("get", "head"):
        for position in range(1, 45):
            response = getattr(browser.client, method)(question_path(attempt, position))
            assert response.status_code in {200, 303}
        for name in ("assessment", "leave", "result"):
            path = reverse(name, args=[attempt.student.project.project_id])
            assert getattr(browser.client, method)(path).status_code in {200, 303}

    assert state() == before


def test_rows_are_made_by_the_post_that_leads_there(attempt: Assessment, browser: Browser) -> None:
    counts = []
    page = browser.open(question_path(attempt, 1))
    for _ in range(6):
        counts.append(attempt.answers.count())
        page = browser.go_on(page)

    assert counts == [0, 6, 12, 18, 18, 24]
    assert attempt.answers.count() == 24


@pytest.mark.parametrize("position", [0, 45, 9999])
def test_a_position_that_does_not_exist(
    attempt: Assessment, browser: Browser, position: int
) -> None:
    before = state()

    shown = browser.get(question_path(attempt, position))
    sent = browser.post(question_path(attempt, position), {"assessment": attempt.assessment_id})

    assert shown.status == sent.status == 404
    assert state() == before


@pytest.mark.parametrize(("position", "leads_to"), [(2, "/1"), (6, "/1"), (8, "/7"), (40, "/37")])
def test_a_position_inside_a_page_leads_to_the_page(
    attempt: Assessment, browser: Browser, position: int, leads_to: str
) -> None:
    page = browser.get(question_path(attempt, position))

    assert page.status == 303
    assert page.location.endswith(f"/assessment{leads_to}")


@pytest.mark.parametrize("position", [7, 13, 25, 26, 37, 41])
def test_a_page_that_is_not_due_leads_to_the_one_that_is(
    attempt: Assessment, browser: Browser, position: int
) -> None:
    browser.go_on(browser.open(question_path(attempt, 1)))
    before = state()

    shown = browser.open(question_path(attempt, position))
    sent = browser.post(
        question_path(attempt, position),
        {"assessment": attempt.assessment_id, "answer": "1", f"answer-{position}": "1"},
    )
    begun = browser.post(
        question_path(attempt, position), {"assessment": attempt.assessment_id, "begin": "yes"}
    )

    assert shown.place == "/1"
    assert sent.status == begun.status == 303
    assert sent.location == begun.location == question_path(attempt, 1)
    assert state() == before


def test_answers_for_a_section_that_was_not_begun_lead_to_its_page(
    attempt: Assessment, browser: Browser
) -> None:
    answer_until(attempt, 24)

    page = browser.post(
        question_path(attempt, 25), {"assessment": attempt.assessment_id, "answer": "1"}
    )

    assert browser.follow(page).name == "section"
    assert attempt.answers.count() == 24
