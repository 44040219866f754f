"""Measure the CPU cost of a student's pages and answers.

    .venv/bin/python -m bench.pages.cost [--quick]

All students request their page, then all send its form, and so on, so the CPU time of each kind of
request is counted separately, for the web server, PostgreSQL and Redis but not for the students.
The sum of an attempt follows, with what it writes to PostgreSQL's log (WAL) and to its tables.
Students of two other projects show what the last answer costs with larger catalogues. The peer of
bench.api is called before and after, because targets grow with its cost on a slow machine. Exit
status 1 if a target is missed.
"""

import argparse
import csv
import gzip
import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import fmean, median

from bench.api.calls import CONNECTIONS, measured, run
from bench.api.servers import FEW, start_peer, start_service
from bench.stack import COURSES, Stack
from lab.figures import at_most, exit_status
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger

AT_ONCE = 8  # requests, as many as a service of the usual size handles at once
# From earlier attempts the service knows how often each item was given.
FULL = {"students": 150, "with_large": 24, "warming": 20, "earlier": 500}
QUICK = {"students": 12, "with_large": 6, "warming": 6, "earlier": 50}
FEW_COURSES, IN_A_DEPARTMENT = 36, 20
# Targets in CPU ms. Where the peer's link call takes more than USUAL_CALL, pages and answers may
# cost PAGE and ANSWER times that call.
PAGE_MS, ANSWER_MS, LAST_MS = 4, 6, {1_000: 40, 10_000: 100}
USUAL_CALL, PAGE, ANSWER = 7, 0.6, 0.9
LAST = "POST last answer"
LAST_WITH = {courses: f"{LAST}, {courses:,} courses" for courses in LAST_MS}
SECTIONS = ("subjects", "interests", "aptitude", "preferences")
ROUNDS, ROUND_SECONDS = 3, 2
FIXED = {"landing": {"consent": "yes"}, "section": {"begin": "yes"}, "ideas": {}}
HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "en-IN,en;q=0.9"}

PREPARE = "tests.support.prepare"
WRITTEN = """
SELECT pg_current_wal_lsn() - '0/0' AS wal,
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r') AS stored
"""


class Phone(Client):
    """Asks for compressed pages, as browsers do."""

    def _once(self, method, path, query, body, headers):
        sent = HEADERS | (headers or {})
        status, content, found = super()._once(method, path, query, body, sent)
        if found.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return status, content, found


def steps(port, path, number):
    """Walk a student from a link to the result; yield the kind of each request."""
    browser, draw = RemoteBrowser(Phone(Gate(port), Ledger())), random.Random(number)
    while True:
        page = browser.get(path)
        assert page.status == 200, f"GET {path}: {page.status}"
        kind = section(page) if page.name == "question" else page.name
        yield f"GET {kind}"
        form = page.form
        chosen = {name: draw.choice(form.offered(name)) for name in form.questions}
        accepted = browser.send(page, FIXED.get(kind, chosen))
        assert accepted.status == 303, f"POST {path}: {accepted.status}"
        path = accepted.location
        yield LAST if path.endswith("/result") else f"POST {kind}"


def section(page):
    if page.asks_subjects:
        return "subjects"
    if 'class="question rows"' in page.text:
        return "aptitude"
    return "preferences" if "How far do you agree?" in page.text else "interests"


def walk(students, pids):
    """Walk all in step to the result; return the CPU ms of a request by kind, step and program."""
    costs = defaultdict(list)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while "GET result" not in costs:
            kinds, spent = measured(pids, lambda: list(threads.map(next, students)))
            [kind] = set(kinds)  # they are in step, or this fails
            costs[kind].append(spent)
    return costs


