"""/healthz: the process answers. /readyz: all that it needs answers too."""

import contextlib
import os
import signal
import socket
import threading
import time
from datetime import timedelta
from threading import Event
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connections
from django.db.migrations.executor import MigrationExecutor

from assessments.models import ended
from assessments.models.identity import secret_digest
from config import health
from tests.config.test_service_faults import STUDENT, onboarded
from tests.support import cpu, databases
from tests.support.backend import Refused
from tests.support.clients import exchange
from tests.support.programs import until
from tokens import limits


def fail(*args):
    raise OperationalError("could not connect to server db.internal as user svc")


def hang(patch):
    patch.setattr(health, "DEADLINE_SECONDS", 0.5)
    patch.setattr(health, "_write", lambda: time.sleep(1))


# What is down, how it goes down, and what then is not "ok".
DOWN = {
    "nothing": (lambda patch: None, {}),
    "the limiter": (
        lambda patch: patch.setattr(limits, "store_is_healthy", lambda: False),
        {"status": "degraded", "limiter": "failed"},  # calls go on
    ),
    "the database": (
        lambda patch: patch.setattr(type(connections["default"]), "ensure_connection", fail),
        {"status": "failed", "database": "failed", "migrations": "failed", "clock": "failed"},
    ),
    "writing to the database": (
        lambda patch: patch.setenv("PGOPTIONS", "-c default_transaction_read_only=on"),
        {"status": "failed", "database": "failed", "clock": "failed"},
    ),
    "the clock": (
        lambda patch: patch.setattr(ended, "database_now", lambda at: at + timedelta(minutes=2)),
        {"status": "failed", "clock": "failed"},
    ),
    "a migration": (
        lambda patch: patch.setattr(MigrationExecutor, "migration_plan", lambda *args: ["one"]),
        {"status": "failed", "migrations": "failed"},
    ),
    "the database, which hangs": (
        hang,
        {"status": "failed", "database": "failed", "clock": "failed"},
    ),
}


@pytest.fixture(autouse=True)
def _no_check_is_left():
    yield
    if health._newest:
        health._newest.join()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", DOWN)
def test_readyz_names_what_is_down_and_nothing_more(client, monkeypatch, settings, what):
    go_down, states = DOWN[what]
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)
    well = dict.fromkeys(["status", "database", "clock", "limiter", "migrations"], "ok")
    go_down(monkeypatch)

    response = client.get("/readyz")
    process = client.get("/healthz")
    monkeypatch.undo()

    assert response.json() == {**well, **states, "version": "0.1.0"}
    assert response.status_code == (503 if states.get("status") == "failed" else 200)
    assert (process.status_code, process.json()) == (200, {"status": "ok"})
    assert process.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db(transaction=True)
def test_probes_share_a_check_that_hangs_until_it_is_given_up(client, monkeypatch):
    began, goes_on = [], Event()
    monkeypatch.setattr(health, "DEADLINE_SECONDS", 0.2)
    monkeypatch.setattr(health, "_write", lambda: goes_on.wait(10))
    start = health._Check.start
    monkeypatch.setattr(health._Check, "start", lambda check: (began.append(check), start(check)))

    for given_up in (30, 30, 0):
        monkeypatch.setattr(health, "GIVEN_UP_SECONDS", given_up)
        assert client.get("/readyz").status_code == 503
    assert len(began) == 2
    goes_on.set()
    for check in began:
        check.join()


@pytest.mark.parametrize(("error", "is_logged"), [(BrokenPipeError, False), (ValueError, True)])
def test_a_prober_that_does_not_wait_leaves_no_traceback(error, is_logged, caplog, capsys):
    with health._Listener(("127.0.0.1", 0), health._Probe) as listener:
        try:
            raise error
        except error:
            listener.handle_error(None, None)

    assert bool(caplog.records) is is_logged
    assert not any(capsys.readouterr())


@pytest.fixture
def probe():
    """Return a function that asks the probe port, and returns the status and the seconds."""
    port = databases.free_port()

    def ask(path):
        began = time.monotonic()
        response, _ = exchange(SimpleNamespace(port=port), "GET", path)
        return response.status, time.monotonic() - began

    ask.port = port
    return ask


@contextlib.contextmanager
def links_asked_for(backend):
    """Let 16 clients ask for links; give the list of those that they get."""
    links, is_over = [], threading.Event()

    def ask():
        while not is_over.is_set():
            with contextlib.suppress(OSError, Refused):
                links.append(backend.redirect_url(STUDENT))

    clients = [threading.Thread(target=ask) for _ in range(16)]
    for client in clients:
        client.start()
    try:
        yield links
    finally:
        is_over.set()
        for client in clients:
            client.join(35)


@pytest.mark.slow
def test_the_probes_answer_while_postgresql_hangs_and_no_link_is_lost(
    start_service, probe, monkeypatch, tmp_path
):
    monkeypatch.setenv("DATABASE_URL", databases.own_postgresql())
    monkeypatch.setenv("TESTS_STATIC_ROOT", str(tmp_path / "static"))
    service = start_service("postgresql", PROBE_PORT=str(probe.port))
    with links_asked_for(onboarded(service)) as links:
        until(lambda: len(links) > 20, 20)
        [row] = service.rows("SELECT pg_read_file('postmaster.pid') AS file")
        postmaster = int(row["file"].split()[0])
        to_stop = [postmaster, *cpu.descendants(postmaster)]
        for each in to_stop:
            os.kill(each, signal.SIGSTOP)
        try:
            hung = len(links)
            end = time.monotonic() + 40
            answers = []
            while time.monotonic() < end:
                answers += [(path, *probe(path)) for path in ("/healthz", "/readyz")]
                time.sleep(0.5)
        finally:
            for each in to_stop:
                os.kill(each, signal.SIGCONT)
        until(lambda: probe("/readyz")[0] == 200 and len(links) > hung + 40, 5)

    assert {each[:2] for each in answers} == {("/healthz", 200), ("/readyz", 503)}
    assert max(seconds for path, _, seconds in answers if path == "/healthz") < 1
    assert max(seconds for path, _, seconds in answers if path == "/readyz") < 2
    stored = {
        row["token_digest"]
        for row in service.rows("SELECT token_digest FROM assessments_assessmentlink")
    }
    assert {secret_digest(link.partition("?token=")[2]) for link in links} <= stored


@pytest.mark.slow
def test_the_probes_answer_while_half_sent_requests_take_all_threads(start_service, probe):
    service = start_service(PORT="8000", PROBE_PORT=str(probe.port))
    assert "8 clients that send half a request" in service.logs()
    with contextlib.ExitStack() as half_sent:
        for _ in range(24):
            peer = socket.create_connection(("127.0.0.1", service.port))
            half_sent.enter_context(peer).sendall(b"GET /healthz HTTP/1.1\r\n")

        assert [probe(path)[0] for path in ("/healthz", "/readyz", "/other")] == [200, 200, 404]
