"""Bytes to a socket, and the answers that come back, read one by one."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import socket
import struct
from dataclasses import dataclass
from typing import Any

TIMEOUT = 20  # seconds; an answer takes milliseconds, and no answer is a failure
NOTHING: tuple[int, ...] = ()
# What gunicorn answers itself, before there is a request that Django could read.
GUNICORNS_OWN = {100, 400, 414, 417, 431, 501}
# A connection that ends with a reset, not with a farewell.
RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Caller:
    """Somebody who may call: the header's value and the project it is for."""

    credential: bytes
    project_id: bytes

    @property
    def results_body(self) -> bytes:
        return b'{"projectId": "%b", "email": "asha@example.com"}' % self.project_id


@dataclass(frozen=True)
class Case:
    """What is sent, and the statuses of the answers, in their order; none if it is only closed."""

    name: str
    sent: bytes
    statuses: tuple[int, ...]
    is_page: bool = False  # the answer is for a person: not under /partner/


@dataclass(frozen=True)
class Answer:
    """One answer. What the service made has a request id; without one it is gunicorn's own."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def request_id(self) -> str:
        return self.headers.get("X-Request-ID", "")

    @property
    def is_json(self) -> bool:
        """Tell whether it is of the API's form: JSON, and a failure names its request."""
        if self.headers.get_content_type() != "application/json":
            return False
        try:
            value: Any = json.loads(self.body)
        except ValueError:
            return False
        return self.status < 400 or (
            value["requestId"] == self.request_id and value["status"] == self.status
        )


def surprises(port: int, case: Case) -> list[str]:
    """Send a case; return what is not as it should be, also that nobody answers afterwards."""
    to_head = case.sent.startswith(b"HEAD ")
    try:
        found = answers(exchange(port, case.sent), to_head=to_head)
    except ValueError as error:
        return [f"{case.name}: {error}"]
    wrong = []
    statuses = tuple(answer.status for answer in found)
    if statuses != case.statuses:
        wrong.append(f"{case.name}: {statuses}, not {case.statuses}")
    for answer in found:
        if not answer.request_id and answer.status not in GUNICORNS_OWN:
            wrong.append(f"{case.name}: gunicorn itself answers {answer.status}")
        if answer.request_id and answer.status >= 500:
            wrong.append(f"{case.name}: a crash, {answer.request_id}")
        if answer.request_id and not answer.is_json and not (case.is_page or to_head):
            wrong.append(f"{case.name}: {answer.body[:200]!r} is not the API's JSON")
    return wrong if is_answering(port) else [*wrong, f"{case.name}: the server answers no more"]


def is_answering(port: int) -> bool:
    """Tell whether a good request gets its answer."""
    found = answers(
        exchange(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    )
    return [answer.status for answer in found] == [200]


def exchange(port: int, sent: bytes, *, reset: bool = False) -> bytes:
    """Send bytes, then that no more will come; return all that comes back until the server closes.

    With `reset` nothing is read: the connection is torn down at once.
    """
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as peer:
        # The server need not read what it has refused; what it said before is still there to read.
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            peer.sendall(sent)
            if reset:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                return b""
            with contextlib.suppress(OSError):  # ENOTCONN: the server has closed it already
                peer.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionResetError):
            while block := peer.recv(65536):
                received += block
    return received


def answers(received: bytes, *, to_head: bool = False) -> list[Answer]:
    """Take apart what came back. Raise ValueError if something in it is no answer."""
    found = []
    while received:
        head, end, received = received.partition(b"\r\n\r\n")
        line, _, fields = head.partition(b"\r\n")
        if not end or not line.startswith(b"HTTP/1."):
            raise ValueError(f"not an answer: {head[:200]!r}")
        status = int(line.split()[1])
        headers = http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n"))
        has_body = not to_head and status >= 200 and status not in (204, 304)
        if not has_body:
            body = b""
        elif "Transfer-Encoding" in headers:
            body, received = _unchunked(received)
        else:
            length = int(headers["Content-Length"])
            body, received = received[:length], received[length:]
        found.append(Answer(status, headers, body))
    return found


def _unchunked(received: bytes) -> tuple[bytes, bytes]:
    """Return a body that came in chunks, and what came after it."""
    body = b""
    while True:
        size, _, received = received.partition(b"\r\n")
        length = int(size, 16)
        body += received[:length]
        received = received[length + len(b"\r\n") :]
        if not length:
            return body, received
