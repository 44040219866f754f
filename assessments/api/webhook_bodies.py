"""The bodies of webhooks. Made at each try, so that the outbox holds nothing about a person."""

from __future__ import annotations

import json
from typing import Any

from assessments.models import Assessment, AssessmentLink, WebhookEvent
from assessments.models.attempt_states import Status
from assessments.models.retention import ended_at
from partners.times import rfc3339


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
