"""Metrics at /metrics for Prometheus: counters of all workers, and gauges read at each scrape."""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from assessments.api import failure_log, urls
from assessments.desk.attention import overdue_tasks
from assessments.figures.live_counts import MAX_COUNTED, live_counts
from assessments.models import WebhookEndpoint, WebhookEvent, feed
from assessments.models.ended import database_now
from assessments.webhooks.sender import ERRORS
from config import health, metric_files, overload
from partners.models import LastSuccess
from partners.models.last_successes import PERIODS
from partners.models.projects import TEST_TRAFFIC
from tokens import limit_store, limits

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

# From the time of a call on an idle machine to longer than any client waits.
BUCKETS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Counter("assess_requests", "Requests answered.", ["operation", "status"], registry=None)
SECONDS = Histogram(
    "assess_request_seconds",
    "From the request's arrival in a thread to its answer.",
    ["operation"],
    buckets=BUCKETS,
    registry=None,
)
# Counted by the process that starts the workers.
WORKERS_ENDED = Counter(
    "assess_workers_ended", "Workers that ended while gunicorn ran.", registry=None
)
COUNTED = (
    *(REQUESTS, SECONDS, overload.WAITED, WORKERS_ENDED),
    *(limits.DECISIONS, limit_store.COUNTED_IN_MEMORY, failure_log.LOST),
)

_ARCHIVED = """
SELECT failed_count, last_archived_wal, pg_current_wal_lsn() - '0/0', setting::bigint
FROM pg_stat_archiver, pg_settings WHERE name = 'wal_segment_size'
AND current_setting('archive_mode') <> 'off' AND NOT pg_is_in_recovery()
"""
_OF_PARTNERS = tuple(each.name for each in urls.OPERATIONS)
_BY_FIRST_PART = {
    **{"admin": "admin", "docs": "docs", "openapi.json": "docs", "static": "static"},
    **dict.fromkeys(("healthz", "readyz", "metrics"), "probe"),
}
_OF_STUDENTS = re.compile(
    r"/prj_[A-Za-z0-9]{16}/(?i:assessment)(?:/$)?"
    r"(/asm_[A-Za-z0-9]{16}(?:/(leave|result|subjects|ideas|[0-9]{1,4}))?)?"
)
OPERATIONS = (
    *_OF_PARTNERS,
    *("landing", "start", "question", "answer", "leave", "result"),
    *("admin", "docs", "static", "probe", "other"),
)


