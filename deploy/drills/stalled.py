"""Measure requests while hundreds of other connections stop half-way through theirs."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import threading
import time

from deploy.drills.deployed import Deployed
from tests.support.clients import HOST, Gate, Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.visits import Visits

CONNECTIONS = 500
THREADS = 4
P95 = 200  # ms
DRIP = 5  # seconds between two bytes of a body that never ends
# Where a request stops: in its header; in the body of a call or a form, with a byte now and then;
# after half a chunk; or without reading the answers.
HEADER = f"POST /partner/get-redirect-url HTTP/1.1\r\nHost: {HOST}\r\n"
HALVES = (
    f"{HEADER}X-Access-",
    f'{HEADER}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{{"projectId": ',
    f"POST /prj_0123456789abcdef/assessment HTTP/1.1\r\nHost: {HOST}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\r\ntoken=",
    f"{HEADER}Transfer-Encoding: chunked\r\n\r\nfff\r\nhalf a chunk",
    f"GET /static/admin/js/vendor/xregexp/xregexp.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n" * 20,
)
DRIPPING = {1, 2, 3}


class Stalled:
    """A context manager that holds `count` stalled connections and replaces closed ones."""

    def __init__(self, gate: Gate, count: int) -> None:
        self.fewest = 0
        self._gate, self._count = gate, count
        self._open: dict[int, tuple[socket.socket, int]] = {}
        self._kinds = itertools.cycle(range(len(HALVES)))
        self._poll = select.poll()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def __enter__(self) -> Stalled:
        while len(self._open) < self._count:
            self._begin()
        self.fewest = self._count
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._thread.join()
        for connection, _ in self._open.values():
            connection.close()

    def _begin(self) -> None:
        connection = self._gate.connect()
        connection.connect()
        kind = next(self._kinds)
        connection.sock.sendall(HALVES[kind].encode())
        self._open[connection.sock.fileno()] = connection.sock, kind
        # Answers are not read; the poll still reports that nginx hangs up.
        self._poll.register(connection.sock, select.POLLRDHUP)

    def _hold(self) -> None:
        drip_at = time.monotonic() + DRIP
        while not self._stopping.wait(0.05):
            for number, _ in self._poll.poll(0):
                self._poll.unregister(number)
                self._open.pop(number)[0].close()
            self.fewest = min(self.fewest, len(self._open))
            while len(self._open) < self._count:
                self._begin()
            if time.monotonic() > drip_at:
                drip_at += DRIP
                self._drip()

    def _drip(self) -> None:
        for connection, kind in self._open.values():
            if kind in DRIPPING:
                with contextlib.suppress(OSError):
                    connection.send(b"x")


def stalled(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Send requests alone, then while many others are half sent."""
    with Visits(deployed.gate, [partner], THREADS, most=requests // 2) as alone:
        pass
    # More than needed, because some are always being replaced after nginx has hung up.
    with (
        Stalled(deployed.gate, CONNECTIONS * 3 // 2) as others,
        Visits(deployed.gate, [partner], THREADS, most=requests) as beside,
    ):
        pass
    ledger = beside.ledger
    return [
        at_least("stalled: connections held half-way, the fewest", others.fewest, CONNECTIONS),
        at_least("stalled: requests beside them", len(ledger.asked), requests),
        exactly(f"stalled: requests that failed {ledger.failures}", ledger.failed, 0),
        reported("stalled: p95 without them, ms", alone.ledger.quantile(0.95)),
        at_most("stalled: p95 beside them, ms", ledger.quantile(0.95), P95),
    ]
