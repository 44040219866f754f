"""Measure the CPU cost of a student's pages and answers.

    .venv/bin/python -m bench.pages.cost [--quick]

Students walk through the shipped item bank on a gunicorn in production mode, from the link to the
result: all request their page, then all send its form, and so on, eight requests at a time. So the
CPU time of each kind of request is counted separately, for the web server, PostgreSQL and Redis but
not for the students. The sum of an attempt follows, with what it writes to PostgreSQL's log (WAL)
and to its tables. Earlier students have warmed up the service, so it knows how often each item was
given. Their project has 36 courses. Fewer students of two other projects show what the last answer,
which ranks the courses, costs with 1,000 and 10,000.

Each cost stands beside its ratio to a link call of the peer in bench/api/peer, measured before and
after, with which the targets of pages and answers grow on a slow machine. Takes five minutes, with
--quick two. Exit status 1 if a target is missed.
"""

import argparse
import gzip
import itertools
import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from statistics import fmean, median

from bench.api.calls import CONNECTIONS, measured, run
from bench.api.servers import FEW, start_peer, start_service
from bench.pages.courses import courses_file
from bench.stack import Stack
from lab.figures import at_most, exit_status, reported
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger

AT_ONCE = 8  # requests, as many as a service of the usual size handles at once
# From earlier attempts the service knows how often each item was given.
FULL = {"students": 150, "with_large": 24, "warming": 20, "earlier": 500}
QUICK = {"students": 12, "with_large": 6, "warming": 6, "earlier": 50}
COURSES = 36
# Targets in CPU ms. Where the peer's link call takes more than USUAL_CALL, pages and answers may
# cost PAGE and ANSWER times that call.
PAGE_MS, ANSWER_MS, LAST_MS = 4, 6, {1_000: 40, 10_000: 100}
USUAL_CALL, PAGE, ANSWER = 7, 0.6, 0.9
LAST = "POST last answer"
SECTIONS = ("subjects", "interests", "aptitude", "preferences")
ROUNDS, ROUND_SECONDS = 3, 2
HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "en-IN,en;q=0.9"}

PREPARE = "tests.support.prepare"
WRITTEN = """
SELECT pg_current_wal_lsn() - '0/0' AS wal,
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r') AS stored
"""


class Phone(Client):
    """A client that asks for compressed pages, as browsers do."""

    def _once(self, method, path, query, body, headers):
        sent = HEADERS | (headers or {})
        status, content, found = super()._once(method, path, query, body, sent)
        if found.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return status, content, found


class Walker:
    """A student: a browser, the current page, and the next address."""

    def __init__(self, port, path, number):
        self._browser = RemoteBrowser(Phone(Gate(port), Ledger()))
        self._path = path
        self._random = random.Random(number)
        self.has_arrived = False

    def get(self):
        """Request the next page and return its kind."""
        self._page = self._browser.get(self._path)
        assert self._page.status == 200, f"GET {self._path}: {self._page.status}"
        self._kind = self._section() if self._page.name == "question" else self._page.name
        self.has_arrived = self._kind == "result"
        return f"GET {self._kind}"

    def post(self):
        """Send the form of the page, filled in, and return its kind."""
        accepted = self._browser.send(self._page, self._given())
        assert accepted.status == 303, f"POST {self._path}: {accepted.status}"
        self._path = accepted.location
        return LAST if self._path.endswith("/result") else f"POST {self._kind}"

    def _given(self):
        fixed = {"landing": {"consent": "yes"}, "section": {"begin": "yes"}, "ideas": {}}
        form = self._page.form
        chosen = {name: self._random.choice(form.offered(name)) for name in form.questions}
        return fixed.get(self._kind, chosen)

    def _section(self):
        if self._page.asks_subjects:
            return "subjects"
        if 'class="question rows"' in self._page.text:
            return "aptitude"
        return "preferences" if "How far do you agree?" in self._page.text else "interests"


def walk(walkers, pids):
    """Walk all students in step from the link to the result.

    Return the CPU ms of a request, by kind, step and program.
    """
    costs = defaultdict(list)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for step in itertools.cycle([Walker.get, Walker.post]):
            kinds, spent = measured(pids, lambda step=step: list(threads.map(step, walkers)))
            [kind] = set(kinds)  # they are in step, or this fails
            costs[kind].append(spent)
            if walkers[0].has_arrived:
                return costs
    raise AssertionError


