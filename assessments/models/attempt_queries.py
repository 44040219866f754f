"""Query attempts by their timestamps."""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import connection, models
from django.db.models import Count, Exists, Func, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from assessments.models.answers import Answer
from assessments.models.ended import ATTEMPT_CLOSED, ClockDiffers, database_now
from assessments.models.identity import secret_digest
from assessments.models.students import NOT_ERASED
from measurement.courses import TAKERS
from partners.models import AuditEvent

Row = TypeVar("Row", bound=models.Model)
COLUMNS_READ_AGAIN = (
    *("browser_digest", "answers_hidden_until", "finish_by_at", "completed_at", "abandoned_at"),
)


class AttemptQueries(models.QuerySet[Row]):
    def completed(self) -> Self:
        return self.filter(completed_at__isnull=False)

    def open(self, at: datetime | None = None) -> Self:
        at = at or timezone.now()
        return self.filter(completed_at=None, abandoned_at=None, finish_by_at__gt=at)

    def abandoned(self, at: datetime | None = None) -> Self:
        at = at or timezone.now()
        left_or_late = Q(abandoned_at__isnull=False) | Q(finish_by_at__lte=at)
        return self.filter(left_or_late, completed_at=None)

    def ended(self, at: datetime | None = None) -> Self:
        """Return completed and abandoned attempts, the ones that partners see."""
        at = at or timezone.now()
        return self.filter(
            Q(completed_at__isnull=False) | Q(abandoned_at__isnull=False) | Q(finish_by_at__lte=at)
        )

    def open_by_the_clock(self, at: datetime) -> Self:
        """Return open attempts, or none if `at` is too far from the database's clock."""
        attempts = self.open(at)
        if connection.vendor != "postgresql":
            return attempts  # SQLite runs on this machine, so its clock is ours
        near = (at - settings.CLOCK_TOLERANCE, at + settings.CLOCK_TOLERANCE)
        # When PostgreSQL looks at the row, not when the transaction began.
        clock = Func(function="clock_timestamp", output_field=models.DateTimeField())
        return attempts.alias(clock=clock).filter(clock__range=near)

    def with_end(self) -> Self:
        """Annotate `is_closed`, by staff, and `is_replaced`: another attempt started at its end."""
        others = self.model._default_manager.exclude(pk=OuterRef("pk"))
        later = others.filter(student=OuterRef("student"), started_at=OuterRef("abandoned_at"))
        closed = AuditEvent.objects.of_actions([ATTEMPT_CLOSED]).filter(
            object_type="attempt", object_id=OuterRef("assessment_id")
        )
        return self.annotate(is_replaced=Exists(later), is_closed=Exists(closed))

    def end(self, column: str, at: datetime, **values: Any) -> datetime | None:
        """End the open ones among these attempts. Return when, or None if all had ended.

        Raise ClockDiffers if this server's clock is wrong, not if the request waited since `at`.
        """
        for read in (at, None):
            now = read or timezone.now()
            if self.open_by_the_clock(now).update(**{column: now}, **values):
                return now
            if not self.open(now).exists():
                return None
        raise ClockDiffers(now - database_now(now))

    def flagged(self, yes: bool = True) -> Self:
        """Return attempts with, or without, a flag of careless answers."""
        flagged = Q(profile__validity__flags__0__isnull=False)
        return self.filter(flagged) if yes else self.exclude(flagged)

    def without_tests(self) -> Self:
        return self.filter(student__project__is_test=False)

    def without_courses(self) -> Self:
        """Return the completed attempts that `fill_results` gives courses.

        Their stored catalogue had none for those who took the assessment, whatever their subjects.
        Without test projects and erased students.
        """
        had_none = [
            Q(takers=takers, **{f"catalogue__course_counts__{takers}": 0}) for takers in TAKERS
        ]
        waiting = self.without_tests().filter(NOT_ERASED, courses_filled_at=None)
        # An index has the empty ones: a catalogue may serve only some of those who take it.
        return waiting.filter(reduce(or_, had_none), recommendations=[])

    def newest_first(self) -> Self:
        return self.order_by("-started_at", "-pk")

    def with_progress(self) -> Self:
        """Annotate `answered`, a count, and `last_answered_at`, by one join."""
        return self.annotate(
            answered=Count("answers__answered_at"), last_answered_at=Max("answers__answered_at")
        )

    def with_answered(self) -> Self:
        """Annotate `answered`, counted for the fetched rows only. Use it for long lists."""
        given = Answer.objects.given().filter(attempt=OuterRef("pk")).order_by()
        counted = given.values("attempt").annotate(n=Count("pk")).values("n")
        return self.annotate(
            answered=Coalesce(Subquery(counted), 0, output_field=models.IntegerField())
        )

    def held_by(self, browser_tokens: Iterable[str]) -> Self:
        return self.filter(browser_digest__in=[secret_digest(each) for each in browser_tokens])
