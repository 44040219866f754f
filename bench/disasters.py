"""What can happen to a service while it is used: workers, server, PostgreSQL and Redis go away."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from bench.ledger import Asked, Ledger
from tests.support.cpu import descendants

if TYPE_CHECKING:
    from tests.support.server import Service
    from tests.support.stack import Stack

ROOT = Path(__file__).resolve().parent.parent
PROBE_EVERY = 0.01  # seconds


def kill_workers(service: Service, seconds: float, every: float = 1.0) -> int:
    """Kill one of gunicorn's workers after the other; return how many were killed."""
    killed = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(every)
        if workers := descendants(service.pid):
            killed += _kill(random.choice(workers))
    return killed


def kill_server(service: Service, times: int, every: float) -> None:
    """Kill gunicorn with all its workers, and start it again, as a supervisor would."""
    for _ in range(times):
        time.sleep(every)
        for pid in (service.pid, *descendants(service.pid)):
            _kill(pid)
        service.stop()  # its first process is dead, and is reaped
        service.start()
    time.sleep(every)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@dataclass(frozen=True)
class Outage:
    """PostgreSQL crashed, and accepted connections again; on the monotonic clock."""

    crashed_at: float
    accepting_at: float

    @property
    def seconds(self) -> float:
        return self.accepting_at - self.crashed_at


def restart_postgresql(stack: Stack, times: int, every: float) -> list[Outage]:
    """Crash PostgreSQL and start it again, some seconds after each return."""
    outages = []
    for _ in range(times):
        time.sleep(every)
        crashed_at = time.monotonic()
        stack.cluster.stop("immediate")
        # Whoever starts it learns late that it is there.
        starter = threading.Thread(target=stack.cluster.start)
        starter.start()
        outages.append(Outage(crashed_at, accepting(stack.cluster.url)))
        starter.join()
    time.sleep(every)
    return outages


def accepting(url: str, seconds: float = 60) -> float:
    """Return when it takes connections."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url):
            return time.monotonic()
        time.sleep(PROBE_EVERY)
    raise TimeoutError("PostgreSQL did not come back.")


@dataclass(frozen=True)
class Recovery:
    """How the clients saw an outage end: seconds until the first success, failures begun after."""

    first_success: float
    failures_after: int


def recoveries(ledger: Ledger, outages: list[Outage]) -> list[Recovery]:
    """Return how each outage ended, up to the next."""
    crashes = [outage.crashed_at for outage in outages[1:]] + [float("inf")]
    asked = sorted(ledger.asked, key=lambda each: each.ended)
    return [
        _recovery(asked, outage.accepting_at, crash)
        for outage, crash in zip(outages, crashes, strict=True)
    ]


def _recovery(asked: list[Asked], accepting_at: float, next_crash: float) -> Recovery:
    meanwhile = [each for each in asked if accepting_at <= each.ended < next_crash]
    first = next((each.ended for each in meanwhile if not each.has_failed), float("inf"))
    later = [each for each in meanwhile if each.began > first and each.has_failed]
    return Recovery(first - accepting_at, len(later))


def readiness(service: Service) -> dict[str, str]:
    """Return what /readyz says, whatever its status."""
    try:
        with urllib.request.urlopen(f"{service.url}/readyz", timeout=10) as response:
            states: dict[str, str] = json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            states = json.load(error)
    return states


@contextlib.contextmanager
def paused(pid: int) -> Iterator[None]:
    """Let a process hang, as a machine without a network does."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def slowed(to_port: int, seconds: float) -> Iterator[int]:
    """Give a port that leads to another, with a delay there and back, in a process of its own."""
    command = [sys.executable, "-m", "bench.slow_line", str(to_port), str(seconds)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def no_connections(stack: Stack, service: Service) -> Iterator[None]:
    """Take every connection that PostgreSQL has, the service's own too."""
    with contextlib.ExitStack() as taken:
        own = taken.enter_context(psycopg.connect(stack.cluster.url, autocommit=True))
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                while True:
                    taken.enter_context(psycopg.connect(stack.cluster.url))
            if not _hung_up(own, service):
                break
            time.sleep(PROBE_EVERY)
        yield


def _hung_up(own: psycopg.Connection[tuple[int]], service: Service) -> int:
    """End the service's connections; return how many there were."""
    database = service.environment["DATABASE_URL"].rpartition("/")[2]
    [[count]] = own.execute(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s",
        (database,),
    )
    return count
