"""Partners' backends that call both operations without a pause and record the times."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

# Calls that a caller still makes with each credential after `stop`.
AFTER_THE_END = 5
LINK, RESULTS = "/partner/get-redirect-url", "/partner/get-assessments-info"


@dataclass(frozen=True)
class Call:
    """One call: its caller, credential, start and end on the monotonic clock, and answer."""

    caller: int
    operation: str
    credential: str
    began: float
    ended: float
    status: int


class Caller:
    """One backend, which keeps its own connection open."""

    def __init__(self, port: int, project_id: str, number: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._number = number
        student = {"projectId": project_id, "email": f"caller-{number}@example.com"}
        details = {"name": f"Caller {number}", "mobile": "9876543210"}
        self._bodies = {LINK: json.dumps(student | details), RESULTS: json.dumps(student)}

    def call(self, operation: str, credential: str) -> Call:
        headers = {"Content-Type": "application/json", "X-Access-Token": credential}
        began = time.monotonic()
        self._connection.request("POST", operation, self._bodies[operation], headers)
        response = self._connection.getresponse()
        response.read()
        ended = time.monotonic()
        return Call(self._number, operation, credential, began, ended, response.status)

    def close(self) -> None:
        self._connection.close()


class Callers:
    """A context manager in which callers keep calling, half of them each operation.

    Each caller uses the credentials in turn. After `stop` it makes some more calls with each.
    """

    def __init__(self, port: int, project_id: str, count: int, credential: str) -> None:
        self._callers = [Caller(port, project_id, number) for number in range(count)]
        self._credentials = [credential]
        self._came_in = threading.Semaphore(0)
        self._stopping = threading.Event()
        self._pool = ThreadPoolExecutor(count)
        self._called: list[Future[list[Call]]] = []

    def __enter__(self) -> Self:
        self._called = [self._pool.submit(self._go_on, caller) for caller in self._callers]
        return self

    def __exit__(self, *error: object) -> None:
        self._stopping.set()
        self._pool.shutdown()

    def wait_until_all_came_in(self) -> None:
        """Return once each caller was let in. Raise TimeoutError after a minute."""
        for _ in self._callers:
            if not self._came_in.acquire(timeout=60):
                raise TimeoutError("A caller was not let in.")

    def add(self, credential: str) -> None:
        """Make each caller use this credential too, from now on."""
        self._credentials.append(credential)

    def stop(self) -> list[Call]:
        """Return all calls, in no order, once each caller has called some more times."""
        self._stopping.set()
        return [call for called in self._called for call in called.result(120)]

    def _go_on(self, caller: Caller) -> list[Call]:
        operation = (LINK, RESULTS)[self._callers.index(caller) % 2]
        calls: list[Call] = []
        has_come_in, left = False, AFTER_THE_END
        while left:
            left -= self._stopping.is_set()
            for credential in tuple(self._credentials):
                calls.append(caller.call(operation, credential))
            if not has_come_in and calls[-1].status == 200:
                has_come_in = True
                self._came_in.release()
        caller.close()
        return calls
