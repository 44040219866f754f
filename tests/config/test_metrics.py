"""/metrics: who may read it, how requests are counted, which states it names, and nobody."""

import io
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.test import RequestFactory
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from assessments.models import WebhookEndpoint
from assessments.webhooks.sender import ERRORS
from config import metrics
from partners.models import LastSuccess
from partners.models.projects import TEST_TRAFFIC
from tests.assessments.attempts import DETAILS, issue, started
from tests.assessments.partner import CHECK, LINK, Backend
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import BY, ProjectFactory
from tests.support.clients import exchange
from tests.support.databases import free_port
from tests.support.programs import until
from tokens import crypto, limits
from tokens.crypto import new_secret

TOKEN = "a-token-of-the-tests-and-of-nothing-else"
PROJECT = "prj_0123456789abcdef"
ATTEMPT = "asm_0123456789abcdef"


@pytest.fixture
def token(settings):
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


@pytest.mark.django_db
def test_the_token_opens_it_by_the_machines_address_and_over_http(token, client, settings):
    settings.SECURE_COOKIES = settings.SECURE_SSL_REDIRECT = True
    headers = {"Authorization": f"Bearer {token}", "Host": "10.1.2.3:8000"}

    response = client.get("/metrics", headers=headers)

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    names = {family.name for family in text_string_to_metric_families(response.text)}
    assert {"assess_build_info", "assess_component_up", "assess_attempts"} <= names
    refused = client.post("/metrics", headers=headers)
    assert (refused.status_code, refused.headers["Allow"]) == (405, "GET, HEAD")


def test_nothing_else_opens_it(token, client):
    for header in (None, "Bearer ", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer ключ"):
        response = client.get("/metrics", headers={"Authorization": header} if header else {})
        assert (response.status_code, response.content) == (401, b"")
        assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer ", "Bearer x"])
def test_without_a_token_it_is_an_unknown_address(client, header):
    answers = [client.get(path, headers={"Authorization": header}) for path in ("/metrics", "/no")]

    first, second = [
        (each.status_code, each.headers.keys(), re.sub(r"[0-9a-f]{32}", "", each.text))
        for each in answers
    ]
    assert first == second
    assert first[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/partner/get-redirect-url", "get-redirect-url"),
        ("POST", "/partner/get-assessments-info", "get-assessments-info"),
        ("GET", f"/{PROJECT}/assessment", "landing"),
        ("POST", f"/{PROJECT}/assessment", "start"),
        ("GET", f"/{PROJECT}/assessment/{ATTEMPT}/7", "question"),
        ("POST", f"/{PROJECT}/assessment/{ATTEMPT}/7", "answer"),
        ("GET", f"/{PROJECT}/assessment/{ATTEMPT}/subjects", "question"),
        ("POST", f"/{PROJECT}/assessment/{ATTEMPT}/subjects", "answer"),
        ("POST", f"/{PROJECT}/assessment/{ATTEMPT}/ideas", "answer"),
        ("POST", f"/{PROJECT}/assessment/{ATTEMPT}/leave", "leave"),
        ("GET", f"/{PROJECT}/assessment/{ATTEMPT}/result", "result"),
        ("GET", "/admin/", "admin"),
        ("GET", "/openapi.json", "docs"),
        ("GET", "/static/student.1f.css", "static"),
        *(("GET", path, "probe") for path in ("/healthz", "/readyz", "/metrics")),
        # Whatever else is sent shares one name.
        *(("GET", path, "other") for path in ("", "/", "*", "/partner/get-redirect-url/")),
        *(("GET", f"/{PROJECT}{end}", "other") for end in ("/assessment/7", "/assessment\n")),
    ],
)
def test_a_request_has_one_of_a_few_names(method, path, name):
    assert metrics.operation(method, path) == name
    assert name in metrics.OPERATIONS


def unavailable(environ, start_response):
    start_response("503 Service Unavailable", [])
    return [b"{}"]


def crashing(environ, start_response):
    raise RuntimeError("beyond Django")


