"""Rows of webhooks that the database refuses, for tests/assessments/test_constraints.py."""

from datetime import UTC, datetime

from assessments.models import WebhookEndpoint, WebhookEvent
from tests.factories import AssessmentFactory, AssessmentLinkFactory, ProjectFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def endpoint(**fields):
    values = {"url": "https://hooks.example.com/", "created_at": AT, "swept_until": AT, **fields}
    return WebhookEndpoint.objects.create(project=ProjectFactory.create(), **values)


def event(kind="webhook.test", **fields):
    return WebhookEvent.objects.create(endpoint=endpoint(), kind=kind, created_at=AT, **fields)


def same_attempt():
    attempt = AssessmentFactory.create(started_at=AT)
    event("assessment.completed", assessment=attempt)
    event("assessment.abandoned", assessment=attempt)


def same_link():
    link = AssessmentLinkFactory.create(issued_at=AT)
    event("link.expired", link=link)
    event("link.expired", link=link)


REFUSED = [
    ("webhookendpoint_url_not_empty", lambda: endpoint(url="")),
    ("webhookendpoint_version_positive", lambda: endpoint(secret_version=0)),
    ("webhookendpoint_previous_needs_one", lambda: endpoint(previous_until=AT)),
    ("webhookendpoint_why_needs_off", lambda: endpoint(switched_off_why="moving")),
    ("webhookevent_assessment_once", same_attempt),
    ("webhookevent_link_once", same_link),
    ("webhookevent_about_what_it_says", lambda: event("assessment.completed")),
    ("webhookevent_about_what_it_says", lambda: event("link.expired")),
    ("webhookevent_about_what_it_says", lambda: event("link.opened")),
    (
        "webhookevent_about_what_it_says",
        lambda: event(link=AssessmentLinkFactory.create(issued_at=AT)),
    ),
    ("webhookevent_delivered_not_queued", lambda: event(delivered_at=AT, next_try_at=AT)),
]
