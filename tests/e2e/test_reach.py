"""What a student presses next is on a phone's screen, without scrolling.

No server: the pages come as in test_layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.assessments.page_states import STATES, Context
from tests.e2e.test_layout import PHONE, answered, has_font, html

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
def phone(browser: Browser) -> Iterator[Page]:
    """Give a page of a phone without scripts."""
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
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


def test_the_rest_of_the_notice_opens_before_the_consent(phone: Page) -> None:
    show(phone, *STATES["landing"])
    rest = phone.get_by_text("You see the whole result at the end.")
    before = rest.is_visible()

    phone.locator(".notice summary").click()

    assert (before, rest.is_visible()) == (False, True)
    assert rest.evaluate(BOTTOM) < phone.locator("#consent").evaluate(BOTTOM)
