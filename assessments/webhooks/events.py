"""What events of webhooks tell: ends that pass by the clock are stored here, bodies are made here.

What ends by an act is stored in its transaction: `WebhookEvent.objects.record_end`.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from assessments.models.attempts import Assessment
from assessments.models.ends import Status
from assessments.models.feed import shown_until
from assessments.models.links import AssessmentLink
from assessments.models.retention import ended_at
from assessments.webhooks.models import Kind, WebhookEndpoint, WebhookEvent
from partners.times import rfc3339

BATCH = 500
# Looked through again each time, so that nothing is missed if a clock was set back.
AGAIN = timedelta(hours=1)


def store_past_ends(until: datetime | None = None) -> int:
    """Store the events of all ends by time up to `until`, for every endpoint. Return how many.

    Without `until`, goes as far as `list-assessments` does, so that no attempt is completed after
    its event said that it was abandoned. Safe to run several times at once.
    """
    until = until or shown_until()
    stored = 0
    for endpoint in WebhookEndpoint.objects.filter(swept_until__lt=until):
        if endpoint.sends_abandoned:
            late = Assessment.objects.filter(completed_at=None, abandoned_at=None)
            stored += _store(endpoint, Kind.ABANDONED, late, "finish_by_at", until)
        if endpoint.sends_expired_links:
            unused = AssessmentLink.objects.filter(used_at=None, cancelled_at=None)
            stored += _store(endpoint, Kind.LINK_EXPIRED, unused, "expires_at", until)
        # After all events are stored, and never backwards.
        behind = WebhookEndpoint.objects.filter(pk=endpoint.pk, swept_until__lt=until)
        behind.update(swept_until=until)
    return stored


def _store(
    endpoint: WebhookEndpoint,
    kind: Kind,
    rows: QuerySet[Assessment] | QuerySet[AssessmentLink],
    ends: str,
    until: datetime,
) -> int:
    """Store the events of the project's rows that ended since the last time and have none yet."""
    since = max(endpoint.created_at, endpoint.swept_until - AGAIN)
    ended = rows.filter(
        **{f"{ends}__gt": since, f"{ends}__lte": until},
        student__project=endpoint.project_id,
        student__email_key__contains="@",  # not erased
        webhook_events=None,
    ).order_by(ends, "pk")
    key = "link_id" if kind == Kind.LINK_EXPIRED else "assessment_id"
    stored = 0
    while found := list(ended.values_list("pk", flat=True)[:BATCH]):
        events = [WebhookEvent(kind=kind, **{key: pk}) for pk in found]
        WebhookEvent.objects.store(endpoint, events, until)
        stored += len(found)
    return stored


def body_of(event: WebhookEvent) -> str:
    """Return the JSON of an event: its type, the time of what it tells of, and the data."""
    attempt, link, data = event.assessment, event.link, dict[str, Any]()
    at = event.created_at
    if attempt:
        at = ended_at(attempt)
        status = Status.COMPLETED if attempt.completed_at else Status.ABANDONED
        data = {"AssessmentId": attempt.assessment_id, "Status": status.value}
        data["EndedAt"] = rfc3339(at)
    elif link:
        at = link.expires_at
        data = {"LinkId": link.link_id, "ExpiresAt": rfc3339(at)}
    if data and event.endpoint.sends_reference:
        if attempt:
            of_attempt = Assessment.objects.filter(pk=attempt.pk)
            link = AssessmentLink.objects.that_started(of_attempt).first()
        data["Reference"] = (link.reference or None) if link else None
    body = {"type": event.kind, "timestamp": rfc3339(at), "data": data}
    return json.dumps(body, separators=(",", ":"))
