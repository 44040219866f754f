"""Look for faults in every state of the pages with axe-core.

Sizes of targets, what sticks out and the contrast of drawings are tested
(tests/e2e/test_pages_on_screen.py).
"""

import json
from collections import Counter

import django
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from bench.pages import PHONE
from lab.figures import exactly, reported

django.setup()
from tests.assessments.page_states import STATES  # noqa: E402  needs django.setup()

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
        ({ id, nodes: nodes.filter(node => id !== "color-contrast" || !isDrawn(node)) }));
    const some = unsure.filter(({ nodes }) => nodes.length);
    return { violation: places(found.violations), unsure: places(some) };
}"""


def figures(browser):
    """Look at every state in both languages; print each fault, and yield their numbers by kind."""
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
