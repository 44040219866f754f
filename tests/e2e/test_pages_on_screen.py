"""How every page and state lies on a screen and under the focus.

No server: each state is rendered, and handed to the browser by its name.
"""

from base64 import b64encode
from collections import defaultdict
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.assessments.page_states import STATES
from tests.conftest import CHROMIUM
from tests.e2e.layout import CUT, OUTSIDE, SMALL, focus_faults

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


DRAWINGS = ("puzzle about a chart", "puzzle of pictures")
# Grid lines and frames of options only help the eye.
DRAWN = ".drawing > :not(.plate, .grid, .cell > .frame)"
# How far the clearest tenth of what a part draws stands out from what is behind it.
CONTRAST = """async shots => {
    const [shown, hidden] = await Promise.all(shots.map(async shot => {
        const image = new Image();
        image.src = `data:image/png;base64,${shot}`;
        await image.decode();
        const { width, height } = image;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, width, height).data;
    }));
    const linear = each => each <= 10 ? each / 3295 : ((each / 255 + .055) / 1.055) ** 2.4;
    const light = (data, at) => .05 + .2126 * linear(data[at])
        + .7152 * linear(data[at + 1]) + .0722 * linear(data[at + 2]);
    const ratios = [];
    for (let at = 0; at < shown.length; at += 4) {
        const [a, b] = [light(shown, at), light(hidden, at)];
        if (a !== b) ratios.push(Math.max(a, b) / Math.min(a, b));
    }
    return ratios.sort((a, b) => a - b)[Math.floor(.9 * ratios.length)] || 0;
}"""


def contrasts(page):
    """Return contrast and HTML of each part of the page's drawings, compared with it hidden."""
    found = []
    for drawing in page.locator(".drawing").all():
        shown = b64encode(drawing.screenshot()).decode()
        for part in drawing.locator("xpath=*").all():
            if not part.evaluate("(part, drawn) => part.matches(drawn)", DRAWN):
                continue
            part.evaluate("part => part.style.visibility = 'hidden'")
            shots = [shown, b64encode(drawing.screenshot()).decode()]
            part.evaluate("part => part.style.visibility = ''")
            found.append((page.evaluate(CONTRAST, shots), part.evaluate("part => part.outerHTML")))
    return found


@pytest.mark.parametrize("state", DRAWINGS)
@pytest.mark.parametrize(
    ("arguments", "scheme", "has_style"),
    [
        pytest.param(["--enable-features=WebContentsForceDark"], "light", True, id="darkened"),
        pytest.param([], "light", False, id="no style"),
        pytest.param([], "dark", False, id="no style, dark"),
    ],
)
def test_drawings_stand_out(chromium, arguments, scheme, has_style, state):
    darkened = chromium.browser_type.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", *arguments]
    )
    page = darkened.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
    page.route("**/*", answered)
    if not has_style:
        page.route("**/*.css", lambda route: route.fulfill(status=404))
    page.goto(f"http://student.test/{state}")

    found = contrasts(page)
    darkened.close()

    assert len(found) >= 7
    assert [part for part in found if part[0] < 3] == []
