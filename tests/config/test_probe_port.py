"""The probes on PROBE_PORT while no thread of gunicorn's is free, with a real service."""

import contextlib
import os
import signal
import socket
import threading
import time
from types import SimpleNamespace

import pytest

from assessments.models.identity import secret_digest
from tests.config.test_server import exchange
from tests.config.test_service_faults import STUDENT, onboarded
from tests.support import cpu, databases
from tests.support.backend import Refused
from tests.support.programs import until

pytestmark = pytest.mark.slow


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


def test_the_probes_answer_while_half_sent_requests_take_all_threads(start_service, probe):
    service = start_service(PORT="8000", PROBE_PORT=str(probe.port))
    assert "8 clients that send half a request" in service.logs()
    with contextlib.ExitStack() as half_sent:
        for _ in range(24):
            peer = socket.create_connection(("127.0.0.1", service.port))
            half_sent.enter_context(peer).sendall(b"GET /healthz HTTP/1.1\r\n")

        assert [probe(path)[0] for path in ("/healthz", "/readyz", "/other")] == [200, 200, 404]
