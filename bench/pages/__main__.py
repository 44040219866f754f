"""Take a whole attempt in Chromium and count its bytes, and check every state of the pages.

    python -m bench.pages

Each row is a page: its bytes, and those of the answer to the form before (a redirect, or what the
page's script gets), with headers, as Chromium receives them. Without https, pages are gzipped
instead of compressed with brotli, which is smaller. Then axe-core checks every state that a student
can meet (tests/assessments/page_states.py) on a phone and a desktop, in light and dark. Exit status
1 if a target is missed.
"""

import json
import sys

from assessments.banks import SHIPPED
from bench.pages import PHONE, chromium
from bench.stack import Stack
from lab.figures import at_most, exit_status
from tests.support.clients import Client, Gate
from tests.support.ledger import Ledger
from tests.support.student import Student

# The budgets, in bytes. A browser's first page also loads the style.
FIRST_PAGE, FURTHER_PAGE, RESULT_PAGE, WHOLE_ATTEMPT = 14_000, 6_000, 9_000, 200_000
PAGES = 36
QUESTIONS = sum(each["items_given"] for each in json.loads(SHIPPED.read_bytes())["sections"])


def attempt(service, partner, browser, language):
    """Take an attempt, print the bytes of its pages, and yield the figures with a target."""
    context = browser.new_context(viewport=PHONE, locale=f"{language}-IN")
    student = Student(context, service.url)
    page, requests, rows, questions = student.page, [], [], 0
    page.on("requestfinished", lambda request: requests.append(request))

    def step(action):
        requests.clear()
        with page.expect_event("load"):
            action()
        page.wait_for_timeout(50)  # until Chromium has reported all of it
        rows.append(bytes_of(requests))
        print(f"{language} {student.path.rpartition('/')[2]:<30}{rows[-1][0]:>9}{rows[-1][1]:>9}")

    client = Client(Gate(service.port), Ledger())
    link = partner.link(client, f"asha.{language}@example.com")
    step(lambda: page.goto(link))
    while student.kind != "result":
        if student.kind == "landing":
            student.consent()
        elif student.kind == "question":
            student.choose()
            questions += 0 if student.asks_subjects else page.locator("main fieldset").count()
        step(lambda: page.locator("main form button[type=submit]").first.press("Enter"))
    context.close()
    first, *further, result = (own for own, _ in rows)
    yield at_most("pages", len(rows), PAGES)
    yield at_most("questions, that of the subjects not counted", questions, QUESTIONS)
    yield at_most("first page, bytes", first, FIRST_PAGE)
    yield at_most("further pages, most bytes", max(further), FURTHER_PAGE)
    yield at_most("result page, bytes", result, RESULT_PAGE)
    yield at_most("whole attempt, bytes", sum(map(sum, rows)), WHOLE_ATTEMPT)


def bytes_of(requests):
    """Return the bytes of a page and what it loads, and those of the answer to a form."""
    sizes = {False: 0, True: 0}
    for request in requests:
        each = request.sizes()
        is_receipt = request.resource_type == "fetch" or bool(request.redirected_to)
        sizes[is_receipt] += each["responseHeadersSize"] + each["responseBodySize"]
    return sizes[False], sizes[True]


def main():
    missed = 0
    with Stack() as stack, chromium() as browser:
        service, partner = stack.shipped("--project", "Sahyadri College")
        for language in ("en", "hi"):
            missed |= exit_status(attempt(service, partner, browser, language))
        from bench.pages import looks  # it needs the environment

        missed |= exit_status(looks.figures(browser))
    return missed


if __name__ == "__main__":
    sys.exit(main())
