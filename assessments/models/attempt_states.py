"""What an attempt can be, how it ended, and what is said when it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models

# As long as the longest finish-by that a project can have.
EXTENDED_AT_MOST = timedelta(days=30)
CLOSED, EXTENDED = "assessment.closed", "assessment.extended"


class Status(models.TextChoices):
    """Derived from timestamps, never stored. Partners see the first two only."""

    COMPLETED = "Completed"
    ABANDONED = "Abandoned"
    IN_PROGRESS = "In progress"


class End(models.TextChoices):
    """How an attempt ended, in the words that staff read. Derived, never stored."""

    COMPLETED = "completed", "completed"
    LATE = "late", "not finished in time"
    REPLACED = "replaced", "started again with a newer link"
    CLOSED = "closed", "closed by support"
    ERASED = "erased", "ended by the erasure"
    LEFT = "left", "left by the student"


class AttemptEnded(Exception):
    """The attempt is completed or abandoned: nothing of it changes any more."""


class NotShown(Exception):
    """The position has not been put before the student yet."""


@dataclass(frozen=True)
class Recorded:
    """What came of an answered page.

    `missing` are positions still without a choice; `next_position` is where to go, None at the end.
    """

    missing: tuple[int, ...]
    next_position: int | None


def elapsed(started_at: datetime, ended_at: datetime | None) -> timedelta:
    """Return how long an attempt took, until its completion or last answer; none if it has neither.

    It is never negative: a clock that jumped back must not show.
    """
    return max(timedelta(0), (ended_at or started_at) - started_at)
