"""Events of webhooks as staff read them."""

from __future__ import annotations

from typing import Any

from assessments.models import WebhookEndpoint, WebhookEvent
from assessments.webhooks.sending import ERRORS
from partners.times import moment_in_words


def event_row(event: WebhookEvent, endpoint: WebhookEndpoint) -> dict[str, Any]:
    """Return what the list of events shows of one."""
    zone = endpoint.project.time_zone
    return {
        "id": event.event_id,
        "kind": event.kind,
        "about": event.assessment or (event.link and (event.link.link_id or event.link)) or "",
        "at": moment_in_words(event.created_at, zone),
        "outcome": _outcome(event, endpoint),
        "may_replay": event.kind != "webhook.test" and endpoint.is_on,
    }


def _outcome(event: WebhookEvent, endpoint: WebhookEndpoint) -> str:
    zone = endpoint.project.time_zone
    if event.delivered_at:
        return f"delivered {moment_in_words(event.delivered_at, zone)} ({event.last_status})"
    error = ERRORS.get(event.last_error, "")
    status = f" ({event.last_status})" if event.last_status else ""
    failed = f"{error}{status}"
    if event.next_try_at:
        if not event.tries:
            return "waits to be sent"
        next_try = moment_in_words(event.next_try_at, zone)
        return f"try {event.tries} failed: {failed}; next try {next_try}" if error else "being sent"
    if event.tries:
        return f"not delivered: {failed}"
    return "stored while webhooks were off"
