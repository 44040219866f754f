"""Take a whole attempt in Chromium over a slow network, and check every state of the pages.

    python -m bench.pages [--language en|hi] [--fast] [--no-looks]

The service, with production's static files, answers through a proxy that imitates a network of
50 kbit/s with a round trip of 800 ms and closes connections after every page. In the Hindi attempt
one connection in twenty gets lost or is reset; the attempt must still succeed and store the chosen
answers. Each row is a page: its bytes, those of the answer to the previous form, its requests, and
the seconds from the press until the next page is shown.

Then the program checks every state that a student can meet on a phone and a desktop, in light and
dark: faults that axe-core finds or is unsure of, contrast, targets under 24 px, answers under
44 px, pages wider than the screen, and complaints of the browser.

Without https, pages are gzipped instead of compressed with brotli, which is smaller, and TLS's
round trip does not count. Takes about ten minutes on two cores. axe-core is in
requirements-bench.txt. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.pages.served import chromium, onboard
from bench.service import running
from bench.slow_network import FAST, Conditions, SlowNetwork
from lab.figures import Figure, at_least, at_most, exactly, exit_status
from tests.support.databases import free_port

SLOW = Conditions(rate=50_000, round_trip=0.8)
BREAK_EVERY = {"en": 0, "hi": 20}  # one connection in this many is broken; 0 means none
# The budgets, in bytes. A browser's first page also loads the style.
FIRST_PAGE, FURTHER_PAGE, RESULT_PAGE, WHOLE_ATTEMPT = 14_000, 6_000, 9_000, 200_000
PAGES, QUESTIONS = 36, 70
REQUESTS, SECONDS = 3, 5.0
KINDS = ("violation", "unsure", "contrast", "under 24 px", "under 44 px", "too wide", "complaint")


def attempt(folder: Path, language: str, conditions: Conditions) -> Iterator[Figure]:
    """Take an attempt under these conditions; print the cost of its pages."""
    from bench.pages.attempt import Attempt
    from tests.support.backend import PartnerBackend

    port = free_port()
    with (
        running(folder, APP_URL=f"http://127.0.0.1:{port}") as service,
        SlowNetwork(port, service.port) as network,
        chromium() as browser,
    ):
        backend = PartnerBackend.from_onboarding(service.url, onboard(service, "Pages"))
        network.conditions = conditions
        taken = Attempt(service, backend, network)
        complaints = taken.take(browser, language)
        rows, received = taken.rows, network.received
        print(f"{language:<34}{'bytes':>9}{'receipt':>9}{'requests':>9}{'seconds':>9}")
        print(*rows, sep="\n")
        broken = ", ".join(network.broken) or "none"
        print(f"   * broken: {broken}; the link was opened again {taken.opened_again} times")
    yield at_most("pages", len(rows), PAGES)
    yield at_most("questions, that of the subjects not counted", taken.questions, QUESTIONS)
    calm = [row.seconds for row in rows if not row.broken]
    yield at_most("first page, bytes", max(r.bytes for r in rows if r.is_first), FIRST_PAGE)
    *further, result = (row.bytes for row in rows if not row.is_first)
    yield at_most("further pages, most bytes", max(further), FURTHER_PAGE)
    yield at_most("result page, bytes", result, RESULT_PAGE)
    yield at_most("requests of a page, most", max(row.requests for row in rows), REQUESTS)
    yield at_most("whole attempt, bytes", sum(r.bytes + r.receipt for r in rows), WHOLE_ATTEMPT)
    yield at_most("whole attempt, bytes through the proxy", received, WHOLE_ATTEMPT)
    yield at_most("slowest page, seconds", max(calm), SECONDS)
    yield exactly("answers not stored as chosen", taken.wrong, 0)
    yield exactly(f"complaints of the browser {complaints or ''}", len(complaints), 0)
    if conditions.break_every:
        yield at_least("connections broken on the way", len(network.broken), 1)


def looks(folder: Path, language: str) -> Iterator[Figure]:
    """Check every state that a student can meet; print the faults."""
    from axe_playwright_python.base import AXE_SCRIPT

    from bench.pages.looks import faults_of
    from bench.pages.tour import Tour

    found: Counter[str] = Counter()
    states: set[str] = set()

    def look(page: object, state: str, top: float) -> None:
        if state not in states:
            states.add(state)
            for fault in faults_of(page, str(AXE_SCRIPT)):
                found[fault.kind] += 1
                print(f"   {state}: {fault.words}")

    with running(folder) as service, chromium() as browser:
        tour = Tour(service, browser, language, look)
        tour.go()
        for complaint in tour.complaints():
            found["complaint"] += 1
            print(f"   {complaint}")
    yield at_least("states looked at", len(states), 35)
    yield from (exactly(f"looks: {kind}", found[kind], 0) for kind in KINDS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--language", choices=list(BREAK_EVERY), help="only this one")
    parser.add_argument("--fast", action="store_true", help="without the slow network")
    parser.add_argument("--no-looks", action="store_true", help="only bytes, requests and times")
    arguments = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for language in [arguments.language] if arguments.language else list(BREAK_EVERY):
            slow = dataclasses.replace(SLOW, break_every=BREAK_EVERY[language])
            conditions = FAST if arguments.fast else slow
            missed |= exit_status(attempt(Path(scratch) / language, language, conditions))
            if not arguments.no_looks:
                missed |= exit_status(looks(Path(scratch) / f"{language}-looks", language))
    return missed


if __name__ == "__main__":
    sys.exit(main())
