"""What /metrics says of the outbox."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import WebhookEndpoint, WebhookEvent
from config import metric_states
from partners.models import Project
from tests.assessments.attempts import started
from tests.assessments.webhooks.endpoints import WHO, set_up

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


def scraped() -> dict[tuple[str, str], float]:
    return {
        (sample.name, "".join(sample.labels.values())): sample.value
        for family in metric_states.collect()
        for sample in family.samples
    }


def test_metrics_show_what_waits_fails_and_is_off(project: Project) -> None:
    endpoint = set_up(project)
    for number in range(2):
        started(project, email=f"s{number}@example.com").abandon()
    first, second = WebhookEvent.objects.order_by("pk")
    assert first.lease()
    first.failed(None, "timeout", actor=WHO)
    WebhookEndpoint.objects.update(paused_until=None)
    WebhookEvent.objects.filter(pk=second.pk).update(
        next_try_at=timezone.now() - timedelta(minutes=10)
    )

    found = scraped()

    assert found["assess_webhooks_waiting", ""] == 2
    assert 595 < found["assess_webhooks_overdue_seconds", ""] < 660
    assert found["assess_webhooks_failed", "timeout"] == 1
    assert found["assess_webhooks_failed", "status"] == 0
    assert found["assess_webhooks_switched_off", ""] == 0

    endpoint.switch_off(reason="failed for 3 days: timeout", by_failure=True, actor=WHO)
    assert scraped()["assess_webhooks_switched_off", ""] == 1
    assert scraped()["assess_webhooks_overdue_seconds", ""] == 0
