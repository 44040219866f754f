"""What a student presses next is on a phone's screen, without scrolling.

No server: the pages come as in test_layout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from assessments.banks import SHIPPED
from assessments.student.question import question
from tests.assessments.page_states import PUZZLE, STATES, Context, Offered
from tests.e2e.test_layout import (
    PHONE,
    answered,
    focus_stops,
    has_font,
    html,
    is_seen,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

LONG_NAME = "Institute of Applied Arts, Science and Commerce, Sambhajinagar"
BOTTOM = "element => element.getBoundingClientRect().bottom"


@pytest.fixture(params=["en", "hi"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    if not has_font(request.param):
        pytest.skip(f"there is no font with the letters of {request.param}")
    yield request.param


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """Give a page of a phone without scripts."""
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.route("**/*", answered)
    yield page
    context.close()


def show(page: Page, template: str, context: Context) -> None:
    body = html(template, context)
    page.route("**/shown", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto("http://student.test/shown")


@pytest.mark.parametrize("state", ["landing", "landing, open attempt", "landing, done before"])
@pytest.mark.parametrize("more", [{}, {"project_name": LONG_NAME, "given_name": "Meenakshi"}])
def test_start_is_on_the_first_screen(
    phone: Page, language: str, state: str, more: dict[str, Any]
) -> None:
    template, context = STATES[state]

    show(phone, template, context | more | {"language": language})

    assert phone.locator("#consent").evaluate(BOTTOM) < phone.locator("#start").evaluate(BOTTOM)
    assert phone.locator("#start").evaluate(BOTTOM) <= PHONE["height"]
    assert phone.evaluate("scrollY") == 0


BANK: dict[str, Any] = json.loads(SHIPPED.read_bytes())
PUZZLES = [item for item in BANK["items"] if item["section"] == "aptitude"]
FAMILIES = {item["family"] + item.get("figure", {}).get("kind", ""): item for item in PUZZLES}
DONT_KNOW = Offered(0, {"en": "I don't know", "hi": "मुझे नहीं पता"})
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


def puzzle(item: dict[str, Any], language: str) -> Context:
    options = [Offered(value, each["label"]) for value, each in enumerate(item["options"], 1)]
    shown = question(item, [*options, DONT_KNOW], language, position=5, control="answer")
    return PUZZLE | {"language": language, "questions": [shown]}


@pytest.mark.parametrize("family", FAMILIES)
def test_continue_is_never_over_the_focus(phone: Page, language: str, family: str) -> None:
    show(phone, "student/question.html", puzzle(FAMILIES[family], language))

    assert [stop for stop in focus_stops(phone) if not is_seen(stop)] == []
    phone.evaluate("scrollTo(0, 0)")
    phone.locator("[type=radio]").first.focus()
    for _ in FAMILIES[family]["options"]:
        phone.keyboard.press("ArrowDown")
        assert phone.evaluate(IS_ABOVE_BAR)


def test_continue_is_in_reach_of_every_puzzle_and_never_over_an_answer(
    chromium: Browser, language: str
) -> None:
    page = chromium.new_page(viewport=PHONE)
    page.route("**/*", answered)
    page.goto("http://student.test/puzzle")
    pages = [html("student/question.html", puzzle(item, language)) for item in PUZZLES]
    mains = [page.partition("<main")[2].partition(">")[2].partition("</main>")[0] for page in pages]

    reached = page.evaluate(REACHED, mains)
    page.close()

    missed = [
        item["code"] for item, is_reached in zip(PUZZLES, reached, strict=True) if not is_reached
    ]
    assert missed == []
