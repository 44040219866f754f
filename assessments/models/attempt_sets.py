"""Which attempts: sets of them by state, by student, by browser."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, IntegerField, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from assessments.models import outcomes, recent
from assessments.models.answers import Answer
from assessments.models.banks import ItemBank
from assessments.models.outcomes import Outcome

if TYPE_CHECKING:
    from assessments.models.attempts import Assessment  # noqa: F401  the rows, named in quotes


def browser_digest(browser_token: str) -> str:
    """Return what stands on an attempt for the token in a browser's cookie."""
    return hashlib.sha256(browser_token.encode()).hexdigest()


class AssessmentQuerySet(models.QuerySet["Assessment"]):
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
        """Return what partners may see: completed and abandoned attempts."""
        at = at or timezone.now()
        return self.filter(
            Q(completed_at__isnull=False) | Q(abandoned_at__isnull=False) | Q(finish_by_at__lte=at)
        )

    def flagged(self, yes: bool = True) -> Self:
        """Return attempts by whether their answers show signs of not having been read."""
        flagged = Q(profile__validity__flags__0__isnull=False)
        return self.filter(flagged) if yes else self.exclude(flagged)

    def for_email(self, project_id: int, email_key: str) -> Self:
        return self.filter(student__project_id=project_id, student__email_key=email_key)

    def newest_first(self) -> Self:
        return self.order_by("-started_at", "-pk")

    def among_latest(self, count: int) -> Self:
        """Return those of these attempts that are among the ones completed last, by an index."""
        latest = self.model._default_manager.filter(completed_at__isnull=False)
        return self.filter(pk__in=latest.order_by("-completed_at").values("pk")[:count])

    def latest_on(self, bank: ItemBank, count: int) -> Self:
        """Return the attempts on a bank that were started last."""
        return self.filter(bank=bank).order_by("-pk")[:count]

    def recent_on(self, bank: ItemBank, at: datetime | None = None) -> recent.Sittings:
        """Return what the latest sittings on a bank show, at most a minute old."""
        return recent.sittings(self.all(), bank, at or timezone.now())

    def with_progress(self) -> Self:
        """Add `answered`, a count, and `last_answered_at`, in one join."""
        return self.annotate(
            answered=Count("answers__answered_at"), last_answered_at=Max("answers__answered_at")
        )

    def with_answered(self) -> Self:
        """Add `answered`, counted for the rows that are fetched and no others: for long lists."""
        given = Answer.objects.given().filter(assessment=OuterRef("pk")).order_by()
        counted = given.values("assessment").annotate(n=Count("pk")).values("n")
        return self.annotate(answered=Coalesce(Subquery(counted), 0, output_field=IntegerField()))

    def outcomes(
        self, project_id: int, email_key: str, at: datetime, at_most: int
    ) -> list[Outcome]:
        """Return what a partner may read of a student's attempts, newest first."""
        return outcomes.newest(self, project_id, email_key, at, at_most)

    def note_read(self, attempts: Iterable[Outcome], at: datetime) -> int:
        """Keep when the partner read these outcomes for the first time; return how many it did.

        Nothing is asked of the database if all were read before.
        """
        unread = [attempt.pk for attempt in attempts if attempt.results_read_at is None]
        if not unread:
            return 0
        return self.filter(pk__in=unread, results_read_at=None).update(results_read_at=at)