def counts(operation, status):
    """Return how many such requests were counted and timed so far, here in one process."""
    counted = metrics.REQUESTS.labels(operation, status).collect()
    timed = metrics.SECONDS.labels(operation).collect()
    return tuple(
        next(
            sample.value for each in metric for sample in each.samples if sample.name.endswith(end)
        )
        for metric, end in ((counted, "_total"), (timed, "_count"))
    )


@pytest.mark.parametrize(
    ("application", "path", "operation", "status"),
    [(unavailable, "/readyz", "probe", "503"), (crashing, "/nothing", "other", "500")],
)
def test_an_answer_and_what_raises_through_everything_are_counted_and_timed(
    token, application, path, operation, status
):
    lines = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "wsgi.input": io.BytesIO()}
    counted, timed = counts(operation, status)

    try:
        list(metrics.counted(application)(environ, lambda line, *rest: lines.append(line)))
    except RuntimeError:
        lines.append("500 raised on")

    assert [line[:3] for line in lines] == [status]
    assert counts(operation, status) == (counted + 1, timed + 1)


@pytest.mark.parametrize("is_test", [False, True])
def test_pages_and_calls_of_a_test_project_are_not_counted(token, bank, client, is_test):
    backend = Backend.of(ProjectFactory.create(is_test=is_test))
    page = client.get(issue(backend.project)[1])
    call = backend.post(CHECK, backend.body(CHECK))

    for answer, name in ((page, "landing"), (call, "check-credentials")):
        counted, timed = counts(name, "503")
        # The view has marked the request in its environ.
        list(metrics.counted(unavailable)(answer.wsgi_request.environ, lambda *_: None))
        assert counts(name, "503") == (counted + (not is_test), timed + (not is_test))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "secret, a_minute, status, is_marked",
    [("its own", 0, 401, True), ("another", 30, 401, False), ("another", 0, 429, False)],
)
def test_a_refused_call_of_a_test_project_is_marked_if_its_secret_was_right(
    settings, failure_log, secret, a_minute, status, is_marked
):
    settings.FAILED_CREDENTIALS_PER_MINUTE = a_minute
    backend = Backend.of(ProjectFactory.create(is_test=True))
    backend.token.revoke(by=BY)
    if secret == "another":
        backend = replace(backend, credential=f"{backend.token.token_id}:{new_secret()}")

    call = backend.post(CHECK, backend.body(CHECK))

    assert call.status_code == status
    assert call.wsgi_request.META.get(TEST_TRAFFIC, False) is is_marked


