"""The failures log of a running service: written in the background, and when a worker ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any
from urllib.request import Request, urlopen

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.backend import PartnerBackend, Refused
from tests.support.server import Service

pytestmark = pytest.mark.slow

SECONDS = 5  # in which a refusal is written
METRICS = "m" * 32


def onboarded(service: Service) -> PartnerBackend:
    printed = service.manage("onboard_partner", "Vidya", "--project", "Sahyadri", "--json")
    return PartnerBackend.from_onboarding(service.url, printed)


def be_refused(backend: PartnerBackend) -> float:
    """Make a call that is refused. Return its seconds."""
    began = time.monotonic()
    with pytest.raises(Refused) as refused:
        backend.assessments("no address")
    assert refused.value.status == 400
    return time.monotonic() - began


def rows(service: Service, backend: PartnerBackend) -> list[dict[str, Any]]:
    return service.rows(
        "SELECT call.operation, call.status FROM assessments_refusedcall call "
        "JOIN partners_project project ON project.id = call.project_id "
        "WHERE project.project_id = %s",
        (backend.project_id,),
    )


def wait_for(count: int, service: Service, backend: PartnerBackend) -> None:
    until = time.monotonic() + SECONDS
    while len(rows(service, backend)) < count and time.monotonic() < until:
        time.sleep(0.1)
    assert len(rows(service, backend)) == count


def lost(service: Service) -> float:
    request = Request(f"{service.url}/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    with urlopen(request, timeout=10) as response:
        families = text_string_to_metric_families(response.read().decode())
    samples = [sample for family in families for sample in family.samples]
    return sum(s.value for s in samples if s.name == "assess_refused_calls_lost_total")


def test_a_refusal_is_written_within_seconds(service: Service) -> None:
    backend = onboarded(service)

    be_refused(backend)

    wait_for(1, service, backend)
    found = rows(service, backend)
    assert found == [{"operation": "get-assessments-info", "status": 400}]
    assert json.loads(service.manage("purge", "--json"))["refusedCalls"] == 0


def test_a_worker_that_ends_writes_what_has_gathered(
    start_service: Callable[..., Service],
) -> None:
    service = start_service()
    backend = onboarded(service)
    be_refused(backend)

    service.stop()

    assert len(rows(service, backend)) == 1


@pytest.mark.slow
def test_a_worker_forked_from_a_loaded_application_writes(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("postgresql", "--preload")
    backend = onboarded(service)

    be_refused(backend)

    wait_for(1, service, backend)


@pytest.mark.slow
def test_calls_go_on_while_the_table_is_locked(start_service: Callable[..., Service]) -> None:
    service = start_service("postgresql", METRICS_TOKEN=METRICS)
    backend = onboarded(service)
    locking = psycopg.connect(service.environment["DATABASE_URL"])
    with closing(locking):
        locking.execute("LOCK TABLE assessments_refusedcall")
        slowest = max(be_refused(backend) for _ in range(60) if not time.sleep(0.1))
    be_refused(backend)

    until = time.monotonic() + SECONDS
    while len(rows(service, backend)) + lost(service) < 61 and time.monotonic() < until:
        time.sleep(0.1)
    assert slowest < 1
    assert lost(service) > 0
    assert len(rows(service, backend)) + lost(service) == 61


@pytest.mark.slow
def test_calls_go_on_after_the_database_was_gone(start_service: Callable[..., Service]) -> None:
    service = start_service("postgresql", METRICS_TOKEN=METRICS)
    backend = onboarded(service)
    address, _, name = service.environment["DATABASE_URL"].rpartition("/")
    be_refused(backend)
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        time.sleep(4)
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')

    be_refused(backend)

    wait_for(1, service, backend)
    assert lost(service) == 1
