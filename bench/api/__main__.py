"""Compare the cost of the two operations with the usual way to build them.

    .venv/bin/python -m bench.api [--quick | --ratio-only] [--rounds 5] [--attempts 200000]

The peer in bench/api/peer is the usual way: Django, DRF, djangorestframework-api-key, the ORM,
persistent connections and the middleware of `startproject`. The service and the peer run under
gunicorn with two workers of four threads, share a durable PostgreSQL, a Redis and the same tables,
and are called in turns over 16 keep-alive connections. Figures are the CPU seconds, user and
system, that 1,000 calls cost in the web server, PostgreSQL and Redis. On a busy machine they are
all too high.

Half of the links are for known students, half for new ones. Results are requested for known
students; four in five have one completed attempt. Exit status 1 if a target is missed, 2 if a
server gave a wrong answer.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from typing import TYPE_CHECKING

import httpx

from bench.api import rows
from bench.api.calls import NO_LIMIT, Calls, WrongAnswer, send
from bench.api.cost import CONNECTIONS, OPERATIONS, Side, in_turns, ratio, waits
from bench.api.peer_server import running_peer
from bench.stack import Stack
from lab.figures import Figure, at_least, at_most, exactly, exit_status, reported
from tests.support import cpu

if TYPE_CHECKING:
    from tests.support.server import Service

FEW = 10_000  # attempts
PROJECTS = 4  # not a multiple of five, so that each has students of every kind
SAMPLE = 24  # calls whose statements are counted and whose answers are compared
TIMES_CHEAPER, AIM, GROWTH, TAIL = 2.5, 3, 1.15, 4
MANY_CONNECTIONS = 64
WORKER_MIB, READY_SECONDS, STARTS = 110, 2.0, 3
LIMITS = {"LINK_RATE_PER_MINUTE": NO_LIMIT, "RESULTS_RATE_PER_MINUTE": NO_LIMIT}
METRICS = {"METRICS_TOKEN": secrets.token_hex(32)}
LOGGING = {"log_line_prefix": "%d|", "log_min_messages": "log", "log_statement": "all"}
LOGGED = re.compile(r"^(\S*)\|LOG:  (?:statement|execute [^:]*):", re.MULTILINE)


def measure(exits: ExitStack, plan: argparse.Namespace) -> Iterator[Figure]:
    """Run every part and yield its figures."""
    stack = exits.enter_context(Stack())
    service, large = (stack.service(**LIMITS, **METRICS) for _ in range(2))
    service.start()
    callers = rows.onboard(service, PROJECTS)
    service.stop()
    rows.copy_database(stack.cluster, service, large)
    projects = [caller.project for caller in callers]
    programs = stack.cluster.pid, stack.redis.pid

    students = rows.fill(stack.cluster, service, projects, FEW)
    service.start()
    port, pid, keys = exits.enter_context(running_peer(service, callers, stack.folder))
    ours = Side("service", service.port, (service.pid, *programs), Calls(callers, students))
    peer = Side("peer", port, (pid, *programs), Calls(keys, students))
    yield from same_answers(ours, peer)
    for operation in OPERATIONS:
        yield from statements(operation, stack, service, (ours, peer))
    for operation in OPERATIONS:
        costs = in_turns(operation, (ours, peer), plan.rounds, plan.seconds)
        yield at_least(f"{operation}: times cheaper (aim {AIM})", 1 / ratio(costs), TIMES_CHEAPER)
    yield from tail(ours, plan.seconds)
    quiet = "(0 unless the machine is too busy)"
    yield reported("errors in the service's log", service.logs().count('"level": "ERROR"'), quiet)
    # Which is cheaper than to ask Redis.
    yield reported("calls counted in memory, as Redis was late", counted_in_memory(service), quiet)
    for side in (ours, peer):
        yield reported(f"MiB of a worker after this load, {side.name}", worker_mib(side.pids[0]))

    if plan.ratio_only:
        return
    students = rows.fill(stack.cluster, large, projects, plan.attempts)
    large.start()
    many = Side(f"{plan.attempts:,}", large.port, (large.pid, *programs), Calls(callers, students))
    few = Side(f"{FEW:,}", ours.port, ours.pids, ours.calls)
    for operation in OPERATIONS:
        costs = in_turns(operation, (many, few), plan.rounds, plan.seconds)
        name = f"{operation}: {many.name} attempts, times the cost of {few.name}"
        yield at_most(name, ratio(costs), GROWTH)

    seconds = [seconds_to_ready(service) for _ in range(STARTS)]
    yield at_most("MiB of a worker at rest", worker_mib(service.pid), WORKER_MIB)
    yield at_most("seconds from start to ready, median", median(seconds), READY_SECONDS)


def same_answers(*sides: Side) -> Iterator[Figure]:
    """Check that both sides give the same answers, and so do the same work."""
    answers = [send(side.port, side.calls.results(range(1, SAMPLE)), SAMPLE) for side in sides]
    differ = sum(json.loads(one) != json.loads(other) for one, other in zip(*answers, strict=True))
    yield exactly(f"of {SAMPLE} answers, those that differ from the peer's", differ, 0)


def statements(
    operation: str, stack: Stack, service: Service, sides: tuple[Side, ...]
) -> Iterator[Figure]:
    """Return the average number of SQL statements of a call, with BEGIN and COMMIT."""
    database = service.environment["DATABASE_URL"].rpartition("/")[2]
    log = stack.cluster.folder / "log"
    with stack.cluster.altered(LOGGING):
        for side in sides:
            calls = OPERATIONS[operation](side.calls)
            send(side.port, calls, 2 * PROJECTS)  # tokens record their use once a minute
            before = log.stat().st_size
            send(side.port, calls, SAMPLE)
            count = LOGGED.findall(log.read_bytes()[before:].decode()).count(database)
            yield reported(
                f"{operation}, {side.name}: SQL statements of a call", round(count / SAMPLE)
            )


def tail(side: Side, seconds: float) -> Iterator[Figure]:
    """Yield how long calls take that come over 16 and over 64 connections at once."""
    for operation in OPERATIONS:
        for connections in (CONNECTIONS, MANY_CONNECTIONS):
            usual, slow = waits(operation, side, seconds, connections)
            name = f"{operation}, {connections} connections: "
            yield reported(f"{name}ms, median", usual)
            yield reported(f"{name}ms of the 99th of 100", slow)
            if connections == CONNECTIONS:
                yield at_most(f"{name}times the median", slow / usual, TAIL)


def counted_in_memory(service: Service) -> float:
    headers = {"Authorization": f"Bearer {METRICS['METRICS_TOKEN']}"}
    answer = httpx.get(f"http://127.0.0.1:{service.port}/metrics", headers=headers)
    found = re.findall(r"^assess_limit_counted_in_memory_total (\S+)", answer.text, re.MULTILINE)
    return sum(map(float, found))


def worker_mib(pid: int) -> float:
    """Return the resident memory of gunicorn's largest worker, in MiB."""
    return max(map(cpu.resident_bytes, cpu.descendants(pid))) / 2**20


def seconds_to_ready(service: Service) -> float:
    """Restart the service; return the seconds until /readyz answers 200."""
    service.stop()
    begun = time.monotonic()
    service.start()
    return time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one short round, few rows")
    parser.add_argument("--ratio-only", action="store_true", help="nothing after the comparison")
    parser.add_argument("--rounds", type=int, default=5, help="of each comparison")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each side of a round")
    parser.add_argument("--attempts", type=int, default=200_000, help="in the large tables")
    plan = parser.parse_args()
    if plan.quick:
        plan.rounds, plan.seconds, plan.attempts = 1, 1.0, 20_000
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {vars(plan)}")
    try:
        with ExitStack() as exits:
            return exit_status(measure(exits, plan))
    except WrongAnswer as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
