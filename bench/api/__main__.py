"""Compare the cost of the two operations with the usual way to build them.

    .venv/bin/python -m bench.api [--quick | --ratio-only] [--rounds 9] [--attempts 200000]

docs/performance.md says what is called and compared. Figures are the CPU seconds, user and system,
that 1,000 calls cost in the web server, PostgreSQL and Redis; on a busy machine they are all too
high. Exit status 1 if a target is missed; a wrong answer ends the run.
"""

import argparse
import json
import os
import re
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import httpx

from bench.api.calls import CONNECTIONS, OPERATIONS, measured, run, send
from bench.api.servers import FEW, PROJECTS, SETTINGS, start_peer, start_service
from bench.stack import Stack
from lab.figures import at_least, at_most, exactly, exit_status, reported
from tests.support import cpu

SAMPLE = 24  # calls whose statements are counted and whose answers are compared
TIMES_CHEAPER, GROWTH, TAIL, MANY_CONNECTIONS = 2.9, 1.15, 4, 64
WORKER_MIB, READY_SECONDS, STARTS = 110, 2.0, 3
LOGGING = {"log_line_prefix": "%d|", "log_min_messages": "log", "log_statement": "all"}
LOGGED = re.compile(r"^(\S*)\|LOG:  (?:statement|execute [^:]*):", re.MULTILINE)


def measure(stack, plan):
    service, ours = start_service(stack, "service", FEW)
    peer = start_peer(stack, service, ours.calls)
    yield same_answers(ours, peer)
    for operation in OPERATIONS:
        yield from statements(operation, stack, service, (ours, peer))
    for operation in OPERATIONS:
        ratio = compare(operation, (ours, peer), plan)
        yield at_least(f"{operation}: times cheaper", 1 / ratio, TIMES_CHEAPER)
    yield from tail(ours, plan.seconds)
    # Which is cheaper than to ask Redis: 0 unless the machine is too busy.
    yield reported("calls counted in memory, as Redis was late", counted_in_memory(service))
    yield reported("MiB of a worker after this load", worker_mib(service.pid))

    if plan.ratio_only:
        return
    _, many = start_service(stack, f"{plan.attempts:,}", plan.attempts)
    for operation in OPERATIONS:
        name = f"{operation}: {many.name} attempts, times the cost of {FEW:,}"
        yield at_most(name, compare(operation, (many, ours), plan), GROWTH)

    seconds = []
    for _ in range(STARTS):
        service.stop()
        begun = time.monotonic()
        service.start()
        seconds.append(time.monotonic() - begun)
    yield at_most("MiB of a worker at rest", worker_mib(service.pid), WORKER_MIB)
    yield at_most("seconds from start to ready, median", median(seconds), READY_SECONDS)


def same_answers(*sides):
    """Check that both sides give the same answers, and so do the same work."""
    answers = [send(side.port, side.calls.results(range(1, SAMPLE)), SAMPLE) for side in sides]
    differ = sum(json.loads(one) != json.loads(other) for one, other in zip(*answers, strict=True))
    return exactly(f"of {SAMPLE} answers, those that differ from the peer's", differ, 0)


def statements(operation, stack, service, sides):
    """Yield the average number of SQL statements of a call, with BEGIN and COMMIT."""
    database = service.environment["DATABASE_URL"].rpartition("/")[2]
    log = stack.cluster.log
    with stack.cluster.altered(LOGGING):
        for side in sides:
            calls = OPERATIONS[operation](side.calls)
            send(side.port, calls, 2 * PROJECTS)  # tokens record their use once a minute
            before = log.stat().st_size
            send(side.port, calls, SAMPLE)
            count = LOGGED.findall(log.read_bytes()[before:].decode()).count(database)
            yield reported(f"{operation}, {side.name}: SQL of a call", round(count / SAMPLE))


def compare(operation, sides, plan):
    """Measure both in turns, print costs; return the first one's median divided by the other's."""
    costs = {side: [] for side in sides}
    for number in range(1 + plan.rounds):
        # Alternate who goes first, because the previous round affects the first side.
        for side in sides if number % 2 else reversed(sides):
            calls = OPERATIONS[operation](side.calls)
            work = partial(run, side.port, calls, plan.seconds, CONNECTIONS)
            costs[side].append(measured(side.pids, work)[1])
    print(f"\n{operation}, CPU s of 1,000 calls       web PostgreSQL Redis   all   rounds")
    totals = []
    for side, (_, *rounds) in costs.items():  # the first round warms up
        web, postgresql, redis = map(median, zip(*rounds, strict=True))
        sums = [sum(each) for each in rounds]
        totals.append(median(sums))
        parts = f"{web:6.2f} {postgresql:10.2f} {redis:5.2f} {totals[-1]:5.2f}"
        print(f"{side.name:30} {parts}  ", *(f"{each:.2f}" for each in sums))
    print(f"load average {os.getloadavg()[0]:.1f}")
    return totals[0] / totals[1]


def tail(side, seconds):
    """Yield how long calls take that come over 16 and over 64 connections at once."""
    for operation, calls in OPERATIONS.items():
        for connections in (CONNECTIONS, MANY_CONNECTIONS):
            took = quantiles(run(side.port, calls(side.calls), seconds, connections), n=100)
            usual, slow = 1000 * took[49], 1000 * took[98]
            name = f"{operation}, {connections} connections: "
            yield reported(f"{name}ms, median", usual)
            yield reported(f"{name}ms of the 99th of 100", slow)
            if connections == CONNECTIONS:
                yield at_most(f"{name}times the median", slow / usual, TAIL)


def counted_in_memory(service):
    headers = {"Authorization": f"Bearer {SETTINGS['METRICS_TOKEN']}"}
    answer = httpx.get(f"http://127.0.0.1:{service.port}/metrics", headers=headers)
    found = re.findall(r"^assess_limit_counted_in_memory_total (\S+)", answer.text, re.MULTILINE)
    return sum(map(float, found))


def worker_mib(pid):
    """Return the resident memory of gunicorn's largest worker, in MiB."""
    files = (Path(f"/proc/{each}/statm") for each in cpu.descendants(pid))
    pages = max(int(file.read_text().split()[1]) for file in files)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one short round, few rows")
    parser.add_argument("--ratio-only", action="store_true", help="nothing after the comparison")
    parser.add_argument("--rounds", type=int, default=9, help="of each comparison")
    parser.add_argument("--attempts", type=int, default=200_000, help="in the large tables")
    plan = parser.parse_args()
    plan.seconds = 4.0  # of each side of a round
    if plan.quick:
        plan.rounds, plan.seconds, plan.attempts = 1, 1.0, 20_000
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {vars(plan)}")
    with Stack() as stack:
        return exit_status(measure(stack, plan))


if __name__ == "__main__":
    sys.exit(main())
