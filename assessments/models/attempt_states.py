"""How far an attempt got, how it ended and how long it took: derived, never stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self, TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

Attempt = TypeVar("Attempt", bound=models.Model)


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


class AttemptStatesQuerySet(models.QuerySet[Attempt]):
    """Attempts by how far they got."""

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


class AttemptEnded(Exception):
    """The attempt is completed or abandoned and cannot change."""


class AttemptMoved(Exception):
    """The attempt went on in another browser, so this one cannot change it."""


def elapsed(started_at: datetime, ended_at: datetime | None) -> timedelta:
    """Return the time from start to end, or 0 without an end.

    Never negative, even if a clock was set back.
    """
    return max(timedelta(0), (ended_at or started_at) - started_at)
