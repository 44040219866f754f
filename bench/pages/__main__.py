"""Take a whole attempt in Chromium and count its bytes, and check every state of the pages.

    python -m bench.pages

Each row is a page: its bytes, and those of the answer to the form before (a redirect, or what the
page's script gets), with headers. Pages are gzipped, because brotli, which is smaller, needs https.
Then axe-core checks every state (tests/assessments/page_states.py). Exit status 1 if a target is
missed.
"""

import json
import sys
from collections import Counter

import django
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from bench.pages import PHONE, chromium
from bench.stack import Stack
from lab.figures import at_most, exactly, exit_status, reported
from tests.support.clients import Client, Gate
from tests.support.ledger import Ledger
from tests.support.student import Student

# The budgets, in bytes. A browser's first page also loads the style.
FIRST_PAGE, FURTHER_PAGE, RESULT_PAGE, WHOLE_ATTEMPT = 14_000, 6_000, 9_000, 200_000
PAGES = 36
# axe-core's rules
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
DESKTOP = {"width": 1280, "height": 800}
LOOKS = [(PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")]
RUN_AXE = """async ([tags, rules]) => {
    const runOnly = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
    const found = await axe.run(document, { runOnly, resultTypes: ["violations", "incomplete"] });
    const places = results => results.map(({ id, nodes }) =>
        [id, nodes.map(node => String(node.target)).slice(0, 3)]);
    // It does not know the background of words in drawings, whose contrast tests measure.
    const isDrawn = ({ target }) => document.querySelector(target[0]).closest("svg");
    const unsure = found.incomplete.map(({ id, nodes }) =>
        ({ id, nodes: nodes.filter(node => id !== "color-contrast" || !isDrawn(node)) })
    ).filter(({ nodes }) => nodes.length);
    return { violation: places(found.violations), unsure: places(unsure) };
}"""


def attempt(service, partner, browser, language):
    """Take an attempt, print the bytes of its pages, and yield the figures with a target."""
    context = browser.new_context(viewport=PHONE, locale=f"{language}-IN")
    student = Student(context, service.url)
    page, requests, rows = student.page, [], []
    page.on("requestfinished", lambda request: requests.append(request))

    def step(action):
        requests.clear()
        with page.expect_event("load"):
            action()
        page.wait_for_timeout(50)  # until Chromium has reported all of it
        rows.append(bytes_of(requests))
        print(f"{language} {student.path.rpartition('/')[2]:<30}{rows[-1][0]:>9}{rows[-1][1]:>9}")

    link = partner.link(Client(Gate(service.port), Ledger()), f"asha.{language}@example.com")
    step(lambda: page.goto(link))
    while student.kind != "result":
        if student.kind == "landing":
            student.consent()
        elif student.kind == "question":
            student.choose()
        step(lambda: page.locator("main form button[type=submit]").first.press("Enter"))
    context.close()
    first, *further, result = (own for own, _ in rows)
    yield at_most("pages", len(rows), PAGES)
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


def looks(browser):
    """Look at every state in both languages; print each fault, and yield their numbers by kind."""
    django.setup()
    from tests.assessments.page_states import STATES

    page, found = browser.new_context(viewport=PHONE).new_page(), Counter()
    style, request = settings.BASE_DIR / "static" / "student.css", RequestFactory().get("/")
    for language in ("en", "hi"):
        for state, (template, context) in STATES.items():
            with translation.override(language):
                html = render_to_string(template, context | {"language": language}, request)
            page.set_content(html)
            page.add_style_tag(path=style)
            page.evaluate(str(AXE_SCRIPT))
            for viewport, scheme in LOOKS:
                page.set_viewport_size(viewport)
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                # The bar with Continue covers what scrolls under it; at the end, nothing does.
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                # the scheme changes only colours
                rules = ["color-contrast"] if scheme == "dark" else []
                for kind, faults in page.evaluate(RUN_AXE, [TAGS, rules]).items():
                    found[kind] += len(faults)
                    for fault in faults:
                        what = f"{language}, {state}, {viewport['width']} px, {scheme}"
                        print(f"   {what}: {kind}: {json.dumps(fault, ensure_ascii=False)}")
    page.context.close()
    yield reported("states looked at", len(STATES))
    yield from (exactly(f"looks: {kind}", number, 0) for kind, number in found.items())


def main():
    missed = 0
    with Stack() as stack, chromium() as browser:
        service, partner = stack.shipped("--project", "Sahyadri College")
        for language in ("en", "hi"):
            missed |= exit_status(attempt(service, partner, browser, language))
        missed |= exit_status(looks(browser))
    return missed


if __name__ == "__main__":
    sys.exit(main())
