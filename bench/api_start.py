"""How soon a started service is ready, and what memory its workers take."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING

from tests.support import cpu

if TYPE_CHECKING:
    from tests.support.server import Service

ASK_EVERY = 0.005  # seconds
QUESTION = b"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
READY = b"HTTP/1.1 200"
MIB = 2**20


def ready_seconds(service: Service) -> float:
    """Start the service. Return the seconds from there to its first 200 of /readyz."""
    found: list[float] = []
    asker = threading.Thread(target=_ask, args=(service.port, found))
    begun = time.perf_counter()
    asker.start()
    service.start()
    asker.join()
    return found[0] - begun


def worker_mib(pid: int) -> float:
    """Return the resident memory of the largest worker of a gunicorn, in MiB."""
    return max(cpu.resident_bytes(worker) for worker in cpu.descendants(pid)) / MIB


def _ask(port: int, found: list[float]) -> None:
    end = time.monotonic() + 60
    while not found and time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(QUESTION)
                if connection.recv(4096).startswith(READY):
                    found.append(time.perf_counter())
        except OSError:
            time.sleep(ASK_EVERY)
