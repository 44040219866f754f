"""The page's script where network, server or browser let it down: sent once, and never lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.e2e.waiting import SECOND_PAGE, WAITING, given, stop_timers, wait_for_words
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow

# A quarter of a minute passes in half a second.
HURRY = "const wait = setTimeout; setTimeout = (work, ms, ...more) => wait(work, ms / 30, ...more)"
NO_STORE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })"


def test_without_a_store_the_open_page_holds_the_answer(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    student.context.add_init_script(NO_STORE)
    at_the_first_page(student)
    student.lose_network()

    student.tap()
    wait_for_words(student, WAITING)
    student.regain_network()
    student.page.wait_for_url(SECOND_PAGE)

    assert len(given(service, applicant)) == 6


def test_without_what_the_script_needs_the_form_sends_itself(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    student.context.add_init_script("delete window.AbortController")
    at_the_first_page(student)

    student.press("Continue")

    assert student.position == 7
    assert len(given(service, applicant)) == 6
    assert {r.resource_type for r in student.requests if r.method == "POST"} == {"document"}


def test_a_stalled_connection_and_a_server_that_is_away_are_tried_again(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    tried: list[str] = []

    def disturb(route: Route) -> None:
        if route.request.resource_type != "fetch":
            route.continue_()
            return
        tried.append(route.request.url)
        if len(tried) == 2:
            route.fulfill(status=503, body="<h1>Away</h1>", content_type="text/html")
        elif len(tried) == 3:
            route.continue_()
        # the first one gets no answer, ever

    def let_pass(time: str) -> None:
        student.page.clock.fast_forward(time)
        student.page.locator("main form button:not([aria-disabled])").wait_for()

    student.page.clock.install()
    at_the_first_page(student)
    student.page.route("**/assessment/*", disturb)

    student.tap()
    let_pass("00:11")
    wait_for_words(student, WAITING)
    with student.page.expect_response(lambda response: response.status == 503):
        student.page.clock.fast_forward("00:03")
    let_pass("00:00")
    student.page.clock.fast_forward("00:05")
    student.page.wait_for_url(SECOND_PAGE)

    assert len(tried) == 3
    assert len(given(service, applicant)) == 6


def test_an_answer_whose_receipt_got_lost_is_found_stored_after_a_reload(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    def lose_receipt(route: Route) -> None:
        if route.request.resource_type == "fetch":
            route.fetch()
            route.abort("internetdisconnected")
        else:
            route.continue_()

    at_the_first_page(student)
    ticked = student.ticked
    student.page.route("**/assessment/*", lose_receipt)
    student.tap()
    wait_for_words(student, WAITING)
    student.page.unroute("**/assessment/*")
    posts = len([request for request in student.requests if request.method == "POST"])

    student.reload()
    student.page.wait_for_timeout(300)

    assert (student.position, student.ticked) == (1, ticked)
    assert student.kept_on_the_phone == []
    assert len([request for request in student.requests if request.method == "POST"]) == posts
    assert len(given(service, applicant)) == 6


def test_a_next_page_that_does_not_come_is_asked_for_again(
    student: Student, at_the_first_page: Callable[[Student], None]
) -> None:
    asked: list[str] = []

    def stall_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()

    student.context.add_init_script(HURRY)
    at_the_first_page(student)
    student.page.route("**/assessment/7", stall_once)

    student.tap()
    student.page.wait_for_url(SECOND_PAGE)

    assert len(asked) == 2
    assert student.kept_on_the_phone == []


def test_a_page_that_the_browser_shows_as_it_was_left_sends_what_waits(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    """The browser froze the page on its way, and gives it back for the Back button."""
    stop_timers(student)
    at_the_first_page(student)
    held: list[Route] = []
    student.page.route(
        "**/assessment/*", lambda route: route.continue_() if held else held.append(route)
    )
    with student.page.expect_request("**/assessment/1"):
        student.tap()

    student.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    student.page.wait_for_url(SECOND_PAGE)

    assert len(given(service, applicant)) == 6
