"""Delete data whose retention time is over, one project and a few rows at a time.

Runs may be interrupted or overlap: each batch is a transaction with its own audit event, and rows
that another run or an erasure has locked are left to the next run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Unpack

from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from assessments.models.answers import Answer
from assessments.models.attempts import Assessment
from assessments.models.catalogues import CatalogueSnapshot
from assessments.models.links import AssessmentLink
from assessments.models.refused_calls import RefusedCall
from assessments.models.students import Student
from assessments.webhooks.models import WebhookEvent
from partners.models import AuditEvent, Project
from partners.models.audit import ActorContext
from partners.models.projects import RETENTION_MONTHS
from partners.times import ended_before

UNUSED_LINKS_KEPT = timedelta(days=30)
REFUSED_CALLS_KEPT = timedelta(days=30)
TESTS_KEPT = timedelta(days=7)
CATALOGUE_MONTHS = 24  # after another catalogue replaced it
FILES_KEPT = timedelta(days=7)  # that nobody loaded
WEBHOOK_EVENTS_KEPT = timedelta(days=30)
BATCH = 500
# The expression of the index assessment_kept_since.
ENDED_AT = Coalesce("completed_at", "abandoned_at", "finish_by_at")
ACTION = "data.purged"
NONE = Q(pk__in=[])

# In the order of deletion: students and catalogues after the rows that refer to them.
KINDS = (
    *("unused links", "attempts", "students", "catalogues", "audit events"),
    *("refused calls", "webhook events", "sessions"),
)


def ended_at(attempt: Assessment) -> datetime:
    """Return when an attempt's retention starts; for an open attempt, its finish-by."""
    return attempt.completed_at or attempt.abandoned_at or attempt.finish_by_at


def unused_links(at: datetime) -> QuerySet[AssessmentLink]:
    """Return unused links, cancelled ones too, 30 days after their expiry.

    In a test project, 7 days after the issue.
    """
    unused = AssessmentLink.objects.filter(used_at=None)
    old = Q(expires_at__lte=at - UNUSED_LINKS_KEPT)
    return unused.filter(old | _of_tests(issued_at__lte=at - TESTS_KEPT))


def attempts(at: datetime) -> QuerySet[Assessment]:
    """Return attempts whose retention months are over, or 7 days after the start of a test."""
    return _by_months("lt", at, _of_tests(started_at__lte=at - TESTS_KEPT))


def kept_attempts(at: datetime) -> QuerySet[Assessment]:
    return _by_months("gte", at).exclude(_of_tests(started_at__lte=at - TESTS_KEPT))


def students(at: datetime) -> QuerySet[Student]:
    """Return students without a link or attempt to keep."""
    links = AssessmentLink.objects.filter(used_at=None, expires_at__gt=at - UNUSED_LINKS_KEPT)
    links = links.exclude(_of_tests(issued_at__lte=at - TESTS_KEPT))
    return _students_without(links, kept_attempts(at))


def catalogues(at: datetime) -> QuerySet[CatalogueSnapshot]:
    """Return catalogues without a result to keep that nobody needs to restore."""
    return _catalogues_without(kept_attempts(at), at)


def refused_calls(at: datetime) -> QuerySet[RefusedCall]:
    """Return refused calls after 30 days."""
    calls: QuerySet[RefusedCall] = RefusedCall.objects.filter(at__lt=at - REFUSED_CALLS_KEPT)
    return calls


def webhook_events(at: datetime) -> QuerySet[WebhookEvent]:
    """Return events of webhooks 30 days after they were stored, delivered or not."""
    return WebhookEvent.objects.filter(created_at__lte=at - WEBHOOK_EVENTS_KEPT)


def sessions(at: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lt=at)


def _of_tests(**old: datetime) -> Q:
    """Return the condition for old rows of students of test projects.

    A subquery, because the rows found are locked, and a join would lock their project too.
    """
    return Q(student__in=Student.objects.filter(project__is_test=True), **old)


def _by_months(compares: str, at: datetime, more: Q = NONE) -> QuerySet[Assessment]:
    """Return attempts by whether their end is before ("lt") their retention limit at `at`.

    Those that meet the condition `more` are returned as well.
    """
    chosen = more
    for months in range(RETENTION_MONTHS[0], RETENTION_MONTHS[1] + 1):
        end = {f"ended_at__{compares}": ended_before(at, months)}
        chosen |= Q(retention_months=months, **end)
    return Assessment.objects.alias(ended_at=ENDED_AT).filter(chosen)


def _students_without(
    links: QuerySet[AssessmentLink], attempts: QuerySet[Assessment]
) -> QuerySet[Student]:
    of_student = {"student": OuterRef("pk")}
    return Student.objects.filter(
        ~Exists(links.filter(**of_student)), ~Exists(attempts.filter(**of_student))
    )


def _catalogues_without(
    attempts: QuerySet[Assessment], at: datetime
) -> QuerySet[CatalogueSnapshot]:
    """Return old catalogues to which none of these attempts refers.

    They were replaced 24 months ago, or offered in a file 7 days ago and never loaded.
    """
    replaced = CatalogueSnapshot.objects.filter(
        project=OuterRef("project"),
        current_since__gt=OuterRef("current_since"),
        current_since__lt=ended_before(at, CATALOGUE_MONTHS),
    )
    never_loaded = Q(current_since=None, taken_at__lte=at - FILES_KEPT)
    return CatalogueSnapshot.objects.filter(
        Exists(replaced) | never_loaded, ~Exists(attempts.filter(catalogue=OuterRef("pk")))
    )


