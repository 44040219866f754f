"""An attempt can be continued until its finish-by: half-open, and never a cron job's business."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from assessments.api.serializers import duration_text
from assessments.models import Assessment, ItemBank
from assessments.models.attempts import AttemptEnded
from assessments.models.ends import Status
from partners.models import Project
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    completed,
    issue,
    last_choices,
    last_page,
    started,
)
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
MINUTE = timedelta(minutes=1)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("offset", "status"),
    [
        (-MILLISECOND, Status.IN_PROGRESS),
        (timedelta(0), Status.ABANDONED),
        (MILLISECOND, Status.ABANDONED),
    ],
)
def test_status_at_the_edge(
    bank: ItemBank, project: Project, offset: timedelta, status: Status
) -> None:
    attempt = started(project, AT)
    at = attempt.finish_by_at + offset

    sets = {
        Status.IN_PROGRESS: Assessment.objects.open(at),
        Status.ABANDONED: Assessment.objects.finished(at).filter(completed_at=None),
        Status.COMPLETED: Assessment.objects.completed(),
    }

    assert attempt.status_at(at) == status
    assert attempt.is_open(at) is (status == Status.IN_PROGRESS)
    assert {name for name, rows in sets.items() if rows.exists()} == {status}
    assert Assessment.objects.finished(at).exists() is (status != Status.IN_PROGRESS)


@pytest.mark.parametrize("offset", [-MILLISECOND, timedelta(0)])
def test_the_last_answer_at_the_edge(bank: ItemBank, project: Project, offset: timedelta) -> None:
    attempt = at_last_page(started(project, AT), AT)
    at = attempt.finish_by_at + offset

    if offset < timedelta(0):
        attempt.record(last_page(attempt), last_choices(attempt), at)
    else:
        with pytest.raises(AttemptEnded):
            attempt.record(last_page(attempt), last_choices(attempt), at)

    attempt.refresh_from_db()
    assert attempt.completed_at == (at if offset < timedelta(0) else None)
    assert attempt.read_answers().answered_count == (44 if offset < timedelta(0) else 36 + 4)


@pytest.mark.parametrize("offset", [-MILLISECOND, timedelta(0)])
def test_to_leave_at_the_edge(bank: ItemBank, project: Project, offset: timedelta) -> None:
    attempt = started(project, AT)
    at = attempt.finish_by_at + offset

    left = attempt.abandon(at)

    attempt.refresh_from_db()
    assert left is (offset < timedelta(0))
    assert attempt.abandoned_at == (at if left else None)
    assert attempt.status_at(at + MINUTE) == Status.ABANDONED


def test_every_attempt_is_in_one_set(bank: ItemBank, project: Project) -> None:
    """The sets and `status_at` say the same of every row."""
    attempts = [
        started(project, AT, email="open@example.com"),
        completed(started(project, AT, email="done@example.com"), AT),
        started(project, AT, email="left@example.com"),
        started(project, AT - timedelta(hours=24), email="late@example.com"),
        completed(started(project, AT - timedelta(days=3), email="old@example.com"), AT
                  - timedelta(days=3)),
    ]  # fmt: skip
    attempts[2].abandon(AT)

    for attempt in Assessment.objects.all():
        found = {
            name
            for name, rows in (
                (Status.IN_PROGRESS, Assessment.objects.open(AT)),
                (Status.ABANDONED, Assessment.objects.finished(AT).filter(completed_at=None)),
                (Status.COMPLETED, Assessment.objects.completed()),
            )
            if rows.filter(pk=attempt.pk).exists()
        }
        assert found == {attempt.status_at(AT)}
    assert Assessment.objects.finished(AT).count() == 4


def test_a_late_student_sees_why_and_keeps_the_answers(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    """T6: the page lay open past the finish-by."""
    with time_machine.travel(AT, tick=False) as clock:
        _, url = issue(project)
        page = browser.go_on(browser.go_on(browser.start(url)))
        before = Assessment.objects.values().get()
        clock.shift(timedelta(hours=24))

        late = browser.send(page, dict.fromkeys(page.form.questions, "1"))
        resumed = browser.open(f"/{project.project_id}/assessment")
        question = browser.open(page.form.action)

    assert late.status == 409
    assert late.name == "error-409"
    assert (resumed.status, resumed.name) == (410, "link-unavailable")
    assert (question.status, question.name) == (410, "link-unavailable")
    assert Assessment.objects.values().get() == before
    assert Assessment.objects.get().read_answers().answered_count == 6


@pytest.mark.parametrize("way", ["left", "late"])
def test_the_duration_of_an_abandoned_one_ends_with_the_last_answer(
    bank: ItemBank, project: Project, way: str
) -> None:
    attempt = answer_until(started(project, AT), 12, AT + 5 * MINUTE)
    if way == "left":
        attempt.abandon(AT + 9 * MINUTE)

    assert Assessment.objects.with_progress().get().duration == 5 * MINUTE


def test_without_an_answer_the_duration_is_nothing(bank: ItemBank, project: Project) -> None:
    attempt = started(project, AT)
    attempt.abandon(AT + MINUTE)

    annotated = Assessment.objects.with_progress().get()

    assert annotated.duration == timedelta(0)
    assert annotated.answered == 0


def test_a_clock_that_jumps_back_stores_everything_and_shows_no_minus(
    bank: ItemBank, project: Project
) -> None:
    """L12: no constraint orders the times of two requests."""
    attempt = answer_until(started(project, AT), 12, AT - timedelta(hours=1))
    assert Assessment.objects.with_progress().get().duration == timedelta(0)

    completed(attempt, AT - timedelta(hours=1))

    attempt.refresh_from_db()
    assert attempt.completed_at == AT - timedelta(hours=1)
    assert attempt.duration == timedelta(0)
    assert duration_text(attempt.duration) == "0m 0s"


@pytest.mark.parametrize("hours", [-1, 1])
def test_start_and_answers_through_the_pages_while_the_clock_jumps(
    bank: ItemBank, project: Project, browser: Browser, hours: int
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        _, url = issue(project)
        clock.shift(timedelta(hours=hours))
        page = browser.start(url)
        clock.shift(timedelta(hours=-hours))
        page = browser.finish(page)
        clock.shift(timedelta(hours=hours))
        assert browser.open(url).name == "result"

    attempt = Assessment.objects.get()
    assert attempt.duration == max(timedelta(0), timedelta(hours=-hours))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0m 0s"),
        (59.9, "0m 59s"),
        (3600, "60m 0s"),
    ],
)
def test_the_duration_s_text_at_its_edges(seconds: float, text: str) -> None:
    assert duration_text(timedelta(seconds=seconds)) == text
