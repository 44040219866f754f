"""What events of webhooks tell: ends that pass by the clock are stored here, bodies are made here.

What ends by an act is stored in its transaction: `WebhookEvent.objects.record_end`.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from assessments.models.attempt_states import Status
from assessments.models.attempts import Assessment
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
    behind = WebhookEndpoint.objects.filter(swept_until__lt=until)
    return sum(_sweep(endpoint, until) for endpoint in behind)


def _sweep(endpoint: WebhookEndpoint, until: datetime) -> int:
    period = (max(endpoint.created_at, endpoint.swept_until - AGAIN), until)
    stored = 0
    if endpoint.sends_abandoned:
        late = Assessment.objects.filter(completed_at=None, abandoned_at=None)
        stored += _store(endpoint, Kind.ABANDONED, late, "finish_by_at", period)
    if endpoint.sends_expired_links:
        unused = AssessmentLink.objects.filter(used_at=None, cancelled_at=None)
        stored += _store(endpoint, Kind.LINK_EXPIRED, unused, "expires_at", period)
    # After all events are stored, and never backwards.
    WebhookEndpoint.objects.filter(pk=endpoint.pk, swept_until__lt=until).update(swept_until=until)
    return stored


def _store(
    endpoint: WebhookEndpoint,
    kind: Kind,
    rows: QuerySet[Assessment] | QuerySet[AssessmentLink],
    ends: str,
    period: tuple[datetime, datetime],
) -> int:
    """Store the events of the project's rows that ended in a period and have none yet."""
    since, until = period
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
    at, data = event.created_at, dict[str, Any]()
    if event.assessment:
        at, data = ended_at(event.assessment), _of_attempt(event.assessment)
        links = AssessmentLink.objects.that_started(
            Assessment.objects.filter(pk=event.assessment.pk)
        )
    elif event.link:
        at, data = event.link.expires_at, _of_link(event.link)
        links = AssessmentLink.objects.filter(pk=event.link.pk)
    if data and event.endpoint.sends_reference:
        data["Reference"] = links.values_list("reference", flat=True).first() or None
    body = {"type": event.kind, "timestamp": rfc3339(at), "data": data}
    return json.dumps(body, separators=(",", ":"))


def _of_attempt(attempt: Assessment) -> dict[str, Any]:
    return {
        "AssessmentId": attempt.assessment_id,
        "Status": (Status.COMPLETED if attempt.completed_at else Status.ABANDONED).value,
        "EndedAt": rfc3339(ended_at(attempt)),
    }


def _of_link(link: AssessmentLink) -> dict[str, Any]:
    return {"LinkId": link.link_id, "ExpiresAt": rfc3339(link.expires_at)}
