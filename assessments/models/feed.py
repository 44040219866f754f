"""The feed of ended attempts, in the order of their ends. A reader who continues misses none.

An attempt that was filled with courses later moves to the time of that, so it is read once more.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import Case, F, Max, OuterRef, Subquery, When
from django.utils import timezone

from assessments.models.answers import Answer
from assessments.models.attempts import Attempt
from assessments.models.ended import ENDED_AT, LISTED_AT
from assessments.models.links import AssessmentLink
from assessments.models.students import NOT_ERASED

# An end carries the time that a web server read, up to 30 s from the database's clock (ended.py).
# It is stored a moment later, and visible once its transaction has ended, which may take long.
HELD_BACK = timedelta(seconds=60)
BEFORE_WRITERS = timedelta(seconds=30)
# The oldest open transaction that has written may still show ends, none of them earlier than 30 s
# before its start. One that has not written yet will do so now, which HELD_BACK covers. We see
# when sessions of our own role began theirs; others don't end attempts.
_SHOWN_UNTIL = """
SELECT least(
  coalesce(%s, clock_timestamp()) - make_interval(secs => %s),
  min(xact_start) - make_interval(secs => %s)
)
FROM pg_stat_activity
WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()
  AND backend_type = 'client backend'
"""


@dataclass(frozen=True)
class Place:
    """A place in a project's feed: after the attempt listed at this time, with this key."""

    listed_at: datetime
    pk: int


START = Place(datetime(1970, 1, 1, tzinfo=UTC), 0)


def page(project_id: int, after: Place, limit: int, at: datetime | None = None) -> list[Attempt]:
    """Return the next ended attempts of a project, without erased students'.

    They are in the order of `listed_at`, the end or when it was filled, and key. Each also has
    `ended_at`, `email`, `last_answered_at` and the `reference` of the link that started it. Fewer
    than `limit` are all for now. `at` replaces the database's clock.
    """
    until = shown_until(at)
    started_by = AssessmentLink.objects.filter(
        attempt=OuterRef("pk"), used_at=OuterRef("started_at")
    )
    answered = Answer.objects.filter(attempt=OuterRef("pk")).order_by().values("attempt")
    last_answered = answered.annotate(last=Max("answered_at")).values("last")
    ended = Attempt.objects.filter(NOT_ERASED, project_id=project_id)
    later = (
        ended.annotate(ended_at=ENDED_AT, listed_at=LISTED_AT)
        # Without OR, so that PostgreSQL enters the index at the place.
        .filter(listed_at__gte=after.listed_at, listed_at__lt=until)
        .exclude(listed_at=after.listed_at, pk__lte=after.pk)
        .order_by("listed_at", "pk")
    )
    columns = ("assessment_id", "started_at", "completed_at", "results_read_at", "recommendations")
    described = later.only(*columns).annotate(
        email=F("student__email"),
        reference=Subquery(started_by.order_by("pk").values("reference")[:1]),
        # Completed attempts don't need it.
        last_answered_at=Case(When(completed_at=None, then=Subquery(last_answered))),
    )
    return list(described[:limit])


def shown_until(at: datetime | None = None) -> datetime:
    """Return the time until which every end is visible and no more will be added.

    Call it before you read the ends, outside a transaction: within one, PostgreSQL keeps showing
    the sessions that it showed first. `at` replaces the database's clock.
    """
    if connection.vendor != "postgresql":
        return (at or timezone.now()) - HELD_BACK
    with connection.cursor() as cursor:
        cursor.execute(
            _SHOWN_UNTIL, [at, HELD_BACK.total_seconds(), BEFORE_WRITERS.total_seconds()]
        )
        until: datetime = cursor.fetchone()[0]
    return until
