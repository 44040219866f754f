"""How an attempt ends, and the states that follow from its timestamps.

A server with a wrong clock may not end any: the feed lists ends in order, a minute late.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, models
from django.db.models.functions import Coalesce

ATTEMPT_CLOSED = "attempt.closed"  # the audit action of `Attempt.close`
# Indexes of attempts have these expressions. The second is the place in the feed.
ENDED_AT = Coalesce("completed_at", "abandoned_at", "finish_by_at")
LISTED_AT = Coalesce("courses_filled_at", "completed_at", "abandoned_at", "finish_by_at")


class ClockDiffers(Exception):
    """This server's clock is too far from the database's to end an attempt."""

    def __init__(self, away: timedelta) -> None:
        seconds = away.total_seconds()
        super().__init__(f"This server's clock is {seconds:+.0f} s from the database's.")


def check_clock(at: datetime) -> None:
    away = at - database_now(at)
    if abs(away) > settings.CLOCK_TOLERANCE:
        raise ClockDiffers(away)


def database_now(at: datetime) -> datetime:
    """Return the time of PostgreSQL's clock; `at` on SQLite, which runs on this machine."""
    if connection.vendor != "postgresql":
        return at
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


class Status(models.TextChoices):
    """Derived from timestamps, never stored. Partners only see the first two."""

    COMPLETED = "Completed"
    ABANDONED = "Abandoned"
    IN_PROGRESS = "In progress"


# Called by `Attempt._end` and `fill`, in their transaction, with the keys of the attempt and of its
# project, its status and the time; not for an erasure, nor when finish-by passes. An annex appends
# its function. If one raises, the attempt does not end, or is not filled.
end_listeners: list[Callable[[int, int, Status, datetime], None]] = []


class End(models.TextChoices):
    """How an attempt ended, worded for staff. Derived, never stored."""

    COMPLETED = "completed", "completed"
    LATE = "late", "not finished in time"
    REPLACED = "replaced", "started again with a newer link"
    CLOSED = "closed", "closed by support"
    ERASED = "erased", "ended by the erasure"
    LEFT = "left", "left by the student"


class AttemptEnded(Exception):
    """The attempt is completed or abandoned, so it cannot change."""


class ContinuedElsewhere(Exception):
    """The attempt continued in another browser, so this one cannot change it."""


def elapsed(started_at: datetime, ended_at: datetime | None) -> timedelta:
    """Return the duration; 0 without an end, or if a clock was set back."""
    return max(timedelta(0), (ended_at or started_at) - started_at)