def measure(stack, students, with_large, warming, earlier):
    """Return costs by kind, those with larger catalogues, and the bytes of log and tables."""
    service, partner = stack.shipped("--courses", courses_file(stack.folder, FEW_COURSES))
    pids = service.pid, stack.cluster.pid, stack.redis.pid

    def walked(partner, count):
        tokens = service.call(PREPARE, f"links({partner.project_id!r}, {count})")
        paths = (f"{partner.path}?token={token}" for token in tokens)
        return walk([steps(service.port, path, n) for n, path in enumerate(paths)], pids)

    # Nearly finished attempts of other students.
    service.call(PREPARE, f"len(attempts_at({partner.project_id!r}, 0, {earlier}))")
    walked(partner, warming)
    [before] = service.rows(WRITTEN)
    costs = walked(partner, students)
    [after] = service.rows(WRITTEN)
    larger = {}
    for courses in LAST_MS:
        file = courses_file(stack.folder, courses)
        partner = Partner.onboarded(service.manage, "--courses", file)
        walked(partner, AT_ONCE)
        with_these = walked(partner, with_large)
        larger[LAST_WITH[courses]] = with_these[LAST]
        larger[f"an attempt, {courses:,} courses"] = in_all(with_these)
    return costs, larger, [float(after[name] - before[name]) / students for name in before]


def in_all(costs):
    """Return the cost of an attempt by program, as the only step of its kind."""
    return [[*map(sum, zip(*(step for each in costs.values() for step in each), strict=True))]]


def courses_file(folder, count):
    """Write `count` courses, each made of two of the demo's; return the file's path."""
    with COURSES.open(encoding="utf-8-sig", newline="") as demo:
        given = list(csv.DictReader(demo))
    draw, file = random.Random("courses"), folder / f"{count}-courses.csv"
    with file.open("w", encoding="utf-8", newline="") as made:
        writer = csv.DictWriter(made, given[0])
        writer.writeheader()
        for number in range(count):
            course, other = draw.sample(given, 2)
            fields = [*course["fields"].split(";")[:2], other["fields"].partition(";")[0]]
            own = {
                "code": f"C{number}",
                "name": f"{course['name']} {number}",
                "fields": ";".join(dict.fromkeys(fields)),
                "department": f"Department {number // IN_A_DEPARTMENT}",
            }
            writer.writerow(course | own)
    return str(file)


def link_calls(peer):
    """Return the CPU ms of a link call of the peer, by round and program."""
    work = partial(run, peer.port, peer.calls.link(), ROUND_SECONDS, CONNECTIONS)
    _, *rounds = (measured(peer.pids, work)[1] for _ in range(1 + ROUNDS))
    return rounds  # without the first, which warms up


def figures(costs, larger, written, calls):
    """Print the cost of each kind of request and of an attempt; yield those with a target."""
    rows = {"link call of the peer": calls, **costs, "an attempt": in_all(costs), **larger}
    call = median(map(sum, calls))
    programs = f"{'web':>8}{'PostgreSQL':>12}{'Redis':>8}{'all':>8}"
    print(f"{'CPU ms a request':<34}{programs}  times that call")
    for kind, values in rows.items():
        web, postgresql, redis = map(fmean, zip(*values, strict=True))
        total = web + postgresql + redis
        parts = f"{web:>8.2f}{postgresql:>12.2f}{redis:>8.2f}{total:>8.2f}"
        print(f"{kind:<34}{parts}{total / call:>8.2f}")
    wal, stored = written
    requests = sum(map(len, costs.values()))
    print(f"an attempt: {requests} requests, {wal:,.0f} bytes of log, {stored:,.0f} of tables")
    page, answer = (PAGE_MS, ANSWER_MS) if call <= USUAL_CALL else (PAGE * call, ANSWER * call)
    targets = {f"GET {name}": page for name in SECTIONS}
    targets |= {f"POST {name}": answer for name in SECTIONS}
    targets |= {LAST_WITH[courses]: ms for courses, ms in LAST_MS.items()}
    for kind, target in targets.items():
        yield at_most(f"{kind}, CPU ms", fmean(map(sum, rows[kind])), round(target, 1))


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
    return exit_status(figures(*found, calls))


if __name__ == "__main__":
    sys.exit(main())
