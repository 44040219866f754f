"""A running service whose database is locked, gone or broken: what is kept, what is logged."""

import json
import time
from contextlib import closing

import psycopg
import pytest

from tests.config.test_metrics import METRICS_TOKEN, counted
from tests.support import hygiene
from tests.support.backend import Applicant, PartnerBackend, Refused
from tests.support.clients import exchange
from tests.support.programs import until

pytestmark = pytest.mark.slow

STUDENT = Applicant("Zarina Quill", "zarina.quill@example.com", "+919829017365")


def onboarded(service):
    printed = service.manage("onboard_partner", "Vidya", "--project", "Sahyadri", "--json")
    return PartnerBackend.from_onboarding(service.url, printed)


def test_a_crash_writes_neither_a_secret_nor_a_person_into_the_log(start_service):
    service = start_service()
    backend = onboarded(service)
    page = backend.redirect_url(STUDENT).removeprefix(service.url)
    form = f"token={page.partition('?token=')[2]}&consent=yes&csrfmiddlewaretoken={'c' * 32}"
    service.rows("ALTER TABLE assessments_assessmentlink RENAME TO gone")

    with pytest.raises(Refused) as crash:
        backend.redirect_url(STUDENT)
    answers = [
        exchange(service, "GET", page),
        exchange(
            service,
            "POST",
            page.partition("?")[0],
            form.encode(),
            Content_Type="application/x-www-form-urlencoded",
            Cookie=f"csrftoken={'c' * 32}",
            Origin=service.url,
        ),
    ]

    assert (crash.value.status, crash.value.body["code"]) == (500, "internal_error")
    assert [response.status for response, _ in answers] == [500, 500]
    assert service.logs().count("Traceback") >= 3
    for text in (service.logs(), str(crash.value.body), *(body.decode() for _, body in answers)):
        assert not hygiene.leaks(text)
        assert not [value for value in vars(STUDENT).values() if value in text]


def refused_in(backend):
    began = time.monotonic()
    with pytest.raises(Refused) as refused:
        backend.attempts("no address")
    assert refused.value.status == 400
    return time.monotonic() - began


def failures(service, backend):
    return service.rows(
        "SELECT call.operation, call.status FROM assessments_refusedcall call "
        "JOIN partners_project project ON project.id = call.project_id "
        "WHERE project.project_id = %s",
        (backend.project_id,),
    )


def lost(service):
    return counted(service, "assess_refused_calls_lost_total")


def test_a_refused_call_is_kept_within_seconds_or_when_the_worker_ends(start_service):
    service = start_service("postgresql")
    backend = onboarded(service)

    refused_in(backend)

    until(lambda: failures(service, backend), 5)
    kept = {"operation": "get-assessments-info", "status": 400}
    assert failures(service, backend) == [kept]
    assert json.loads(service.manage("purge", "--json"))["refusedCalls"] == 0
    refused_in(backend)
    service.stop()
    assert failures(service, backend) == [kept, kept]


def test_calls_go_on_while_the_failures_log_is_locked(start_service):
    service = start_service("postgresql", METRICS_TOKEN=METRICS_TOKEN)
    backend = onboarded(service)
    with closing(psycopg.connect(service.environment["DATABASE_URL"])) as locking:
        locking.execute("LOCK TABLE assessments_refusedcall")
        slowest = max(refused_in(backend) for _ in range(60) if not time.sleep(0.1))
    refused_in(backend)

    until(lambda: len(failures(service, backend)) + lost(service) >= 61, 5)
    assert slowest < 1
    assert lost(service) > 0
    assert len(failures(service, backend)) + lost(service) == 61


def test_calls_go_on_after_the_database_was_gone(start_service):
    service = start_service("postgresql", METRICS_TOKEN=METRICS_TOKEN)
    backend = onboarded(service)
    address, _, name = service.environment["DATABASE_URL"].rpartition("/")
    refused_in(backend)
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        time.sleep(4)
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')

    refused_in(backend)

    until(lambda: failures(service, backend), 5)
    assert (len(failures(service, backend)), lost(service)) == (1, 1)
