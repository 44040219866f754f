"""Files to download: a project's results, and all data about one student."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any, Literal

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from assessments.api.serializers import record
from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.attempts import AttemptQuerySet
from assessments.models.ended import ENDED_AT
from measurement.profile import OVERALL
from measurement.scales import FACETS, INTERESTS, PREFERENCES
from partners.models import Actor, AuditEvent, Project
from partners.spreadsheet import csv_lines, harmless
from partners.times import kept_until, rfc3339

Format = Literal["csv", "json"]
PAGE = 200  # rows in memory at once
# Member of a profile with scales, prefix of their columns, and member of a scale with the score.
SCORES = (
    ("interests", "interest", "mean"),
    ("aptitude", "aptitude", "theta"),
    ("preferences", "preference", "mean"),
)
# Named as in the partner API, if it has them.
COLUMNS = (
    *("AssessmentId", "email", "name", "Status", "startedAt", "endedAt", "AssessmentDuration"),
    *("Recommendations", "language", "lowEffort"),
    *(f"interest_{name}" for name in INTERESTS),
    *(f"aptitude_{name}" for name in (OVERALL, *FACETS)),
    *(f"preference_{name}" for name in PREFERENCES),
)
# Useless to the student, but not to a thief of the file.
SECRET_COLUMNS = frozenset({"token_digest", "browser_digest", "key_digest"})


def results(
    project: Project, as_: Format, *, by: Actor, since: date | None = None
) -> Iterator[str]:
    """Record the export in the audit trail, and return the file in pieces, read as needed.

    Rows are attempts that ended on the day `since` (UTC) or later, the earliest start first.
    """
    at = timezone.now()
    ended, reason_since = Attempt.objects.ended(at).filter(student__project=project), ""
    if since:
        midnight = datetime.combine(since, time(), tzinfo=UTC)
        ended = ended.alias(ended_at=ENDED_AT).filter(ended_at__gte=midnight)
        reason_since = f", ended since {since}"
    reason = f"{as_}, attempts {ended.count()}{reason_since}"
    AuditEvent.record("results.exported", project, by=by, reason=reason, at=at)
    rows = (row(attempt) for attempt in _in_pages(ended))
    if as_ == "json":
        return _json_pieces(rows)
    cells = ([_cell(each[column]) for column in COLUMNS] for each in rows)
    return csv_lines(COLUMNS, cells)


def _in_pages(ended: AttemptQuerySet) -> Iterator[Attempt]:
    """Read page by page, as connection poolers may not allow server-side cursors.

    Each has the `name` on the link that started it: a later link may name somebody else.
    """
    started_by = AssessmentLink.objects.filter(
        attempt=OuterRef("pk"), used_at=OuterRef("started_at")
    ).order_by("pk")
    named = ended.with_progress().annotate(name=Subquery(started_by.values("name")[:1]))
    rows, last = named.select_related("student").order_by("pk"), 0
    while page := list(rows.filter(pk__gt=last)[:PAGE]):
        yield from page
        last = page[-1].pk


def row(attempt: Any) -> dict[str, Any]:
    """Return a value by column; scores only of a completed attempt with its `name`."""
    student = attempt.student
    values: dict[str, Any] = {
        **dict.fromkeys(COLUMNS),
        **record(attempt),
        # Erasure leaves placeholders in these columns.
        "email": None if student.is_erased else student.email,
        "name": None if student.is_erased else attempt.name,
        "startedAt": attempt.started_at,
        "endedAt": attempt.ends_at,
        "language": attempt.language,
        "lowEffort": attempt.validity.flags,
    }
    profile = attempt.profile or {}
    for kind, prefix, score in SCORES:
        for name, scale in profile.get(kind, {}).items():
            values[f"{prefix}_{name}"] = scale[score]
    return values


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        # Course names contain no line breaks, so readers can split the cell.
        return "\n".join(map(harmless, value))
    if isinstance(value, datetime):
        return rfc3339(value)
    return "" if value is None else value


def _json_pieces(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield a JSON array, one row per line, without having all of it in memory."""
    yield "["
    for number, each in enumerate(rows):
        before = ",\n" if number else "\n"
        yield before + json.dumps(each, cls=DjangoJSONEncoder, ensure_ascii=False)
    yield "\n]\n"


def person(student: Student, *, by: Actor) -> dict[str, Any]:
    """Record the export, and return every column about a student except SECRET_COLUMNS."""
    at = timezone.now()
    AuditEvent.record("results.exported", student, by=by, reason="all about one student", at=at)
    links = student.links.newest_first().prefetch_related("events")
    attempts = student.attempts.newest_first().select_related("bank")
    return {
        "project": student.project.project_id,
        **_stored(student),
        "links": [
            {**_stored(link), "events": [_stored(event) for event in link.events.all()]}
            for link in links
        ],
        "attempts": [_attempt(attempt, at) for attempt in attempts],
        # The student may know that staff looked, but not which member of staff.
        "audit_events": [
            {"at": event.at, "action": event.action}
            for event in AuditEvent.objects.about(student).newest_first()
        ],
    }


def _attempt(attempt: Attempt, at: datetime) -> dict[str, Any]:
    items, answers = attempt.cached_bank.items, attempt.answers.order_by("position", "pk")
    return {
        **_stored(attempt),
        "bank": attempt.bank.version,
        "status": attempt.status_at(at).value,
        "kept_until": kept_until(attempt.ends_at.date(), attempt.retention_months),
        "answers": [
            {
                **_stored(answer),
                "item": (item := items[answer.item_id]).code,
                "text": item.content["text"].get(answer.language or attempt.language),
            }
            for answer in answers
        ],
        "private_links": [_stored(link) for link in attempt.private_links.all()],
    }


def _stored(row: models.Model) -> dict[str, Any]:
    return {
        field.name: field.value_from_object(row)
        for field in row._meta.concrete_fields
        if not field.is_relation and not field.primary_key and field.name not in SECRET_COLUMNS
    }
