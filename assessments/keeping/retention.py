"""Delete data whose retention is over, one project and a few rows at a time.

Runs may be interrupted or overlap: each batch is a transaction with its audit event, and rows that
another run or an erasure has locked wait for the next run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from assessments.catalogue.uploads import Upload
from assessments.models.answers import Answer
from assessments.models.attempts import Attempt
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.ended import ENDED_AT
from assessments.models.links import AssessmentLink
from assessments.models.refused_calls import RefusedCall
from assessments.models.students import Student
from assessments.webhooks.events import WebhookEvent
from partners.models import Actor, AuditEvent, Project
from partners.models.projects import RETENTION_MONTHS
from partners.times import ended_before

UNUSED_LINKS_KEPT = timedelta(days=30)
REFUSED_CALLS_KEPT = timedelta(days=30)
TESTS_KEPT = timedelta(days=7)
CATALOGUE_MONTHS = 24  # after another catalogue replaced it
WEBHOOK_EVENTS_KEPT = timedelta(days=30)
BATCH = 500

# By kind of row, the look-up of its project, in the order of deletion: students and catalogues come
# after the rows that refer to them.
PROJECT_OF = {
    "unused links": "student__project",
    "attempts": "student__project",
    "students": "project",
    "catalogues": "project",
    "uploads": "project",
    "audit events": "project",
    "refused calls": "project",
    "webhook events": "endpoint__project",
}
PURGED_KINDS = (*PROJECT_OF, "sessions")


def _rows_due(at: datetime, *, is_forecast: bool = False) -> dict[str, QuerySet[Any]]:
    """Return the rows whose retention is over, by kind.

    Students and catalogues are due if nothing refers to them or, in a forecast, only rows due too.
    """
    # A subquery, because no index serves an OR over joined tables.
    of_tests = Q(student__in=Student.objects.filter(project__is_test=True))
    unused = AssessmentLink.objects.filter(used_at=None)
    old_link = Q(expires_at__lte=at - UNUSED_LINKS_KEPT)
    old_link |= of_tests & Q(issued_at__lte=at - TESTS_KEPT)
    old_attempt = of_tests & Q(started_at__lte=at - TESTS_KEPT)
    for months in range(RETENTION_MONTHS[0], RETENTION_MONTHS[1] + 1):
        old_attempt |= Q(retention_months=months, ended_at__lt=ended_before(at, months))
    links, attempts = AssessmentLink.objects.all(), Attempt.objects.alias(ended_at=ENDED_AT)
    due_attempts = attempts.filter(old_attempt)
    if is_forecast:
        links, attempts = unused.exclude(old_link), attempts.exclude(old_attempt)
    replaced = CatalogueSnapshot.objects.filter(
        project=OuterRef("project"),
        current_since__gt=OuterRef("current_since"),
        current_since__lt=ended_before(at, CATALOGUE_MONTHS),
    )
    return {
        "unused links": unused.filter(old_link),
        "attempts": due_attempts,
        "students": Student.objects.filter(
            ~Exists(links.filter(student=OuterRef("pk"))),
            ~Exists(attempts.filter(student=OuterRef("pk"))),
        ),
        "catalogues": CatalogueSnapshot.objects.filter(
            Exists(replaced), ~Exists(attempts.filter(catalogue=OuterRef("pk")))
        ),
        "uploads": Upload.objects.expired(at),
        "audit events": AuditEvent.objects.outlived(at),
        "refused calls": RefusedCall.objects.filter(at__lt=at - REFUSED_CALLS_KEPT),
        "webhook events": WebhookEvent.objects.filter(created_at__lte=at - WEBHOOK_EVENTS_KEPT),
        "sessions": Session.objects.filter(expire_date__lt=at),
    }


def forecast(at: datetime) -> dict[int | None, Counter[str]]:
    """Count what would be deleted, by project and kind. The key is None without a project."""
    due: dict[int | None, Counter[str]] = {}
    rows = _rows_due(at, is_forecast=True)
    for kind, project in PROJECT_OF.items():
        for pk, count in rows[kind].order_by().values_list(project).annotate(Count("pk")):
            due.setdefault(pk, Counter())[kind] = count
    if expired := rows["sessions"].count():
        due.setdefault(None, Counter())["sessions"] = expired
    return due


def purge(
    at: datetime, due: dict[int | None, Counter[str]] | None = None, *, by: Actor
) -> Iterator[tuple[Project | None, Counter[str]]]:
    """Delete what is due, by default a forecast. Yield the project and the counts of each batch."""
    due = forecast(at) if due is None else due
    projects = Project.objects.in_bulk([pk for pk in due if pk])
    for pk, kinds in due.items():
        project = projects[pk] if pk else None
        while deleted := _purge_batch(project, kinds, at, by=by):
            yield project, deleted
            if deleted.total() < BATCH:
                break


@transaction.atomic
def _purge_batch(
    project: Project | None, kinds: Iterable[str], at: datetime, *, by: Actor
) -> Counter[str]:
    """Delete and record at most BATCH rows of a project, or of none. Return the counts by kind."""
    rows, deleted = _rows_due(at), Counter[str]()
    # Without a project, the record names the newest deleted event, whose number shows how many are
    # gone. If only sessions were deleted, there is no record.
    target = project or rows["audit events"].filter(project=None).order_by("-at", "-pk").first()
    for kind in kinds:
        of_project = rows[kind].filter(**{PROJECT_OF[kind]: project} if kind in PROJECT_OF else {})
        deleted[kind] = _delete(of_project, BATCH - deleted.total())
    deleted = +deleted
    if target and deleted:
        AuditEvent.record("data.purged", target, by=by, reason=counts_in_words(deleted), at=at)
    return deleted


def counts_in_words(counts: Counter[str]) -> str:
    """Return for example "attempts 3, students 1"."""
    return ", ".join(f"{kind} {counts[kind]}" for kind in PURGED_KINDS if counts[kind])


def _lock(rows: QuerySet[Any], limit: int) -> list[Any]:
    """Lock at most `limit` rows that are free, but not their project. Return their keys."""
    free = rows.order_by("pk").select_for_update(skip_locked=True, of=("self",))
    return list(free.values_list("pk", flat=True)[: max(limit, 0)])


def _delete(rows: QuerySet[Any], limit: int) -> int:
    """Delete at most `limit` rows, with all that refers to them. Return how many."""
    locked = _lock(rows, limit)
    if not locked:
        return 0
    if rows.model is Student:
        # Filtered again, because a link may have been issued before the lock.
        return rows.filter(pk__in=locked).delete()[0]
    if rows.model is Attempt:
        Answer.objects.filter(attempt__in=locked).delete()
        AssessmentLink.objects.filter(attempt__in=locked).delete()
    rows.model._base_manager.filter(pk__in=locked).delete()
    return len(locked)