def measure(stack, students, with_large, warming, earlier):
    """Return costs by kind, those of last answers, and the bytes that an attempt writes.

    Bytes are those of the log and of the tables.
    """
    service, partner = stack.shipped("--courses", courses_file(stack.folder, COURSES))
    pids = service.pid, stack.cluster.pid, stack.redis.pid

    def walkers(partner, count):
        tokens = service.call(PREPARE, f"links({partner.project_id!r}, {count})")
        paths = (f"{partner.path}?token={token}" for token in tokens)
        return [Walker(service.port, path, number) for number, path in enumerate(paths)]

    # Nearly finished attempts of other students.
    service.call(PREPARE, f"len(attempts_at({partner.project_id!r}, 0, {earlier}))")
    walk(walkers(partner, warming), pids)
    [before] = service.rows(WRITTEN)
    costs = walk(walkers(partner, students), pids)
    [after] = service.rows(WRITTEN)
    last_answers = {}
    for count in LAST_MS:
        partner = Partner.onboarded(service.manage, "--courses", courses_file(stack.folder, count))
        walk(walkers(partner, AT_ONCE), pids)
        last_answers[last_answer(count)] = walk(walkers(partner, with_large), pids)[LAST]
    return costs, last_answers, [float(after[name] - before[name]) / students for name in before]


def last_answer(courses):
    return f"{LAST}, {courses:,} courses"


def link_calls(peer):
    """Return the CPU ms of a link call of the peer, several times."""
    calls = peer.calls.link()
    rounds = (
        measured(peer.pids, lambda: run(peer.port, calls, ROUND_SECONDS, CONNECTIONS))
        for _ in range(1 + ROUNDS)
    )
    return [sum(spent) for _, spent in rounds][1:]  # the first round warms up


def figures(costs, last_answers, written, call):
    """Print the cost of each kind of request and of an attempt; yield those with a target."""
    programs = f"{'web':>8}{'PostgreSQL':>12}{'Redis':>8}{'all':>8}"
    print(f"{'CPU ms a request':<34}{programs}  times the peer's link call")
    totals = {}
    for kind, steps in (costs | last_answers).items():
        web, postgresql, redis = (fmean(values) for values in zip(*steps, strict=True))
        total = totals[kind] = web + postgresql + redis
        parts = f"{web:>8.2f}{postgresql:>12.2f}{redis:>8.2f}{total:>8.2f}"
        print(f"{kind:<34}{parts}{total / call:>8.2f}")
    steps = [step for each in costs.values() for step in each]
    web, postgresql, redis = map(sum, zip(*steps, strict=True))
    total = web + postgresql + redis
    print(f"{'an attempt':<34}{web:>8.0f}{postgresql:>12.0f}{redis:>8.0f}{total:>8.0f}")
    wal, stored = written
    print(f"an attempt: {len(steps)} requests, {wal:,.0f} bytes of log, {stored:,.0f} of tables")
    yield reported("a link call of the peer, CPU ms", call)
    page, answer = (PAGE_MS, ANSWER_MS) if call <= USUAL_CALL else (PAGE * call, ANSWER * call)
    targets = {f"GET {name}": page for name in SECTIONS}
    targets |= {f"POST {name}": answer for name in SECTIONS}
    targets |= {last_answer(courses): ms for courses, ms in LAST_MS.items()}
    for kind, target in targets.items():
        yield at_most(f"{kind}, CPU ms", totals[kind], round(target, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few students; rough figures")
    plan = QUICK if parser.parse_args().quick else FULL
    with Stack() as stack:
        other, side = start_service(stack, "service", FEW)
        other.stop()
        peer = start_peer(stack, other, side.calls)
        calls = link_calls(peer)
        found = measure(stack, **plan)
        calls += link_calls(peer)
    print(f"load average {os.getloadavg()[0]:.1f}")
    return exit_status(figures(*found, median(calls)))


if __name__ == "__main__":
    sys.exit(main())
