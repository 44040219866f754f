"""Take a whole attempt in Chromium over a slow network, and check every state of the pages.

    python -m bench.pages [--fast] [--no-looks]

Chromium imitates a network of 50 kbit/s with a round trip of 800 ms. Each row is a page: its bytes,
those of the answer to the previous form, its requests, and the seconds from the press until the
next page is shown. Then axe-core checks every state that a student can meet
(tests/assessments/page_states.py) on a phone and a desktop, in light and dark: what it finds or is
unsure of, and the contrast of words in drawings, whose background it does not know.

Without https, pages are gzipped instead of compressed with brotli, which is smaller, and TLS's
round trip does not count. Takes about ten minutes on two cores. axe-core is in
requirements-bench.txt. Exit status 1 if a target is missed.
"""

import argparse
import sys
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from bench.pages.attempt import Attempt
from bench.stack import COURSES, Stack
from lab.figures import at_most, exactly, exit_status
from tests.support.backend import PartnerBackend

# The budgets, in bytes. A browser's first page also loads the style.
FIRST_PAGE, FURTHER_PAGE, RESULT_PAGE, WHOLE_ATTEMPT = 14_000, 6_000, 9_000, 200_000
PAGES, QUESTIONS, REQUESTS, SECONDS = 36, 70, 3, 5.0


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        yield browser
        browser.close()


def started(stack):
    """Start a service with the shipped bank; return it and the backend of a project."""
    service = stack.service()
    service.manage("load_items", "--make-current")
    service.start()
    options = ("--project", "Sahyadri College", "--courses", str(COURSES), "--json")
    made = service.manage("onboard_partner", "Bench", *options)
    return service, PartnerBackend.from_onboarding(service.url, made)


def figures(taken):
    """Print the cost of an attempt's pages; yield the figures with a target."""
    rows = taken.rows
    print(f"{taken.language:<34}{'bytes':>9}{'receipt':>9}{'requests':>9}{'seconds':>9}")
    print(*rows, sep="\n")
    first, *further, result = (row.bytes for row in rows)
    yield at_most("pages", len(rows), PAGES)
    yield at_most("questions, that of the subjects not counted", taken.questions, QUESTIONS)
    yield at_most("first page, bytes", first, FIRST_PAGE)
    yield at_most("further pages, most bytes", max(further), FURTHER_PAGE)
    yield at_most("result page, bytes", result, RESULT_PAGE)
    yield at_most("requests of a page, most", max(row.requests for row in rows), REQUESTS)
    yield at_most("whole attempt, bytes", sum(r.bytes + r.receipt for r in rows), WHOLE_ATTEMPT)
    yield at_most("slowest page, seconds", max(row.seconds for row in rows), SECONDS)
    yield exactly("answers not stored as chosen", taken.wrong, 0)
    yield exactly(f"complaints of the browser {taken.complaints}", len(taken.complaints), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fast", action="store_true", help="without the slow network")
    parser.add_argument("--no-looks", action="store_true", help="only bytes, requests and times")
    arguments = parser.parse_args()
    missed = 0
    with Stack() as stack, chromium() as browser:
        service, backend = started(stack)
        for language in ("en", "hi"):
            taken = Attempt(service, backend, browser, language, is_slow=not arguments.fast)
            missed |= exit_status(figures(taken))
        if not arguments.no_looks:
            from bench.pages import looks  # it needs the environment

            missed |= exit_status(looks.figures(browser))
    return missed


if __name__ == "__main__":
    sys.exit(main())
