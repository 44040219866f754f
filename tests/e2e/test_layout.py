"""How the pages lie on a screen and on paper: each state, as rendered, in a chromium.

No server: the state's page and its style are handed to the browser by name.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from assessments.catalogue.course_description import ABOUT_MAX, KINDS_OF_WORK_MAX, WORK_MAX
from assessments.measurement.ability import Ability
from assessments.student.courses import groups
from assessments.student.report import report
from tests.assessments.page_states import RESULT, STATES, Context
from tests.assessments.profiles import recommended, simulated
from tests.assessments.test_report import BANK, SHIPPED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    Show = Callable[..., Page]

pytestmark = pytest.mark.slow

STYLE = settings.BASE_DIR / "static" / "student.css"
PHONE = {"width": 360, "height": 640}
# A window of 1280 by 1024 at 400 % (WCAG 1.4.10).
ZOOMED = {"width": 320, "height": 256}
STUDENTS = 100
# The colours of the ground, the words, the small words and the bars of a printed result.
COLOURS = """() => ["body", ".quiet", ".fill"].flatMap(name => {
    const { backgroundColor, color, fill } = getComputedStyle(document.querySelector(name));
    return { body: [backgroundColor, color], ".quiet": [color], ".fill": [fill] }[name];
})"""
ON_PAPER = ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(83, 95, 98)", "rgb(11, 100, 89)"]
MOST_STOPS = 60
# What is tapped to go on, and what is tapped now and then; links within a sentence are neither.
ANSWERS = ".answer, button, a.button, [type=text], .acts > :not(span), .languages > *"
OTHERS = "a:not(li a), summary, .keys"

# A longer language: 40 % more letters in every text, also in what was folded.
LENGTHEN = """() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
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
# What is folded away is laid out only once it is opened.
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
# What sticks out of the window, outside a box of its own that scrolls.
OUTSIDE = """() => {
    const width = document.documentElement.clientWidth;
    const found = [...document.querySelectorAll("main *, header *, footer *")].filter(element => {
        const box = element.getBoundingClientRect();
        return box.width && (box.left < -1 || box.right > width + 1)
            && !element.parentElement.closest(".wide, figure, svg");
    }).map(element => element.outerHTML.slice(0, 90));
    const page = document.documentElement.scrollWidth;
    return page > width ? [`the page is ${page} wide`, ...found] : found;
}"""
# Text that its own box cuts off.
CUT = """() => [...document.querySelectorAll("main *")].filter(element =>
    getComputedStyle(element).overflowY !== "visible"
    && !element.matches("progress, .wide, figure, svg")
    && element.scrollHeight > element.clientHeight + 1
).map(element => element.outerHTML.slice(0, 90))"""
# The width and height of everything to be tapped, but for links within a sentence.
SMALL = """([wanted, least]) => [...document.querySelectorAll(wanted)].map(element => {
    const { width, height } = element.getBoundingClientRect();
    return [element.outerHTML.slice(0, 70), Math.round(width), Math.round(height)];
}).filter(([, width, height]) => width && (width < least || height < least))"""
# Where the focus is, whether something lies over it, and how thick its outline is.
FOCUS = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const target = focused.closest("label") || focused;
    const { top, bottom, left, right } = target.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2,
        (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    const thickness = ({ outlineStyle, outlineWidth }) =>
        outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
    return {
        name: target.outerHTML.slice(0, 70),
        isInView: bottom > 0 && top < innerHeight,
        isCovered: !over || !target.contains(over),
        outline: Math.max(...[focused, target].map(each => thickness(getComputedStyle(each)))),
    };
}"""


def html(template: str, context: Context) -> str:
    """Return a page as its language has it."""
    with translation.override(context["language"]):
        return render_to_string(template, context, request=RequestFactory().get("/"))


def answered(route: Route) -> None:
    """Hand the browser the style, or the state that its address names."""
    path = unquote(urlsplit(route.request.url).path)
    if path.endswith(".css"):
        route.fulfill(path=STYLE)
    elif path.removeprefix("/") in STATES:
        route.fulfill(
            body=html(*STATES[path.removeprefix("/")]), content_type="text/html; charset=utf-8"
        )
    else:
        route.fulfill(status=404)


@pytest.fixture
def show(chromium: Browser) -> Iterator[Show]:
    """Give a function that opens a state; what it is given the first time makes the window."""
    pages: list[Page] = []

    def opened(state: str, **options: Any) -> Page:
        if not pages:
            pages.append(chromium.new_context(**{"viewport": PHONE} | options).new_page())
            pages[0].route("**/*", answered)
        pages[0].goto(f"http://student.test/{state}")
        return pages[0]

    yield opened
    for page in pages:
        page.context.close()


@dataclass
class Look:
    """What was found wrong with a state."""

    outside: list[str]
    small: list[Any] = field(default_factory=list)
    focus: list[Any] = field(default_factory=list)
    lengthened: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def looks(chromium: Browser) -> dict[str, Look]:
    """Look at every state once, in all the ways of the tests below."""
    page = chromium.new_context(viewport=ZOOMED).new_page()
    page.route("**/*", answered)
    found = {}
    for state in STATES:
        page.goto(f"http://student.test/{state}")
        page.evaluate(UNFOLD)
        look = found[state] = Look(page.evaluate(OUTSIDE))
        look.focus = [stop for stop in focus_stops(page) if not is_seen(stop)]
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            look.small += page.evaluate(SMALL, [ANSWERS, 44]) + page.evaluate(SMALL, [OTHERS, 24])
        page.set_viewport_size(ZOOMED)
        page.evaluate(LENGTHEN)
        page.add_style_tag(content=SPACING)
        look.lengthened = page.evaluate(OUTSIDE) + page.evaluate(CUT)
    page.context.close()
    return found


def focus_stops(page: Page) -> list[dict[str, Any]]:
    """Press Tab through the page; return what each stop looks like."""
    stops = []
    page.keyboard.press("Tab")
    while (stop := page.evaluate(FOCUS)) and len(stops) < MOST_STOPS:
        stops.append(stop)
        page.keyboard.press("Tab")
    assert stops
    return stops


def is_seen(stop: dict[str, Any]) -> bool:
    return stop["isInView"] and not stop["isCovered"] and stop["outline"] >= 2


def wrong(looks: dict[str, Look], what: str) -> dict[str, Any]:
    """Return the states that are wrong in a way, and how."""
    return {state: getattr(look, what) for state, look in looks.items() if getattr(look, what)}


def test_no_page_scrolls_two_ways_at_400_percent(looks: dict[str, Look]) -> None:
    assert wrong(looks, "outside") == {}


def test_longer_words_and_wider_spacing_lose_nothing(looks: dict[str, Look]) -> None:
    assert wrong(looks, "lengthened") == {}


def test_what_is_tapped_is_large_enough(looks: dict[str, Look]) -> None:
    assert wrong(looks, "small") == {}


def test_the_focus_is_always_visible(looks: dict[str, Look]) -> None:
    assert wrong(looks, "focus") == {}


def refuses(context: Context) -> bool:
    return bool(context.get("errors") or context.get("missing"))


@pytest.mark.parametrize("state", [state for state in STATES if refuses(STATES[state][1])])
def test_the_summary_of_errors_has_the_focus(show: Show, state: str) -> None:
    page = show(state, viewport=PHONE, java_script_enabled=False)

    page.locator(".summary:focus").wait_for()
    page.locator(".summary a").first.click()
    assert page.locator(":target").evaluate("element => element.matches('input, button')")


def test_what_was_left_out_is_no_longer_called_so_once_it_is_chosen(show: Show) -> None:
    page = show("puzzle without answer")
    error, question = page.locator("#answer-error"), page.locator(".question")
    edge = "element => getComputedStyle(element).boxShadow"
    page.evaluate("document.querySelector(':checked').checked = false")
    before = error.is_visible(), question.evaluate(edge) != "none"

    page.locator("label").first.click()

    assert before == (True, True)
    assert (error.is_visible(), question.evaluate(edge) != "none") == (False, False)


@cache
def longest_result(language: str) -> Context:
    """Return the result with the most to read of many students, with every note there is."""
    rng = random.Random(11)
    students = [simulated(rng, shared=0.3) for _ in range(STUDENTS)]
    with translation.override(language):
        results = []
        for each in students:
            overall = sum(ability.theta for ability in each.facets.values()) / len(each.facets)
            aptitude = {"overall": Ability(overall, 0.3), **each.aptitude}
            student = replace(each, aptitude=aptitude, fields={"machines": 0.0})
            courses = recommended(rng, student)
            noted = [replace(course, note=course.note or "close") for course in courses]
            stored = [course.to_json() for course in noted]
            results.append(
                report(
                    student,
                    stored,
                    language,
                    BANK,
                    given_name="Thirunavukkarasu",
                )
                | {"confidence_note": report_note(student, language), "flat": True}
                | {"groups": described(groups(stored, language, names(language)))}
            )
    longest = max(results, key=lambda result: len(str(result["groups"])))
    return RESULT | longest | {"language": language}


def names(language: str) -> dict[str, str]:
    """Return the texts of the shipped bank's statements and the names of its fields, by code."""
    data = json.loads(SHIPPED.read_bytes())
    statements = [item for item in data["items"] if item["section"] in {"interests", "fields"}]
    return {item["code"]: item["text"][language] for item in statements} | {
        field["code"]: field["name"][language] for field in data["fields"]
    }


