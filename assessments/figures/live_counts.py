"""Counts for /metrics. Each reads one index up to a limit, whatever the size of the table."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models, transaction
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, Student

MAX_COUNTED = 100_000


def live_counts(at: datetime | None = None) -> dict[str, dict[str, int]]:
    """Return counts of at most MAX_COUNTED. Raises DatabaseError if one takes too long."""
    at = at or timezone.now()
    since = at - timedelta(hours=1)
    links, attempts = AssessmentLink.objects.all(), Attempt.objects.all()
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = '2s'")  # for one count
        overdue = attempts.open(since).filter(finish_by_at__lte=at)
        return {
            "links": {"waiting": _count(links.unused(at), "expires_at")},
            "links_last_hour": {
                "issued": _count(links.filter(issued_at__gt=since), "issued_at"),
                "expired": _count(links.expired(at).filter(expires_at__gt=since), "expires_at"),
                "cancelled": _count(links.filter(cancelled_at__gt=since), "cancelled_at"),
            },
            "attempts": {"open": _count(attempts.open(at), "finish_by_at")},
            "attempts_last_hour": {
                "started": _count(attempts.filter(started_at__gt=since), "started_at"),
                "completed": _count(attempts.filter(completed_at__gt=since), "completed_at"),
                "abandoned": _count(attempts.filter(abandoned_at__gt=since), "abandoned_at")
                + _count(overdue, "finish_by_at"),
            },
        }


def _count(rows: models.QuerySet[Any], column: str) -> int:
    """Count rows by an index-only scan of a column, without rows of test projects.

    The order makes PostgreSQL use the index even in a generic plan. A join would prevent the scan,
    so the few rows of test projects are counted by a query of their own.
    """
    count = rows.order_by(f"-{column}").values(column)[:MAX_COUNTED].count()
    tests = Student.objects.filter(project__is_test=True)
    return count - rows.filter(student__in=tests).count() if count else 0
