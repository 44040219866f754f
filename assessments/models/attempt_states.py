"""How far an attempt got, how it ended and how long it took: derived, never stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models


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
