"""How every page and state lies on a screen, under the focus, and on paper.

No server: each state is rendered, and handed to the browser by its name.
"""

import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from assessments.banks import SHIPPED
from assessments.catalogue.course_description import ABOUT_MAX, KINDS_OF_WORK_MAX, WORK_MAX
from assessments.measurement.ability import Ability
from assessments.measurement.bank import Bank
from assessments.student.courses import groups
from assessments.student.question import question
from assessments.student.report import report
from tests.assessments.page_states import PUZZLE, RESULT, STATES, Offered
from tests.assessments.profiles import recommended, simulated
from tests.e2e.conftest import PHONE
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
# Whether an error is read, and whether its question has a coloured edge.
MARKS = """() => [document.querySelector("#answer-error").checkVisibility(),
    getComputedStyle(document.querySelector(".question")).boxShadow !== "none"]"""


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


@pytest.fixture
def show(chromium):
    """Give a function that shows a state, or a template with a context, without scripts."""
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.route("**/*", answered)

    def shown(state, context=None):
        if context:
            body = html(state, context)
            page.route("**/shown", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(f"http://student.test/{'shown' if context else state}")
        return page

    yield shown
    context.close()


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


REFUSED = [name for name, (_, each) in STATES.items() if each.get("errors") or each.get("missing")]


@pytest.mark.parametrize("state", REFUSED)
def test_the_summary_of_errors_has_the_focus_and_leads_to_the_field(show, state):
    page = show(state)

    page.locator(".summary:focus").wait_for()
    page.locator(".summary a").first.click()
    assert page.locator("input:target, button:target").count() == 1


def test_an_answer_chosen_after_all_is_no_longer_called_missing(show):
    page = show("puzzle without answer")
    page.evaluate("document.querySelector(':checked').checked = false")
    before = page.evaluate(MARKS)

    page.locator("label").first.click()

    assert (before, page.evaluate(MARKS)) == ([True, True], [False, False])


# --- what is pressed next is on a phone's screen

LONG_NAME = "Institute of Applied Arts, Science and Commerce, Sambhajinagar"
CONTENT = json.loads(SHIPPED.read_bytes())
PUZZLES = [item for item in CONTENT["items"] if item["section"] == "aptitude"]
FAMILIES = {item["family"] + item.get("figure", {}).get("kind", ""): item for item in PUZZLES}
DONT_KNOW = Offered(0, {"en": "I don't know", "hi": "मुझे नहीं पता"})
BOTTOM = "element => element.getBoundingClientRect().bottom"
# Of each page's main part: whether Continue is on the screen at once, and below the last answer
# once that is scrolled to.
REACHED = """mains => mains.map(main => {
    document.querySelector("main").innerHTML = main;
    const bar = document.querySelector(".go");
    const last = [...document.querySelectorAll(".answer")].pop();
    const edge = element => element.getBoundingClientRect();
    scrollTo(0, 0);
    const isInReach = edge(bar).bottom <= innerHeight;
    scrollTo(0, document.documentElement.scrollHeight);
    return isInReach && edge(last).bottom <= edge(bar).top;
})"""
IS_ABOVE_BAR = """() => document.activeElement.closest("label").getBoundingClientRect().bottom
    <= document.querySelector(".go").getBoundingClientRect().top"""


@pytest.mark.parametrize("state", ["landing", "landing, open attempt", "landing, done before"])
@pytest.mark.parametrize("more", [{}, {"project_name": LONG_NAME, "given_name": "Meenakshi"}])
def test_start_is_on_the_first_screen(show, language, state, more):
    template, context = STATES[state]

    page = show(template, context | more | {"language": language})

    consent, start = (page.locator(each).evaluate(BOTTOM) for each in ("#consent", "#start"))
    assert consent < start <= PHONE["height"]
    assert page.evaluate("scrollY") == 0


def puzzle(item, language):
    options = [Offered(value, each["label"]) for value, each in enumerate(item["options"], 1)]
    shown = question(item, [*options, DONT_KNOW], language, position=5, control="answer")
    return PUZZLE | {"language": language, "questions": [shown]}


@pytest.mark.parametrize("family", FAMILIES)
def test_continue_is_never_over_the_focus(show, language, family):
    page = show("student/question.html", puzzle(FAMILIES[family], language))

    assert focus_faults(page) == []
    page.evaluate("scrollTo(0, 0)")
    page.locator("[type=radio]").first.focus()
    for _ in FAMILIES[family]["options"]:
        page.keyboard.press("ArrowDown")
        assert page.evaluate(IS_ABOVE_BAR)


def test_continue_is_in_reach_of_every_puzzle_and_never_over_an_answer(show, language):
    pages = [html("student/question.html", puzzle(item, language)) for item in PUZZLES]
    mains = [re.findall("(?s)<main.*?>(.*)</main>", page)[0] for page in pages]

    reached = show("puzzle").evaluate(REACHED, mains)

    codes = [item["code"] for item in PUZZLES]
    assert [code for code, is_so in zip(codes, reached, strict=True) if not is_so] == []


# --- on paper

BANK = Bank.from_json(CONTENT)
STUDENTS = 100
# The colours of the ground, the words, the small words and the bars of a printed result.
COLOURS = """() => ["body", ".quiet", ".fill"].flatMap(name => {
    const { backgroundColor, color, fill } = getComputedStyle(document.querySelector(name));
    return { body: [backgroundColor, color], ".quiet": [color], ".fill": [fill] }[name];
})"""
ON_PAPER = ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(83, 95, 98)", "rgb(11, 100, 89)"]


@cache
def longest_result(language):
    """Return the result with the most to read of many students, with every note there is."""
    rng = random.Random(11)
    named = [each for each in CONTENT["items"] if each["section"] in {"interests", "fields"}]
    names = {each["code"]: each["text"][language] for each in named}
    names |= {each["code"]: each["name"][language] for each in CONTENT["fields"]}
    results = []
    with translation.override(language):
        for _ in range(STUDENTS):
            student = simulated(rng, shared=0.3)
            overall = sum(each.theta for each in student.facets.values()) / len(student.facets)
            aptitude = {"overall": Ability(overall, 0.3), **student.aptitude}
            student = replace(student, aptitude=aptitude, fields={"machines": 0.0})
            courses = [
                replace(each, note=each.note or "close").to_json()
                for each in recommended(rng, student)
            ]
            flagged = [courses[0] | {"note": "flagged"}]
            results.append(
                report(student, courses, language, BANK, given_name="Thirunavukkarasu")
                | {"confidence_note": report(student, flagged, language, BANK)["confidence_note"]}
                | {"groups": groups(courses, language, names), "flat": True}
            )
    longest = max(results, key=lambda result: len(str(result["groups"])))
    for course in (course for group in longest["groups"] for course in group["courses"]):
        course["about"] = ("What you study " * 10)[:ABOUT_MAX]
        course["leads_to"] = " · ".join([("Kind of work " * 4)[:WORK_MAX]] * KINDS_OF_WORK_MAX)
        course["url"] = course["apply_url"] = "https://college.example/course"
    return RESULT | longest | {"language": language}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_longest_result_is_printed_whole_on_two_sheets(show, language, scheme):
    result = longest_result(language)
    page = show("student/result.html", result)
    page.emulate_media(color_scheme=scheme)
    sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    page.emulate_media(media="print", color_scheme=scheme)
    shown = page.locator("main").inner_text()

    assert len(sheets) == 2
    for course in (course for group in result["groups"] for course in group["courses"]):
        assert course["counterpoint"] in shown
    assert page.evaluate(COLOURS) == ON_PAPER
    assert result["return_url"]
    assert result["project_name"] not in shown  # the button back to it is not printed
