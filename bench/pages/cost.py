"""Measure the CPU cost of a student's pages and answers.

    .venv/bin/python -m bench.pages.cost [--quick]

Students walk through the shipped item bank on a gunicorn in production mode, from the link to the
result: all request their page, then all send its form, and so on, eight requests at a time. So the
CPU time of each kind of request is counted separately, for the web server, PostgreSQL and Redis but
not for the students. The sum of an attempt follows, with what it writes to PostgreSQL's log (WAL)
and to its tables. Earlier students have warmed up the service, so it knows how often each item was
given. Takes two minutes, with --quick half a minute. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection
from statistics import fmean
from typing import TYPE_CHECKING

from bench.pages.walker import Walker
from bench.stack import Stack
from lab.figures import Figure, at_most, exit_status
from tests.support import cpu
from tests.support.clients import Partner

if TYPE_CHECKING:
    from tests.support.server import Service

AT_ONCE = 8  # requests, as many as a service of the usual size handles at once
# From earlier attempts the service knows how often each item was given.
FULL = {"students": 150, "warming": 20, "earlier": 500}
QUICK = {"students": 12, "warming": 6, "earlier": 50}
PAGE_MS, ANSWER_MS = 4, 6
SECTIONS = ("subjects", "interests", "aptitude", "preferences")
TARGETS = {f"GET {name}": PAGE_MS for name in SECTIONS}
TARGETS |= {f"POST {name}": ANSWER_MS for name in SECTIONS}


Costs = dict[str, list[list[float]]]  # CPU ms of a request, by kind, step and program

WRITTEN = """
SELECT pg_current_wal_lsn() - '0/0' AS wal,
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r') AS stored
"""


def walk(walkers: Sequence[Walker], port: int, pids: Sequence[int]) -> Costs:
    """Walk all students in step from the link to the result."""
    own = threading.local()

    def act(step: Callable[[Walker, HTTPConnection], str], walker: Walker) -> str:
        if not hasattr(own, "connection"):
            own.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        return step(walker, own.connection)

    costs: Costs = defaultdict(list)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for step in itertools.cycle([Walker.get, Walker.post]):
            before = [cpu.seconds(pid) for pid in pids]
            [kind] = set(
                threads.map(partial(act, step), walkers)
            )  # they are in step, or this fails
            after = [cpu.seconds(pid) for pid in pids]
            spent = zip(before, after, strict=True)
            costs[kind].append([1000 * (b - a) / len(walkers) for a, b in spent])
            if walkers[0].has_arrived:
                return costs
    raise AssertionError


def measure(students: int, warming: int, earlier: int) -> tuple[Costs, list[float]]:
    """Return the costs, and the bytes of the log and of the tables that an attempt takes."""
    with Stack() as stack:
        service = stack.service()
        service.manage("load_items", "--make-current")
        paths = prepare(service, earlier, students + warming)
        service.start()
        pids = service.pid, stack.cluster.pid, stack.redis.pid
        walkers = [Walker(path, number) for number, path in enumerate(paths)]
        walk(walkers[students:], service.port, pids)
        [before] = service.rows(WRITTEN)
        costs = walk(walkers[:students], service.port, pids)
        [after] = service.rows(WRITTEN)
        return costs, [float(after[name] - before[name]) / students for name in before]


def prepare(service: Service, earlier: int, students: int) -> list[str]:
    """Create nearly finished attempts of other students; return the addresses of fresh links."""
    partner = Partner.onboarded(service.manage)
    program = (
        "import json; from tests.support import prepare;"
        f"prepare.attempts_at({partner.project_id!r}, 0, {earlier});"
        f"print(json.dumps(prepare.links({partner.project_id!r}, {students})))"
    )
    tokens = json.loads(service.manage("shell", "--no-imports", "-c", program))
    return [f"{partner.path}?token={token}" for token in tokens]


def figures(costs: Costs, written: Sequence[float]) -> Iterator[Figure]:
    """Print the cost of each kind of request and of an attempt; yield those with a target."""
    print(f"{'CPU ms a request':<24}{'web':>8}{'PostgreSQL':>12}{'Redis':>8}{'all':>8}")
    for kind, steps in costs.items():
        web, postgresql, redis = (fmean(values) for values in zip(*steps, strict=True))
        total = web + postgresql + redis
        print(f"{kind:<24}{web:>8.2f}{postgresql:>12.2f}{redis:>8.2f}{total:>8.2f}")
    steps = [step for each in costs.values() for step in each]
    web, postgresql, redis = map(sum, zip(*steps, strict=True))
    total = web + postgresql + redis
    print(f"{'an attempt':<24}{web:>8.0f}{postgresql:>12.0f}{redis:>8.0f}{total:>8.0f}")
    wal, stored = written
    print(f"an attempt: {len(steps)} requests, {wal:,.0f} bytes of log, {stored:,.0f} of tables")
    for kind, target in TARGETS.items():
        yield at_most(f"{kind}, CPU ms a request", fmean(map(sum, costs[kind])), target)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few students; rough figures")
    plan = QUICK if parser.parse_args().quick else FULL
    costs, written = measure(**plan)
    print(f"load average {os.getloadavg()[0]:.1f}")
    return exit_status(figures(costs, written))


if __name__ == "__main__":
    sys.exit(main())
