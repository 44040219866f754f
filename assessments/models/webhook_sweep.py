"""Events of what ends by passing a time: an attempt's finish-by, the expiry of an unused link."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from assessments.models.attempts import Assessment
from assessments.models.feed import shown_until
from assessments.models.links import AssessmentLink
from assessments.models.webhook_events import Kind, WebhookEvent
from assessments.models.webhooks import WebhookEndpoint

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
