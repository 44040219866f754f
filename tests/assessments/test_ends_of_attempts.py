"""An attempt ends once: completed, left by the student, or past its finish-by."""

from datetime import UTC, datetime, timedelta

import pytest

from assessments.api.serializers import Duration
from assessments.models import Answer, Attempt
from assessments.models.ended import AttemptEnded, Status
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    completed,
    inside,
    issue,
    last_choices,
    last_page,
    marked_completed,
    started,
)
from tests.factories import BY

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
MINUTE = timedelta(minutes=1)
FINISH_BY = timedelta(hours=24)
NOTHING = timedelta(0)

pytestmark = pytest.mark.usefixtures("bank")


@pytest.mark.parametrize(
    ("end", "after", "status"),
    [
        ("", FINISH_BY - MILLISECOND, Status.IN_PROGRESS),
        ("", FINISH_BY, Status.ABANDONED),
        ("", FINISH_BY + MILLISECOND, Status.ABANDONED),
        ("left", NOTHING, Status.ABANDONED),
        ("left", FINISH_BY, Status.ABANDONED),
        ("completed", NOTHING, Status.COMPLETED),
        ("completed", FINISH_BY, Status.COMPLETED),
    ],
)
def test_the_status_of_an_attempt_and_the_querysets_agree(project, end, after, status):
    attempt, at = started(project, AT), AT + after
    if end == "left":
        attempt.abandon(AT)
    elif end == "completed":
        marked_completed(attempt, AT)

    attempt.refresh_from_db()
    assert attempt.status_at(at) == status
    assert attempt.is_open(at) is (status == Status.IN_PROGRESS)
    objects = Attempt.objects
    assert objects.open(at).exists() is (status == Status.IN_PROGRESS)
    assert objects.ended(at).exists() is (status != Status.IN_PROGRESS)
    assert objects.abandoned(at).exists() is (status == Status.ABANDONED)
    assert objects.completed().exists() is (status == Status.COMPLETED)


@pytest.mark.parametrize("offset", [-MILLISECOND, NOTHING])
def test_the_last_answer_counts_until_the_finish_by(project, offset):
    attempt = at_last_page(started(project, AT), AT)
    at, is_late = attempt.finish_by_at + offset, offset == NOTHING

    if is_late:
        with pytest.raises(AttemptEnded):
            attempt.record(last_page(attempt), last_choices(attempt), at)
    else:
        attempt.record(last_page(attempt), last_choices(attempt), at)

    attempt.refresh_from_db()
    assert attempt.completed_at == (None if is_late else at)
    assert attempt.read_answers().answered_count == (40 if is_late else 44)


@pytest.mark.parametrize("is_left", [True, False])
@pytest.mark.parametrize(
    ("answered", "minutes", "duration"),
    [(0, 0, NOTHING), (12, 5, 5 * MINUTE), (12, -60, NOTHING)],
    ids=["no answer", "answers", "a clock that jumps back"],
)
def test_the_duration_of_an_unfinished_attempt_ends_with_the_last_answer(
    project, is_left, answered, minutes, duration
):
    attempt = answer_until(started(project, AT), answered, AT + minutes * MINUTE)
    if is_left:
        attempt.abandon(AT + 9 * MINUTE)

    found = Attempt.objects.with_progress().get()

    assert (found.duration, found.answered) == (duration, answered)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0m 0s"), (59.9, "0m 59s"), (3600, "60m 0s")])
def test_the_text_of_a_duration(seconds, text):
    assert Duration("").to_representation(timedelta(seconds=seconds)) == text


@pytest.mark.sqlite
def test_leaving_is_asked_first_and_ends_the_attempt_once(attempt, browser, rows):
    page = browser.open(inside("leave", attempt))
    assert (page.status, page.name) == (200, "leave")
    assert Attempt.objects.get().is_open()

    pressed = browser.press(page, {"leave": "yes"})
    before = rows()
    again = browser.press(page, {"leave": "yes"})

    assert (pressed.status, pressed.name, pressed.forms, again.name) == (200, "left", [], "left")
    assert Attempt.objects.get().abandoned_at is not None
    assert rows() == before


@pytest.mark.parametrize(
    ("end", "status", "name"),
    [
        ("left", 200, "left"),
        ("closed by support", 410, "link-unavailable"),
        ("late", 410, "link-unavailable"),
        ("completed", 200, "result"),
    ],
)
def test_after_the_end_nothing_is_stored_and_pages_and_link_show_the_end(
    project, browser, rows, end, status, name
):
    _, url = issue(project)
    question, attempt = browser.go_on(browser.start(url)), Attempt.objects.get()
    leave, inner = browser.open(inside("leave", attempt)), inside("attempt", attempt)
    if end == "left":
        attempt.abandon()
    elif end == "closed by support":
        attempt.close(reason="asked by phone", by=BY)
    elif end == "completed":
        completed(attempt)
    else:
        Attempt.objects.update(finish_by_at=attempt.started_at + MILLISECOND)
    before = rows(Attempt, Answer)

    refused = [browser.send(question, dict.fromkeys(question.form.questions, "1"))]
    pages = [browser.open(f"{inner}{path}") for path in ("", "/1", "/result", "/leave")]
    pages += [browser.open(url), browser.open(f"/{project.project_id}/assessment")]
    left = browser.follow(browser.send(leave, {"leave": "yes"}))
    (refused if end == "completed" else pages).append(left)

    assert {(page.status, page.name) for page in refused} == {(409, "error-409")}
    assert {(page.status, page.name) for page in pages} == {(status, name)}
    assert all(project.name in page.text for page in refused)
    assert rows(Attempt, Answer) == before
