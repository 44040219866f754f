"""Gauges of `/metrics`: readiness, links and attempts."""

from __future__ import annotations

import functools
import logging
import tomllib
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric

from assessments.models import WebhookEndpoint, WebhookEvent, feed
from assessments.models.live_counts import AT_MOST, live_counts
from assessments.support.attention import overdue_tasks, segments_waiting
from assessments.webhooks.sender import ERRORS
from config import health
from partners.models import LastSuccess
from partners.models.last_successes import PERIODS

logger = logging.getLogger(__name__)


def collect() -> Iterable[Metric]:
    """Return the current states. Leaves out links and attempts if the database is down."""
    yield InfoMetricFamily("assess_build", "The release.", value={"version": _version()})
    found = health.states()
    up = {component: float(state == health.OK) for component, state in found.items()}
    yield _gauge("assess_component_up", "1 where /readyz says ok.", "component", up)
    if found["database"] != health.OK:
        return
    try:
        counts = live_counts()
        others = [*_delivery_metrics(), *_task_metrics()]
    except DatabaseError:
        logger.exception("Metrics: links and attempts could not be counted.")
        return
    bound = f"Counted up to {AT_MOST}."
    yield _gauge("assess_links", f"Links that can be started. {bound}", "state", counts.links)
    yield _gauge(
        "assess_links_last_hour",
        f"Links issued, expired unused and cancelled in the last hour. {bound}",
        "event",
        counts.links_last_hour,
    )
    yield _gauge("assess_attempts", f"Attempts in progress. {bound}", "state", counts.attempts)
    yield _gauge(
        "assess_attempts_last_hour",
        f"Attempts started, completed and abandoned in the last hour. {bound}",
        "event",
        counts.attempts_last_hour,
    )
    yield from others


def _delivery_metrics() -> Iterable[Metric]:
    """Return the state of what tells partners of ends: feed, outbox and endpoints."""
    yield GaugeMetricFamily(
        "assess_feed_behind_seconds",
        "How far list-assessments is behind now, 60 at least.",
        value=(timezone.now() - feed.shown_until()).total_seconds(),
    )
    queue = WebhookEvent.objects.queue()
    yield GaugeMetricFamily("assess_webhooks_waiting", "Events to send.", value=queue.waiting)
    yield GaugeMetricFamily(
        "assess_webhooks_overdue_seconds",
        "How long an event has been due that no deliverer has sent.",
        value=queue.overdue.total_seconds(),
    )
    failed = {code: queue.failed.get(code, 0) for code in ERRORS}
    about = "Events to send again, by why their last try failed."
    yield _gauge("assess_webhooks_failed", about, "error", failed)
    yield GaugeMetricFamily(
        "assess_webhooks_switched_off",
        "Endpoints of live projects that were switched off because they failed for three days.",
        value=WebhookEndpoint.objects.off_by_failure().filter(project__is_test=False).count(),
    )


def _task_metrics() -> Iterable[Metric]:
    """Return when each scheduled task last succeeded, and which should have succeeded again."""
    succeeded = {
        row.task: row.succeeded_at.timestamp()
        for row in LastSuccess.objects.all()
        if row.succeeded_at
    }
    about = "When the task last succeeded, for those that ever did."
    yield _gauge("assess_task_succeeded_timestamp_seconds", about, "task", succeeded)
    late = {row.task for row in overdue_tasks(timezone.now())}
    overdue = {task: float(task in late) for task in PERIODS}
    yield _gauge("assess_task_overdue", "1 where “Needs attention” says so.", "task", overdue)
    waiting = segments_waiting()
    if waiting is not None:
        about = "Segments of WAL that PostgreSQL has still to archive. Absent if it archives none."
        yield GaugeMetricFamily("assess_archive_segments_waiting", about, value=waiting)


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values.items():
        gauge.add_metric([value], number)
    return gauge


@functools.cache
def _version() -> str:
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        version: str = tomllib.load(file)["project"]["version"]
    return version
