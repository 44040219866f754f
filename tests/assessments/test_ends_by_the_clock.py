"""No attempt ends at a time that is far from the database's clock, as the feed could miss it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink
from assessments.models.ends import ClockDiffers, End, database_now
from partners.models import AuditEvent, Project
from tests.assessments.attempts import (
    at_last_page,
    how_ended,
    issue,
    last_choices,
    last_page,
    new_browser_token,
    started,
    use,
)

BY_STAFF = {"actor": "command:tests"}
pytestmark = [
    pytest.mark.usefixtures("bank", "thirty_seconds"),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has the clock of this machine"
    ),
]


@pytest.fixture
def thirty_seconds(settings: Any) -> None:
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)


def clock(**ahead: float) -> datetime:
    """Return the database's time, moved."""
    return database_now(timezone.now()) + timedelta(**ahead)


def complete(attempt: Assessment, at: datetime) -> None:
    at_last_page(attempt, attempt.started_at)
    attempt.record(last_page(attempt), last_choices(attempt), at)


def leave(attempt: Assessment, at: datetime) -> None:
    attempt.abandon(at)


def close(attempt: Assessment, at: datetime) -> None:
    attempt.close(at=at, **BY_STAFF)


def erase(attempt: Assessment, at: datetime) -> None:
    attempt.student.erase(at=at, **BY_STAFF)


def start_again(attempt: Assessment, at: datetime) -> None:
    held = new_browser_token()
    Assessment.objects.filter(pk=attempt.pk).update(browser_digest="")
    assert attempt.move_to(held, attempt.started_at)
    student = attempt.student
    link, _ = issue(student.project, attempt.started_at, email=student.email)
    use(link, start="again", held=held, at=at)


ENDINGS = [complete, leave, close, erase, start_again]
Ending = Callable[[Assessment, datetime], None]


def end_of(attempt: Assessment) -> datetime | None:
    attempt.refresh_from_db()
    return attempt.completed_at or attempt.abandoned_at


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("ahead", [-20, 20])
def test_a_time_within_thirty_seconds_is_stored(project: Project, end: Ending, ahead: int) -> None:
    attempt = started(project, clock(hours=-1))
    at = clock(seconds=ahead)

    end(attempt, at)

    assert end_of(attempt) == at


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("ahead", [-32, 45])
def test_a_time_further_away_is_read_again(project: Project, end: Ending, ahead: int) -> None:
    """As if the request had waited for half a minute."""
    attempt = started(project, clock(hours=-1))

    end(attempt, clock(seconds=ahead))

    ended = end_of(attempt)
    assert ended is not None
    assert abs(ended - clock()) < timedelta(seconds=10)


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("ahead", [-45, 55])
def test_a_server_whose_clock_is_wrong_ends_nothing(
    project: Project, end: Ending, ahead: int
) -> None:
    attempt = started(project, clock(hours=-1))
    before = AuditEvent.objects.count(), Assessment.objects.count()

    with time_machine.travel(clock(seconds=ahead), tick=True), pytest.raises(ClockDiffers):
        end(attempt, timezone.now())

    assert end_of(attempt) is None
    assert (AuditEvent.objects.count(), Assessment.objects.count()) == before
    assert not AssessmentLink.objects.filter(used_at__gt=attempt.started_at).exists()


def test_an_end_that_was_read_again_is_known_by_how_it_came_about(project: Project) -> None:
    """These ends are told apart by times that are equal."""
    late = timedelta(minutes=-1)
    ends = {}
    for email, end in (("again@example.com", start_again), ("erased@example.com", erase)):
        attempt = started(project, clock(hours=-1), email=email)
        end(attempt, clock() + late)
        attempt.refresh_from_db()
        ends[email] = how_ended(attempt)

    assert ends == {"again@example.com": End.REPLACED, "erased@example.com": End.ERASED}


def test_an_attempt_that_is_over_is_over_whatever_the_clock_says(project: Project) -> None:
    attempt = started(project, clock(hours=-1))
    attempt.abandon(clock())

    with time_machine.travel(clock(minutes=5)):
        again = attempt.abandon()
        attempt.student.erase(**BY_STAFF)

    assert again is False


def test_a_wrong_clock_does_not_prolong_an_attempt_that_is_over(project: Project) -> None:
    attempt = started(project, clock(hours=-30))

    with pytest.raises(ClockDiffers):
        attempt.extend(clock(hours=1), at=clock(hours=-8), **BY_STAFF)

    assert attempt.status_at(clock()) == "Abandoned"


def test_ending_does_not_ask_for_the_databases_clock(
    project: Project, django_assert_num_queries: Any
) -> None:
    attempt = started(project, clock(hours=-1))

    at = clock()

    # A savepoint, the end itself, and whether anybody wants a webhook.
    with django_assert_num_queries(4):
        attempt.abandon(at)