def forecast(at: datetime) -> dict[int | None, Counter[str]]:
    """Count what would be deleted, by project and kind; None is the key of rows without project."""
    found: dict[int | None, Counter[str]] = {}
    of_projects: dict[str, tuple[QuerySet[Any], str]] = {
        "unused links": (unused_links(at), "student__project"),
        "attempts": (attempts(at), "student__project"),
        "students": (students(at), "project"),
        "catalogues": (catalogues(at), "project"),
        "audit events": (AuditEvent.objects.outlived(at), "project"),
        "refused calls": (refused_calls(at), "project"),
        "webhook events": (webhook_events(at), "endpoint__project"),
    }
    for kind, (rows, project) in of_projects.items():
        by_project = rows.order_by().values_list(project).annotate(Count("pk"))
        for pk, count in by_project:
            found.setdefault(pk, Counter())[kind] = count
    if expired := sessions(at).count():
        found.setdefault(None, Counter())["sessions"] = expired
    return found


def purge(
    at: datetime,
    due: dict[int | None, Counter[str]] | None = None,
    **context: Unpack[ActorContext],
) -> Iterator[tuple[Project | None, Counter[str]]]:
    """Delete data whose retention is over. Yield the project and the counts of each batch.

    `due` is the forecast of this time, if it was made already. Each batch records an audit event
    with its counts, except for sessions of staff.
    """
    due = forecast(at) if due is None else due
    for project in Project.objects.filter(pk__in=[pk for pk in due if pk]).order_by("pk"):
        for deleted in _batches(partial(_purge_project, project, due[project.pk], at, **context)):
            yield project, deleted
    if None in due:
        for deleted in _batches(partial(_purge_the_rest, at, **context)):
            yield None, deleted


def _batches(delete: Callable[[], Counter[str]]) -> Iterator[Counter[str]]:
    """Yield the counts of each batch; a batch that is not full is the last one."""
    while deleted := delete():
        yield deleted
        if deleted.total() < BATCH:
            return


@transaction.atomic
def _purge_project(
    project: Project, due: Counter[str], at: datetime, **context: Unpack[ActorContext]
) -> Counter[str]:
    """Delete at most BATCH rows of a project, of the kinds due; return how many of each."""
    ours = Student.objects.filter(project=project)
    events = AuditEvent.objects.filter(project=project).outlived(at)
    unreferenced = _catalogues_without(Assessment.objects.all(), at).filter(project=project)
    delete: dict[str, Callable[[int], int]] = {
        "unused links": lambda room: _delete(unused_links(at).filter(student__in=ours), room),
        "attempts": lambda room: _delete_attempts(attempts(at).filter(student__in=ours), room),
        "students": lambda room: _delete_students(project, room),
        "catalogues": lambda room: _delete(unreferenced, room),
        "audit events": lambda room: _delete_events(events, room, at),
        "refused calls": lambda room: _delete(refused_calls(at).filter(project=project), room),
        "webhook events": lambda room: _delete(
            webhook_events(at).filter(endpoint__project=project), room
        ),
    }
    deleted: Counter[str] = Counter()
    for kind in due:
        deleted[kind] = delete[kind](BATCH - deleted.total())
    return _recorded(deleted, project, at, **context)


@transaction.atomic
def _purge_the_rest(at: datetime, **context: Unpack[ActorContext]) -> Counter[str]:
    """Delete at most BATCH rows that belong to no project."""
    events = AuditEvent.objects.filter(project=None).outlived(at)
    newest = events.newest_first().first()
    deleted: Counter[str] = Counter()
    deleted["audit events"] = _delete_events(events, BATCH, at)
    # The newest event's number shows how much of the trail was deleted.
    if newest is not None:
        _recorded(deleted, newest, at, **context)
    deleted["sessions"] = _delete(sessions(at), BATCH - deleted.total())
    return +deleted


def _recorded(
    deleted: Counter[str], target: models.Model, at: datetime, **context: Unpack[ActorContext]
) -> Counter[str]:
    """Record the counts above 0 in the audit trail and return them."""
    deleted = +deleted
    if deleted:
        AuditEvent.record(ACTION, target, reason=in_words(deleted), at=at, **context)
    return deleted


def in_words(counts: Counter[str]) -> str:
    """Return counts in words, such as "attempts 3, students 1"."""
    return ", ".join(f"{kind} {counts[kind]}" for kind in KINDS if counts[kind])


def _lock(rows: QuerySet[Any], room: int) -> list[Any]:
    """Lock at most `room` rows, skipping locked ones, and return their keys."""
    free = rows.order_by("pk").select_for_update(skip_locked=True)
    return list(free.values_list("pk", flat=True)[: max(room, 0)])


def _delete(rows: QuerySet[Any], room: int) -> int:
    """Delete at most `room` rows, with the link events of links; return how many."""
    locked = _lock(rows, room)
    if locked:
        rows.model._base_manager.filter(pk__in=locked).delete()
    return len(locked)


def _delete_attempts(rows: QuerySet[Assessment], room: int) -> int:
    """Delete at most `room` attempts with their answers, links and link events."""
    locked = _lock(rows, room)
    if locked:
        Answer.objects.filter(assessment__in=locked).delete()
        AssessmentLink.objects.filter(assessment__in=locked).delete()
        Assessment.objects.filter(pk__in=locked).delete()
    return len(locked)


def _delete_students(project: Project, room: int) -> int:
    """Delete at most `room` students of a project without links and attempts."""
    alone = _students_without(AssessmentLink.objects.all(), Assessment.objects.all())
    alone = alone.filter(project=project)
    locked = _lock(alone, room)
    if not locked:
        return 0
    # Filtered again, because a link may have been issued before the lock.
    return alone.filter(pk__in=locked).delete()[0]


def _delete_events(rows: Any, room: int, at: datetime) -> int:
    locked = _lock(rows, room)
    count: int = AuditEvent.objects.filter(pk__in=locked).outlived(at).delete()[0] if locked else 0
    return count
