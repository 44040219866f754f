"""Measure the CPU cost of a student's pages and answers.

    .venv/bin/python -m bench.pages.cost [--quick]

Students walk through the shipped item bank on a gunicorn in production mode, from the link to the
result: all request their page, then all send its form, and so on, eight requests at a time. So the
CPU time of each kind of request is counted separately, for the web server, PostgreSQL and Redis but
not for the students. The sum of an attempt follows, with what it writes to PostgreSQL's log (WAL)
and to its tables. Earlier students have warmed up the service, so it knows how often each item was
given. Takes two minutes, with --quick half a minute. Exit status 1 if a target is missed.
"""

import argparse
import gzip
import itertools
import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from statistics import fmean

from bench.stack import Stack
from lab.figures import at_most, exit_status
from tests.support import cpu
from tests.support.clients import Client, Gate, RemoteBrowser
from tests.support.ledger import Ledger

AT_ONCE = 8  # requests, as many as a service of the usual size handles at once
# From earlier attempts the service knows how often each item was given.
FULL = {"students": 150, "warming": 20, "earlier": 500}
QUICK = {"students": 12, "warming": 6, "earlier": 50}
PAGE_MS, ANSWER_MS = 4, 6
SECTIONS = ("subjects", "interests", "aptitude", "preferences")
TARGETS = {f"GET {name}": PAGE_MS for name in SECTIONS}
TARGETS |= {f"POST {name}": ANSWER_MS for name in SECTIONS}
HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "en-IN,en;q=0.9"}

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
        return "POST last answer" if self._path.endswith("/result") else f"POST {self._kind}"

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
            before = [cpu.seconds(pid) for pid in pids]
            [kind] = set(threads.map(step, walkers))  # they are in step, or this fails
            after = [cpu.seconds(pid) for pid in pids]
            spent = zip(before, after, strict=True)
            costs[kind].append([1000 * (b - a) / len(walkers) for a, b in spent])
            if walkers[0].has_arrived:
                return costs
    raise AssertionError


def measure(students, warming, earlier):
    """Return the costs, and the bytes of the log and of the tables that an attempt takes."""
    with Stack() as stack:
        service, partner = stack.shipped()
        prepare, own = "tests.support.prepare", repr(partner.project_id)
        # Nearly finished attempts of other students, and fresh links.
        service.call(prepare, f"len(attempts_at({own}, 0, {earlier}))")
        tokens = service.call(prepare, f"links({own}, {students + warming})")
        paths = [f"{partner.path}?token={token}" for token in tokens]
        pids = service.pid, stack.cluster.pid, stack.redis.pid
        walkers = [Walker(service.port, path, number) for number, path in enumerate(paths)]
        walk(walkers[students:], pids)
        [before] = service.rows(WRITTEN)
        costs = walk(walkers[:students], pids)
        [after] = service.rows(WRITTEN)
        return costs, [float(after[name] - before[name]) / students for name in before]


def figures(costs, written):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few students; rough figures")
    plan = QUICK if parser.parse_args().quick else FULL
    costs, written = measure(**plan)
    print(f"load average {os.getloadavg()[0]:.1f}")
    return exit_status(figures(costs, written))


if __name__ == "__main__":
    sys.exit(main())
