"""A cheap client: one process keeps many connections busy, each with one request at a time."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

OK = b"HTTP/1.1 200"
END_OF_HEADERS = b"\r\n\r\n"
LENGTH = b"content-length: "
TIMEOUT = 30.0  # seconds in which some connection must have something to say
BYTES_AT_ONCE = 65536


@dataclass(frozen=True)
class Call:
    """A request as it goes over the wire, and whether a body is the right answer to it."""

    request: bytes
    is_right: Callable[[bytes], bool]


@dataclass
class Answered:
    """What a load met: the seconds that each right answer took, and what was not right."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.latencies)

    @property
    def per_second(self) -> float:
        return self.count / self.seconds

    def quantile(self, share: float) -> float:
        """Return within how many seconds this share of the answers came."""
        return sorted(self.latencies)[min(int(share * self.count), self.count - 1)]


class _Connection:
    """One keep-alive connection, and what of an answer has come so far."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def send(self, call: Call) -> None:
        self.call = call
        self.sent_at = time.perf_counter()
        self.socket.sendall(call.request)

    def body(self) -> bytes | None:
        """Return the body of an answer of 200 once it is whole. Raise ValueError for any other."""
        data = self.socket.recv(BYTES_AT_ONCE)
        if not data:
            raise ValueError("the connection was closed")
        self._received += data
        headers, found, body = self._received.partition(END_OF_HEADERS)
        if not found or len(body) < _length(headers):
            return None
        self._received = b""
        if not headers.startswith(OK):
            raise ValueError(f"{headers.splitlines()[0]!r} {body[:500]!r}")
        return body


def run(port: int, calls: Iterator[Call], seconds: float, connections: int = 16) -> Answered:
    """Send calls for some seconds, each connection the next one once it has its answer.

    A fault ends the load at once; it stands in what is returned.
    """
    return _run(port, calls, connections, until=time.perf_counter() + seconds)


def run_each(port: int, calls: Iterator[Call]) -> Answered:
    """Send the calls one after the other, on one connection, to the last."""
    return _run(port, calls, 1, until=float("inf"))


def _run(port: int, calls: Iterator[Call], connections: int, until: float) -> Answered:
    answered = Answered()
    begun = time.perf_counter()
    with selectors.DefaultSelector() as selector:
        for call in _first(calls, connections):
            connection = _Connection(port)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.send(call)
        busy = len(selector.get_map())
        while busy and not answered.faults:
            ready = selector.select(TIMEOUT)
            if not ready:
                answered.faults.append(f"no answer for {TIMEOUT} s")
            for key, _ in ready:
                connection = key.data
                if _receive(connection, answered):
                    call_now = next(calls, None) if time.perf_counter() < until else None
                    if call_now is None:
                        busy -= 1
                    else:
                        connection.send(call_now)
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    answered.seconds = time.perf_counter() - begun
    return answered


def _first(calls: Iterator[Call], count: int) -> list[Call]:
    return [call for _, call in zip(range(count), calls, strict=False)]


def _receive(connection: _Connection, answered: Answered) -> bool:
    """Take in what has come. Return whether the answer is whole, and right."""
    try:
        body = connection.body()
    except (ValueError, OSError) as error:
        answered.faults.append(str(error))
        return False
    if body is None:
        return False
    if not connection.call.is_right(body):
        answered.faults.append(f"not the right answer: {body[:500]!r}")
        return False
    answered.latencies.append(time.perf_counter() - connection.sent_at)
    return True


def _length(headers: bytes) -> int:
    """Return the Content-Length."""
    _, found, rest = headers.lower().partition(LENGTH)
    if not found:
        raise ValueError(f"no Content-Length in {headers!r}")
    return int(rest.partition(b"\r\n")[0])