def described(groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the groups with the longest texts that the catalogue takes."""
    for course in (course for group in groups for course in group["courses"]):
        course["about"] = ("What you study " * 10)[:ABOUT_MAX]
        course["leads_to"] = " · ".join([("Kind of work " * 4)[:WORK_MAX]] * KINDS_OF_WORK_MAX)
        course["url"] = course["apply_url"] = "https://college.example/course"
    return groups


def report_note(student: Any, language: str) -> str:
    """Return the note of a result whose answers show signs of haste."""
    [course] = recommended(random.Random(11), student, count=1)
    note = report(student, [replace(course, note="flagged").to_json()], language, BANK)
    return str(note["confidence_note"])


def has_font(language: str) -> bool:
    """Tell whether this machine can draw a language; boxes instead of letters are far wider."""
    found = subprocess.run(["fc-list", f":lang={language}"], capture_output=True, check=False)
    return bool(found.stdout.strip())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "hi"])
def test_the_longest_result_is_printed_whole_on_two_sheets(
    chromium: Browser, language: str, scheme: Any
) -> None:
    if not has_font(language):
        pytest.skip(f"there is no font with the letters of {language}")
    result = longest_result(language)
    page = chromium.new_context(color_scheme=scheme, java_script_enabled=False).new_page()
    page.route("**/*", answered)
    page.route("**/result", lambda route: route.fulfill(body=html("student/result.html", result)))

    page.goto("http://student.test/result")
    sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    page.emulate_media(media="print", color_scheme=scheme)
    shown = page.locator("main").inner_text()
    colours = page.evaluate(COLOURS)
    page.context.close()

    assert len(sheets) == 2
    for course in (course for group in result["groups"] for course in group["courses"]):
        assert course["counterpoint"] in shown
    assert colours == ON_PAPER
    assert result["return_url"]
    assert result["project_name"] not in shown  # the button back to it is not printed