def scraped():
    """Return the gauges by name and the value of their one label."""
    request = RequestFactory().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    text = metrics.metrics(request).text
    return {
        " ".join([sample.name.removeprefix("assess_"), *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        if family.type == "gauge"
        for sample in family.samples
        if not sample.name.endswith(("_created", "_build_info"))
    }


def up(database, limiter, migrations):
    found = {"database": database, "clock": database, "limiter": limiter, "migrations": migrations}
    ahead = {"clock_ahead_seconds": pytest.approx(0, abs=1)} if database else {}
    return {f"component_up {name}": state for name, state in found.items()} | ahead


def fail(*args):
    raise OperationalError("could not connect to server db.internal as user svc")


def test_without_its_database_it_says_so_and_counts_no_rows(token, monkeypatch):
    monkeypatch.setattr(connection, "ensure_connection", fail)

    assert scraped() == up(0, 1, 0)


@pytest.mark.django_db
def test_counts_that_take_too_long_are_left_out_and_a_limiter_that_is_down_is_named(
    token, monkeypatch
):
    monkeypatch.setattr("config.metrics.live_counts", fail)
    monkeypatch.setattr(limits, "store_is_healthy", lambda: False)

    assert scraped() == up(1, 0, 1)


def test_it_counts_states_of_live_projects_and_late_tasks_and_names_nobody(
    token, client, project, bank
):
    now, sandbox = timezone.now(), ProjectFactory.create(is_test=True)
    set_up(sandbox)
    started(sandbox).abandon()
    WebhookEndpoint.objects.update(switched_off_at=now, failing_since=now)
    issue(project)
    LastSuccess.objects.note("purge", now - timedelta(days=3))
    LastSuccess.objects.note("backup", now)

    found = scraped()

    last_success = "task_succeeded_timestamp_seconds"
    zeros = [f"links_last_hour {event}" for event in ("expired", "cancelled")]
    zeros += [f"attempts_last_hour {event}" for event in ("started", "completed", "abandoned")]
    zeros += ["attempts open", "webhooks_waiting", "webhooks_overdue_seconds"]
    zeros += ["webhooks_switched_off", *(f"webhooks_failed {error}" for error in ERRORS)]
    # Nobody has webhooks, so nobody needs to deliver them.
    zeros += ["task_overdue backup", "task_overdue deliver_webhooks"]
    assert found == {
        **up(1, 1, 1),
        **dict.fromkeys(zeros, 0),
        "links waiting": 1,
        "links_last_hour issued": 1,
        "feed_behind_seconds": pytest.approx(60, abs=5),
        f"{last_success} backup": pytest.approx(now.timestamp()),
        f"{last_success} purge": pytest.approx(now.timestamp() - 3 * 86400),
        "task_overdue purge": 1,
    }
    text = client.get("/metrics", headers={"Authorization": f"Bearer {token}"}).text
    names = [project.project_id, project.name, project.partner.name]
    for private in (*DETAILS.values(), *names, "tok_", "sec_", "127.0.0.1"):
        assert private not in text


METRICS_TOKEN = "m" * 32
WRONG = f"tok_0000000000000000:{crypto.new_secret()}"
IN_MEMORY = "assess_limit_counted_in_memory_total"


def call(service, times):
    """Call with a wrong credential, which the limiter counts; return the statuses."""

    def once(_):
        return exchange(service, "POST", LINK, b"{}", X_Access_Token=WRONG)[0].status

    with ThreadPoolExecutor(8) as pool:
        return set(pool.map(once, range(times)))


def counted(service, name, **labels):
    """Return the sum of a metric's samples with these labels, as any of the workers says."""
    _, body = exchange(service, "GET", "/metrics", Authorization=f"Bearer {METRICS_TOKEN}")
    families = text_string_to_metric_families(body.decode())
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(each.value for each in samples if labels.items() <= each.labels.items())


def refused(service):
    labels = {"operation": "get-redirect-url", "status": "401"}
    return counted(service, "assess_requests_total", **labels)


def workers(service):
    children = Path(f"/proc/{service.pid}/task/{service.pid}/children").read_text().split()
    return [int(child) for child in children]


@pytest.mark.slow
def test_each_worker_says_what_all_have_counted_and_a_killed_one_loses_no_count(start_service):
    away = f"redis://127.0.0.1:{free_port()}/0"
    service = start_service(
        METRICS_TOKEN=METRICS_TOKEN,
        WEB_CONCURRENCY="2",
        REDIS_URL=away,
        FAILED_CREDENTIALS_PER_MINUTE="1000",
    )
    before = refused(service)

    assert call(service, 40) == {401}

    # Which of the two answers is up to the system: each alone has counted a part of them.
    assert {refused(service) for _ in range(8)} == {before + 40}
    # Redis is away. A counter without labels is made before the workers are forked.
    assert {counted(service, IN_MEMORY) for _ in range(8)} == {40}
    assert counted(service, "assess_workers_ended_total") == 0
    # The files that the living workers count in.
    maps = "".join(Path(f"/proc/{each}/maps").read_text() for each in workers(service))
    [folder] = {Path(word).parent for word in maps.split() if "/assess-metrics-" in word}
    killed = workers(service)[0]

    os.kill(killed, signal.SIGKILL)
    until(lambda: killed not in workers(service) and len(workers(service)) == 2, 20)

    assert refused(service) == before + 40
    assert counted(service, "assess_workers_ended_total") == 1
    call(service, 20)
    assert refused(service) == before + 60
    service.stop()
    assert not folder.exists()
