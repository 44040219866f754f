"""How an attempt ends, by the database's clock, and the states that follow from its timestamps.

The feed lists ends in their order and waits a minute for those that are still on their way. An end
from a server whose clock is wrong might come later than that, so it is refused.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import connection, models
from django.db.models import DateTimeField, Exists, Func, OuterRef, Q
from django.utils import timezone

from partners.models import AuditEvent

Attempt = TypeVar("Attempt", bound=models.Model)
CLOSED = "assessment.closed"


class ClockDiffers(Exception):
    """This server's clock is too far from the database's to end an attempt."""

    def __init__(self, away: timedelta) -> None:
        seconds = away.total_seconds()
        super().__init__(f"This server's clock is {seconds:+.0f} s from the database's.")


class DatabaseClock(Func):
    """The time at which PostgreSQL looks at a row, not that of the transaction's start."""

    function = "clock_timestamp"
    output_field = DateTimeField()


class EndingQuerySet(models.QuerySet[Attempt]):
    """Attempts by how far they got, and their end."""

    def completed(self) -> Self:
        return self.filter(completed_at__isnull=False)

    def open(self, at: datetime | None = None) -> Self:
        """Return attempts in progress: neither ended nor past their finish-by."""
        at = at or timezone.now()
        return self.filter(completed_at=None, abandoned_at=None, finish_by_at__gt=at)

    def abandoned(self, at: datetime | None = None) -> Self:
        at = at or timezone.now()
        left_or_late = Q(abandoned_at__isnull=False) | Q(finish_by_at__lte=at)
        return self.filter(left_or_late, completed_at=None)

    def finished(self, at: datetime | None = None) -> Self:
        """Return completed and abandoned attempts, which partners may see."""
        at = at or timezone.now()
        return self.filter(
            Q(completed_at__isnull=False) | Q(abandoned_at__isnull=False) | Q(finish_by_at__lte=at)
        )

    def open_by_the_clock(self, at: datetime) -> Self:
        """Return attempts in progress, or none if `at` is too far from the database's clock.

        SQLite runs on this machine, so its clock is ours.
        """
        found = self.open(at)
        if connection.vendor != "postgresql":
            return found
        near = (at - settings.CLOCK_TOLERANCE, at + settings.CLOCK_TOLERANCE)
        return found.alias(clock=DatabaseClock()).filter(clock__range=near)

    def with_end(self) -> Self:
        """Add what `end_at` reads: `is_replaced` by an attempt that started at the same time, and
        `is_closed` by staff.
        """
        others = self.model._default_manager.exclude(pk=OuterRef("pk"))
        later = others.filter(student=OuterRef("student"), started_at=OuterRef("abandoned_at"))
        closed = AuditEvent.objects.of_actions([CLOSED]).filter(
            object_type="assessment", object_id=OuterRef("assessment_id")
        )
        return self.annotate(is_replaced=Exists(later), is_closed=Exists(closed))

    def end(self, column: str, at: datetime, **values: Any) -> datetime | None:
        """End the open ones of these attempts. Return when, or None if all have ended already.

        If `at` is too far from the database's clock, perhaps because the request had to wait, the
        time is read again. Raises ClockDiffers if it is still too far: this server's clock is
        wrong.
        """
        for read in (at, None):
            now = read or timezone.now()
            if self.open_by_the_clock(now).update(**{column: now}, **values):
                return now
            if not self.open(now).exists():
                return None
        raise ClockDiffers(now - database_now(now))


def check_clock(at: datetime) -> None:
    """Raise ClockDiffers if `at` is too far from the database's clock."""
    away = at - database_now(at)
    if abs(away) > settings.CLOCK_TOLERANCE:
        raise ClockDiffers(away)


def database_now(at: datetime) -> datetime:
    """Return the time of PostgreSQL's clock; `at` with SQLite, which runs on this machine."""
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


class End(models.TextChoices):
    """How an attempt ended, worded for staff. Derived, never stored."""

    COMPLETED = "completed", "completed"
    LATE = "late", "not finished in time"
    REPLACED = "replaced", "started again with a newer link"
    CLOSED = "closed", "closed by support"
    ERASED = "erased", "ended by the erasure"
    LEFT = "left", "left by the student"


class AttemptEnded(Exception):
    """The attempt is completed or abandoned and cannot change."""


class AttemptMoved(Exception):
    """The attempt went on in another browser, so this one cannot change it."""


def elapsed(started_at: datetime, ended_at: datetime | None) -> timedelta:
    """Return the time from start to end, or 0 without an end.

    Never negative, even if a clock was set back.
    """
    return max(timedelta(0), (ended_at or started_at) - started_at)
