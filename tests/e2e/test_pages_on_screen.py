"""How every page and state lies on a screen, under the focus, and on paper.

No server: each state is rendered, and handed to the browser by its name.
"""

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from assessments.banks import SHIPPED
from measurement.bank import Bank
from tests.assessments.page_states import STATES
from tests.e2e.layout import CUT, OUTSIDE, SMALL, focus_faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Show = Callable[..., Page]

pytestmark = pytest.mark.slow

STYLE = settings.BASE_DIR / "static" / "student.css"
# A window of 1280 by 1024 at 400 % (WCAG 1.4.10).
ZOOMED = {"width": 320, "height": 256}
# What is tapped to go on, and what is tapped now and then; links within a sentence are neither.
ANSWERS = ".answer, button, a.button, [type=text], .acts > :not(span), .languages > *"
OTHERS = "a:not(li a), summary, .keys"
# A longer language: 40 % more letters in every text.
LENGTHEN = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode.data.trim();
        const more = "abcde fghij klmno pqrst ".repeat(20).slice(0, 0.4 * text.length);
        if (text.length > 3) texts.currentNode.data += " " + more;
    }
}"""
# What a reader may ask for (WCAG 1.4.12).
SPACING = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"""
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"


def html(template, context):
    """Return a page as its language has it."""
    with translation.override(context["language"]):
        return render_to_string(template, context, request=RequestFactory().get("/"))


def answered(route):
    """Hand the browser the style, or the state that its address names."""
    path = unquote(urlsplit(route.request.url).path).removeprefix("/")
    if path.endswith(".css"):
        route.fulfill(path=STYLE)
    elif path in STATES:
        route.fulfill(body=html(*STATES[path]), content_type="text/html; charset=utf-8")
    else:
        route.fulfill(status=404)


@pytest.fixture(params=["en", "hi"])
def language(request):
    # boxes in place of letters are far wider
    found = subprocess.run(["fc-list", f":lang={request.param}"], capture_output=True, check=False)
    if not found.stdout.strip():
        pytest.skip(f"there is no font with the letters of {request.param}")
    return str(request.param)


@pytest.fixture(scope="module")
def faults(chromium):
    """Look at every state once; return what is wrong, by kind and state."""
    page = chromium.new_context(viewport=ZOOMED).new_page()
    page.route("**/*", answered)
    found = defaultdict(dict)
    for state in STATES:
        page.goto(f"http://student.test/{state}")
        page.evaluate(UNFOLD)
        look = {
            "sticks out at 400 %": page.evaluate(OUTSIDE),
            "focus unseen or not reached": focus_faults(page),
        }
        look["too small to tap"] = []
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            for wanted, least in ((ANSWERS, 44), (OTHERS, 24)):
                look["too small to tap"] += page.evaluate(SMALL, [wanted, least])
        page.set_viewport_size(ZOOMED)
        page.evaluate(LENGTHEN)
        page.add_style_tag(content=SPACING)
        look["too long in another language"] = page.evaluate(OUTSIDE) + page.evaluate(CUT)
        for kind, wrong in look.items():
            found[kind] |= {state: wrong} if wrong else {}
    page.context.close()
    return found


@pytest.mark.parametrize(
    "kind",
    [
        "sticks out at 400 %",
        "focus unseen or not reached",
        "too small to tap",
        "too long in another language",
    ],
)
def test_no_state_has_the_fault(faults, kind):
    assert faults[kind] == {}


# --- what is pressed next is on a phone's screen

CONTENT = json.loads(SHIPPED.read_bytes())


# --- on paper

BANK = Bank.from_json(CONTENT)