def counted(application: WSGIApplication) -> WSGIApplication:
    """Return the application, its requests counted unless metrics are off."""
    if not settings.METRICS_TOKEN:
        return application
    for each in OPERATIONS:
        # Start at 0: a counter that first appears with 1 has no rate until the second failure.
        REQUESTS.labels(each, "500")

    def counting(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        # gunicorn answers an exception that nothing else handled.
        status = "500"

        def start(line: str, *rest: Any) -> Callable[[bytes], object]:
            nonlocal status
            status = line[:3]
            return start_response(line, *rest)

        try:
            return application(environ, start)
        finally:
            if TEST_TRAFFIC not in environ:
                name = operation(environ["REQUEST_METHOD"], environ.get("PATH_INFO", ""))
                count, time = _series(name, status)
                count.inc()
                time.observe(perf_counter() - began)

    return counting


@cache
def _series(operation: str, status: str) -> tuple[Counter, Histogram]:
    """Look each series up once: `labels()` costs more than counting. No label is a caller's."""
    return REQUESTS.labels(operation, status), SECONDS.labels(operation)


def operation(method: str, path: str) -> str:
    first, _, rest = path.removeprefix("/").partition("/")
    if first == "partner" and rest in _OF_PARTNERS:
        return rest
    if page := _OF_STUDENTS.fullmatch(path):
        posts = method == "POST"
        if page[1] is None:
            return "start" if posts else "landing"
        if page[2] in ("leave", "result"):
            return page[2]
        return "answer" if posts else "question"
    return _BY_FIRST_PART.get(first, "other")


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a scraper with the METRICS_TOKEN. Any other caller gets a bare 401."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    # compare_digest accepts non-ASCII only as bytes.
    given = request.META.get("HTTP_AUTHORIZATION", "").encode(errors="replace")
    if not secrets.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(Everything()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class Everything:
    """A collector of the counts of all workers and the current states."""

    def collect(self) -> Iterable[Metric]:
        if metric_files.VARIABLE in os.environ:
            yield from MultiProcessCollector(None).collect()
        else:
            for each in COUNTED:
                yield from each.collect()
        yield from states()


def states() -> Iterable[Metric]:
    """Yield the current states, without counts of rows if the database is down or too slow."""
    yield InfoMetricFamily("assess_build", "The release.", value={"version": settings.VERSION})
    components = health.states()
    up = {component: float(state == health.OK) for component, state in components.items()}
    yield _gauge("assess_component_up", "1 where /readyz says ok.", "component", up)
    if components["database"] != health.OK:
        return
    try:
        now = timezone.now()
        yield GaugeMetricFamily(
            "assess_clock_ahead_seconds",
            "How far this machine's clock is ahead of the database's; negative if it is behind.",
            value=(now - database_now(now)).total_seconds(),
        )
        yield from list(_states_of_rows())
    except DatabaseError:
        logger.exception("Metrics: links and attempts could not be counted.")


def _states_of_rows() -> Iterable[Metric]:
    counts = live_counts()
    bound = f"Counted up to {MAX_COUNTED}."
    yield _gauge("assess_links", f"Links that can be started. {bound}", "state", counts["links"])
    about = f"Links issued, expired unused and cancelled in the last hour. {bound}"
    yield _gauge("assess_links_last_hour", about, "event", counts["links_last_hour"])
    yield _gauge("assess_attempts", f"Attempts in progress. {bound}", "state", counts["attempts"])
    about = f"Attempts started, completed and abandoned in the last hour. {bound}"
    yield _gauge("assess_attempts_last_hour", about, "event", counts["attempts_last_hour"])

    behind = (timezone.now() - feed.shown_until()).total_seconds()
    about = "How far list-assessments is behind now, 60 at least."
    yield GaugeMetricFamily("assess_feed_behind_seconds", about, value=behind)
    events = WebhookEvent.objects.filter(endpoint__project__is_test=False)
    waiting = events.queued().count()
    yield GaugeMetricFamily("assess_webhooks_waiting", "Events to send.", value=waiting)
    about = "How long an event has been due that no deliverer has sent."
    overdue = events.overdue().total_seconds()
    yield GaugeMetricFamily("assess_webhooks_overdue_seconds", about, value=overdue)
    failed = dict.fromkeys(ERRORS, 0) | events.failures()
    about = "Events to send again, by why their last try failed."
    yield _gauge("assess_webhooks_failed", about, "error", failed)
    off = WebhookEndpoint.objects.off_by_failure().filter(project__is_test=False).count()
    about = "Endpoints of live projects that we switched off: they failed for days or answered 410."
    yield GaugeMetricFamily("assess_webhooks_switched_off", about, value=off)

    tasks = LastSuccess.objects.values_list("task", "succeeded_at")
    succeeded = {task: at.timestamp() for task, at in tasks if at}
    about = "When the task last succeeded, for those that ever did."
    yield _gauge("assess_task_succeeded_timestamp_seconds", about, "task", succeeded)
    late = {row.task for row in overdue_tasks(timezone.now())}
    is_late = {task: float(task in late) for task in PERIODS}
    yield _gauge("assess_task_overdue", "1 where “Needs attention” says so.", "task", is_late)
    segments = segments_waiting()
    if segments is not None:
        about = "Segments of WAL that PostgreSQL has still to archive. Absent if it archives none."
        yield GaugeMetricFamily("assess_archive_segments_waiting", about, value=segments)


def segments_waiting() -> int | None:
    """Return how many whole segments of WAL the primary has still to archive.

    Before the first, return the number of failures. None on SQLite, a standby or without archiving.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(_ARCHIVED)
        row = cursor.fetchone()
    if row is None:
        return None
    failed, name, written, size = row
    # A new or restored primary has archived nothing, or only the history of its timeline.
    if not re.match("[0-9A-F]{24}", name or ""):
        return int(failed)
    # The last 16 digits are the number of the file's 4 GB, and that of the segment within.
    archived: int = int(name[8:16], 16) * (2**32 // size) + int(name[16:24], 16)
    return max(0, int(written // size) - archived - 1)


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values.items():
        gauge.add_metric([value], number)
    return gauge
