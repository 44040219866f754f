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
from tests.support.programs import until

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


def test_every_button_sends_while_every_fold_is_open(chromium):
    """Only an open example may keep "Continue" back: it closes, and the question gets the focus."""
    page = chromium.new_context(viewport=ZOOMED).new_page()
    sent = []

    def take(route):
        if route.request.method == "POST" or "?" in route.request.url:
            sent.append(route.request.post_data or route.request.url)
            if route.request.resource_type != "fetch":  # the script would send the form itself
                route.fulfill(status=204)
        elif route.request.url.endswith(".js"):
            route.fulfill(path=STYLE.parent / route.request.url.rpartition("/")[2])
        else:
            answered(route)

    page.route("**/*", take)
    swallowed = []
    for state in STATES:
        page.goto(f"http://student.test/{state}")
        has_folds = page.locator("details").count() > 0
        for number in range(page.locator("[type=submit]").count() if has_folds else 0):
            page.goto(f"http://student.test/{state}")
            page.evaluate(UNFOLD)
            sent.clear()
            button = page.locator("[type=submit]").nth(number)
            own = button.evaluate("each => new URLSearchParams([[each.name, each.value]]) + ''")
            button.evaluate("each => each.click()")

            def is_done(own=own):
                page.wait_for_timeout(10)  # in which playwright hands over requests
                if own != "=":
                    return any(own in each for each in sent)
                return sent or page.locator(".example:not([open]) + form :focus").count()

            try:
                until(is_done, 5)
            except TimeoutError:
                swallowed.append((state, own))
    page.context.close()
    assert swallowed == []


DRAWINGS = ("puzzle about a chart", "puzzle of pictures")
# Grid lines and frames of options only help the eye.
DRAWN = ".drawing > :not(.grid, .cell > .frame)"
# The relative luminance of each pixel of screenshots, with the .05 of WCAG added.
LIGHT = """const read = shots => Promise.all(shots.map(async shot => {
    const linear = each => each <= 10 ? each / 3295 : ((each / 255 + .055) / 1.055) ** 2.4;
    const image = new Image();
    image.src = `data:image/png;base64,${shot}`;
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    return Array.from({ length: width * height }, (_, at) => .05 + .2126 * linear(data[4 * at])
        + .7152 * linear(data[4 * at + 1]) + .0722 * linear(data[4 * at + 2]));
}));"""
# How far the clearest tenth of what a part draws stands out from what is behind it.
CONTRAST = f"""async shots => {{
    {LIGHT}
    const [shown, hidden] = await read(shots);
    const ratios = shown.map((light, at) => light / hidden[at]).filter(ratio => ratio !== 1);
    const far = ratio => Math.max(ratio, 1 / ratio);
    return ratios.sort((a, b) => far(a) - far(b))[Math.floor(.9 * ratios.length)] || 1;
}}"""
MEAN_LIGHT = f"""async shots => {{
    {LIGHT}
    return (await read(shots)).map(all => all.reduce((sum, one) => sum + one) / all.length);
}}"""


def measured(page, expression, *shots):
    return page.evaluate(expression, [b64encode(shot).decode() for shot in shots])


def contrasts(page):
    """Return contrast and HTML of each part of the page's drawings, compared with it hidden.

    The contrast is above 1 where a part is lighter than what is behind it, below 1 where darker.
    """
    found = []
    for drawing in page.locator(".drawing").all():
        shown = drawing.screenshot()
        for part in drawing.locator("xpath=*").all():
            if not part.evaluate("(part, drawn) => part.matches(drawn)", DRAWN):
                continue
            part.evaluate("part => part.style.visibility = 'hidden'")
            contrast = measured(page, CONTRAST, shown, drawing.screenshot())
            part.evaluate("part => part.style.visibility = ''")
            found.append((contrast, part.evaluate("part => part.outerHTML")))
    return found


@pytest.mark.parametrize("state", DRAWINGS)
@pytest.mark.parametrize(
    ("arguments", "scheme", "has_style"),
    [
        pytest.param(["--enable-features=WebContentsForceDark"], "light", True, id="darkened"),
        pytest.param(
            [
                "--enable-features=WebContentsForceDark",
                "--disable-features=AutoDarkModeSVGSizeThreshold",
            ],
            "light",
            True,
            id="darkened by Chrome before 151",
        ),
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
    assert [part for part in found if 1 / 3 < part[0] < 3] == []


def test_full_looks_full_in_matrix_and_answers_where_a_browser_darkens(chromium):
    page = chromium.new_page(viewport={"width": 360, "height": 640}, color_scheme="light")
    page.route("**/*", answered)
    darkening = page.context.new_cdp_session(page)
    darkening.send("Emulation.setAutoDarkModeOverride", {"enabled": True})
    page.goto("http://student.test/puzzle of pictures")

    found = contrasts(page)
    matrix, *answers = page.locator(".question .drawing").all()
    matrix.scroll_into_view_if_needed()
    box = matrix.bounding_box()
    third = {"y": box["y"], "width": box["width"] / 3, "height": box["height"] / 3}
    cells = [{"x": box["x"] + number * third["width"], **third} for number in range(3)]
    shots = [page.screenshot(clip=cell) for cell in cells]
    shots += [answer.screenshot() for answer in answers]
    light = measured(page, MEAN_LIGHT, *shots)
    # A part that is still to come, and one that is done.
    parts = page.locator(".progress .track:last-child, .progress .fill").all()
    bars = measured(page, MEAN_LIGHT, *[part.screenshot() for part in reversed(parts)])
    page.close()

    assert [part for part in found if part[0] < 3] == []  # light on dark
    assert bars[0] < bars[1]
    for empty, striped, full in (light[:3], light[3:]):
        assert empty < striped < full
