"""To leave an attempt deliberately: asked once more, and then for good."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from assessments.models import Assessment
from assessments.models.ends import Status
from partners.models import Project
from tests.assessments.attempts import answer_until, completed, issue, started
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    browser.start(issue(project)[1])
    return answer_until(Assessment.objects.get(), 6)


def leave_url(project: Project) -> str:
    return reverse("leave", args=[project.project_id])


def test_it_ends_the_attempt_once_and_unfinished(project: Project) -> None:
    attempt = started(project, AT)

    left = [attempt.abandon(AT + timedelta(minutes=minute)) for minute in (5, 6)]

    attempt.refresh_from_db()
    assert left == [True, False]
    assert attempt.abandoned_at == AT + timedelta(minutes=5)
    assert attempt.status_at(AT + timedelta(minutes=5)) == Status.ABANDONED
    assert attempt.profile is None


def test_the_page_asks_first_and_its_button_ends_the_attempt_once(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    page = browser.open(leave_url(project))
    assert (page.status, page.name) == (200, "leave")
    assert page.form.filled["assessment"] == attempt.assessment_id
    attempt.refresh_from_db()
    assert attempt.is_open()

    pressed = browser.press(page, {"leave": "yes"})
    before = Assessment.objects.values().get()
    again = browser.press(page, {"leave": "yes"})

    assert (pressed.status, pressed.name, again.name) == (200, "left", "left")
    assert pressed.forms == []
    assert before["abandoned_at"] is not None
    assert attempt.read_answers().answered_count == 6
    assert Assessment.objects.values().get() == before


def test_afterwards_no_question_opens(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    question = browser.open(reverse("question", args=[project.project_id, 7]))
    attempt.abandon()

    answered = browser.send(question, dict.fromkeys(question.form.questions, "1"))
    opened = browser.open(reverse("question", args=[project.project_id, 7]))
    result = browser.open(reverse("result", args=[project.project_id]))
    asked = browser.open(leave_url(project))

    assert answered.status == 409
    assert opened.name == result.name == asked.name == "left"
    assert attempt.read_answers().answered_count == 6


def test_a_finished_attempt_cannot_be_left(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    page = browser.open(leave_url(project))
    completed(attempt)
    before = Assessment.objects.values().get()

    late = browser.send(page, {"leave": "yes"})

    assert late.status == 409
    assert late.name == "error-409"
    assert project.name in late.text
    assert Assessment.objects.values().get() == before


def test_left_in_another_tab_while_an_answer_is_on_its_way(
    attempt: Assessment, project: Project, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was open when the answer came in, and had ended when it was to be stored."""
    page = browser.open(reverse("question", args=[project.project_id, 7]))
    lock = Assessment.lock

    def leave_and_lock(attempt: Assessment, at: datetime) -> None:
        attempt.abandon()
        lock(attempt, at)

    monkeypatch.setattr(Assessment, "lock", leave_and_lock)

    late = browser.send(page, dict.fromkeys(page.form.questions, "1"))

    assert late.status == 409
    assert late.name == "error-409"
    assert attempt.read_answers().answered_count == 6
