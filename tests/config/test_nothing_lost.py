"""A tenth of bench/crash.py: a worker is killed, a row is held, PostgreSQL lets nobody in."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from bench.disasters import kill_workers, readiness
from bench.ledger import (
    ANSWERS,
    COMPLETED,
    LEFT,
    LINK,
    READ,
    START,
    TOKEN,
    Ledger,
    crashes,
)
from bench.persistent import LINKS, Load
from bench.races_ground import Ground, onboard
from bench.reckoning import lost
from bench.students import Phone
from tests.support import hygiene, invariants
from tests.support.server import Service

pytestmark = pytest.mark.slow

# gunicorn's threads without a Redis: so many requests at once, and no more, are worked on.
THREADS = 8
EMAIL = "asha.rao@example.com"


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Give a service that may be mistreated."""
    service = Service("postgresql", tmp_path_factory.mktemp("mistreated"))
    try:
        service.prepare()
        service.start()
        yield service
        service.assert_no_leaks()
    finally:
        service.close()


@pytest.fixture(scope="module")
def ground(own_service: Service) -> Ground:
    return onboard(own_service)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger(tmp_path / "acknowledged")
    yield ledger
    ledger.close()


def test_a_killed_worker_loses_nothing(
    own_service: Service, ground: Ground, ledger: Ledger
) -> None:
    """T10: what was acknowledged is stored, once; what was not is sent again."""
    with Load(own_service.port, [ground], ledger, students=4, partners=2):
        assert kill_workers(own_service, seconds=2) > 0
        # The next worker has to come first.
        acknowledged = len(ledger.acknowledged)
        wait_until(lambda: len(ledger.acknowledged) > acknowledged + 50)

    assert ledger.of(LINK)
    assert ledger.of(ANSWERS)
    assert lost(own_service, ledger) == []
    assert invariants.violations_of(own_service) == []
    assert ledger.complaints == []
    assert crashes(ledger.asked) == 0


def test_what_is_not_stored_is_found(own_service: Service, ledger: Ledger) -> None:
    """I-8, the other way round: the log says that it was acknowledged, and it was not."""
    ledger.note(LINK, {"link": "0" * 64, "email": EMAIL})
    ledger.note(START, {"link": "0" * 64, "browser": "0" * 64})
    ledger.note(ANSWERS, {"assessment": "asm_0", "choices": {"1": 5}})
    for kind in (COMPLETED, LEFT, READ):
        ledger.note(kind, "asm_0")
    for act in ("issued", "rotated", "revoked"):
        ledger.note(TOKEN, [act, "tok_0"])

    assert len(lost(own_service, ledger)) == len(ledger.acknowledged)


def wait_until(done: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def call(service: Service, ground: Ground, email: str = EMAIL) -> tuple[int, dict[str, str]]:
    """Ask for a link; return status and body."""
    fields = {
        "projectId": ground.project_id,
        "name": "Asha",
        "email": email,
        "mobile": "9876543210",
    }
    headers = {"Content-Type": "application/json", "X-Access-Token": ground.credential}
    return asked(Request(service.url + LINKS, json.dumps(fields).encode(), headers))


def asked(request: Request) -> tuple[int, dict[str, str]]:
    try:
        with urlopen(request, timeout=20) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def page_of(phone: Phone, act: Callable[[], None]) -> tuple[int, str]:
    """Return status and kind of the page that a student gets."""
    try:
        act()
    except HTTPError as error:
        with error:
            phone.page = error.read().decode()
        return error.code, phone.kind
    return 200, phone.kind


@contextmanager
def held(service: Service) -> Iterator[None]:
    """Hold every student and every attempt, as a forgotten transaction does."""
    with psycopg.connect(service.environment["DATABASE_URL"]) as holder:
        holder.execute("SELECT FROM assessments_student FOR UPDATE")
        holder.execute("SELECT FROM assessments_assessment FOR UPDATE")
        yield
        holder.rollback()


def test_a_row_that_somebody_holds_stops_nobody_else(own_service: Service, ground: Ground) -> None:
    """I4: who needs it is told to try again, with the row held still; no thread is lost to it."""
    phone = Phone()
    phone.open(hygiene.remember(call(own_service, ground)[1]["redirect-url"]))
    phone.send(consent="yes")
    phone.send(begin="yes")
    form, url, answers = phone.page, phone.url, dict.fromkeys(phone.controls, "3")

    with held(own_service), ThreadPoolExecutor(THREADS) as pool:
        page = pool.submit(page_of, phone, lambda: phone.send(**answers))
        calls = [pool.submit(call, own_service, ground) for _ in range(THREADS - 1)]
        told = [(status, body.get("code")) for status, body in (each.result() for each in calls)]
        assert told == [(500, "internal_error")] * (THREADS - 1)
        assert page.result() == (500, "error-500")
        assert call(own_service, ground, "b@example.com")[0] == 200

    assert call(own_service, ground)[0] == 200
    phone.page, phone.url = form, url
    assert page_of(phone, lambda: phone.send(**answers)) == (200, "question")


@contextmanager
def nobody_let_in(service: Service) -> Iterator[None]:
    """Let PostgreSQL end all connections to the service's database, and take no more."""
    name = service.environment["DATABASE_URL"].rpartition("/")[2]
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        yield
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_without_the_database_each_failure_is_told_and_ends_with_it(
    own_service: Service, ground: Ground
) -> None:
    """I1, I3: JSON for programs, a page for people; all is well at once when it is back."""
    phone = Phone()
    landing = f"{own_service.url}{ground.path}?token={'x' * 43}"

    with nobody_let_in(own_service):
        status, body = call(own_service, ground)
        page = page_of(phone, lambda: phone.open(landing))
        health = readiness(own_service)
    calls = [call(own_service, ground)[0] for _ in range(2 * THREADS)]

    assert (status, body["code"]) == (500, "internal_error")
    assert body["requestId"]
    assert page == (500, "error-500")
    assert (health["status"], health["database"]) == ("failed", "failed")
    assert calls == [200] * 2 * THREADS
    assert readiness(own_service)["status"] == "ok"
