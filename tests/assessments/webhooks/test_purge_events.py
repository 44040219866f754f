"""Events of webhooks are deleted 30 days after they were stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import WebhookEndpoint, WebhookEvent, retention
from partners.models import Project
from tests.assessments.webhooks.endpoints import WHO, set_up

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.sqlite
def test_events_are_deleted_after_30_days_delivered_or_not(project: Project) -> None:
    endpoint = set_up(project, at=AT)
    for days in (0, 0, 1):
        WebhookEvent.objects.send_test(endpoint, at=AT + timedelta(days=days), actor=WHO)
    WebhookEvent.objects.filter(pk=WebhookEvent.objects.earliest("pk").pk).update(
        next_try_at=None, delivered_at=AT
    )
    at = AT + timedelta(days=30)

    assert retention.forecast(at)[project.pk] == {"webhook events": 2}
    assert [counts for _, counts in retention.purge(at, actor=WHO)] == [{"webhook events": 2}]

    assert WebhookEvent.objects.get().created_at == AT + timedelta(days=1)
    assert WebhookEndpoint.objects.exists()
