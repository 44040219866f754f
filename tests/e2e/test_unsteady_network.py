"""Answers on a network that fails: kept in the browser, sent once when it is back, never lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import choices, stored
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.slow

PAGES = "**/assessment/*"
# A quarter of a minute passes in half a second.
HURRY = "const wait = setTimeout; setTimeout = (work, ms, ...more) => wait(work, ms / 30, ...more)"
NO_STORE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })"
NO_ABORT = "delete window.AbortController"
TICKED = "inputs => inputs.map(input => Number(input.value))"


@dataclass
class Sitting:
    """A student before the first page, what its script can do, and what is stored of it."""

    service: Service
    applicant: Applicant
    link: str
    student: Student

    def tick(self, script=""):
        """Tick the first page, unsent, after running a script; return the choices."""
        if script:
            self.student.context.add_init_script(script)
        self.student.start(self.link)
        self.student.go_to_question(1)
        self.student.choose()
        ticked = self.student.page.locator("fieldset input:checked").evaluate_all(TICKED)
        return dict(enumerate(ticked, start=1))

    def tap(self):
        """Send the page, and wait until it says that the answer waits for the network."""
        self.student.tap()
        self.is_waiting()

    def is_waiting(self):
        self.student.page.get_by_role("status").filter(has_text="kept in this browser").wait_for()

    def goes_on(self):
        self.student.page.wait_for_url(re.compile("/assessment/7$"))

    @property
    def kept(self):
        return self.student.kept_on_the_phone

    @property
    def given(self):
        return choices(self.service, self.applicant)

    @property
    def posts(self):
        """The kinds of requests that posted the first page or its section, and arrived."""
        return [
            request.resource_type
            for request in self.student.requests
            if request.method == "POST" and request.url.endswith("/1") and request.failure is None
        ]

    def stop_timers(self):
        self.student.page.clock.install(time=0)
        self.student.page.clock.pause_at(1000)


@pytest.fixture
def sitting(service, applicant, link, student):
    return Sitting(service, applicant, link, student)


def cut_off(route):
    """Lose what the script sends, without the browser noticing that it is offline."""
    if route.request.resource_type == "fetch":
        route.abort("internetdisconnected")
    else:
        route.continue_()


def cut_off_the_script(student):
    student.context.route(PAGES, cut_off)


def load_anew(student):
    student.context.unroute(PAGES)
    student.page.reload(wait_until="commit")


@pytest.mark.parametrize(
    ("script", "lose", "regain"),
    [
        pytest.param("", Student.lose_network, Student.regain_network, id="network returns"),
        pytest.param(NO_STORE, Student.lose_network, Student.regain_network, id="no storage"),
        pytest.param("", cut_off_the_script, load_anew, id="page is loaded anew"),
    ],
)
def test_an_answer_given_offline_is_kept_and_sent_once_afterwards(sitting, script, lose, regain):
    sitting.stop_timers()  # so that nothing else can send it
    ticked = sitting.tick(script)
    lose(sitting.student)
    sitting.tap()
    assert sitting.given == {}
    assert script or len(sitting.kept) == 1

    regain(sitting.student)
    sitting.goes_on()

    assert sitting.given == ticked
    assert script or sitting.kept == []
    assert sitting.posts == ["document", "fetch"]  # the first one began the section


def test_answers_that_were_ticked_only_are_ticked_after_a_reload(sitting):
    sitting.tick()
    ticked = sitting.student.ticked

    sitting.student.reload()

    assert (sitting.student.position, sitting.student.ticked, len(ticked)) == (1, ticked, 6)
    assert sitting.given == {}


def test_the_waiting_answer_of_one_student_is_never_sent_for_another(sitting, partner):
    student, applicant = sitting.student, sitting.applicant
    sister = Applicant("Lakshmi Iyer", f"l.{applicant.email}", applicant.mobile)
    sitting.stop_timers()
    sitting.tick()
    # Not `lose_network`: Chromium gives a page its network back while it closes the page.
    cut_off_the_script(student)
    sitting.tap()
    student.page.close()
    student.page = student.context.new_page()
    student.context.unroute(PAGES)

    student.start(partner.redirect_url(sister))
    student.go_to_question(1)
    student.page.wait_for_timeout(300)
    kept = sitting.kept
    assert (student.ticked, len(kept)) == ([], 1)  # kept for the first student's return
    student.choose()
    student.press("Continue")

    assert (sitting.kept, sitting.given) == (kept, {})
    assert sorted(choices(sitting.service, sister)) == [1, 2, 3, 4, 5, 6]


def test_a_waiting_answer_of_an_attempt_that_has_ended_is_refused_and_forgotten(sitting):
    sitting.tick()
    sitting.student.lose_network()
    sitting.tap()
    [attempt] = stored(sitting.service, sitting.applicant)
    sitting.service.rows(
        "UPDATE assessments_assessment SET abandoned_at = started_at WHERE id = %s",
        (attempt["id"],),
    )

    sitting.student.regain_network()
    sitting.student.page.locator("body[data-page='error-409']").wait_for()

    assert (sitting.kept, sitting.given) == ([], {})


def test_answers_left_over_go_once_no_attempt_can_be_that_old(sitting):
    sitting.tick()
    for days in (5, 40):
        entry = f"{{at: Date.now() - {days} * 24 * 60 * 60 * 1000}}"
        script = f"localStorage['answers of asm_{days} 1'] = JSON.stringify({entry})"
        sitting.student.page.evaluate(script)

    sitting.student.press("Continue")

    assert sitting.kept == ["answers of asm_5 1"]


def test_in_an_old_browser_the_form_sends_itself(sitting):
    ticked = sitting.tick(NO_ABORT)

    sitting.student.press("Continue")

    assert (sitting.student.position, sitting.given) == (7, ticked)
    assert sitting.posts == ["document", "document"]


def test_a_stalled_connection_and_a_server_that_is_away_are_tried_again(sitting):
    page, tried = sitting.student.page, []

    def disturb(route):
        if route.request.resource_type != "fetch":
            route.continue_()
            return
        tried.append(route.request.url)
        if len(tried) == 2:
            route.fulfill(status=503, body="<h1>Away</h1>", content_type="text/html")
        elif len(tried) == 3:
            route.continue_()
        # the first one gets no answer, ever

    def let_pass(time):
        page.clock.fast_forward(time)
        page.locator("main form button:not([aria-disabled])").wait_for()

    page.clock.install()
    ticked = sitting.tick()
    page.route(PAGES, disturb)

    sitting.student.tap()
    let_pass("00:11")
    sitting.is_waiting()
    with page.expect_response(lambda response: response.status == 503):
        page.clock.fast_forward("00:03")
    let_pass("00:00")
    page.clock.fast_forward("00:05")
    sitting.goes_on()

    assert (len(tried), sitting.given) == (3, ticked)


def test_an_answer_whose_receipt_got_lost_is_not_sent_again_after_a_reload(sitting):
    def lose_receipt(route):
        if route.request.resource_type == "fetch":
            route.fetch()
        cut_off(route)

    ticked, words = sitting.tick(), sitting.student.ticked
    sitting.student.page.route(PAGES, lose_receipt)
    sitting.tap()
    sitting.student.page.unroute(PAGES)

    sitting.student.reload()
    sitting.student.page.wait_for_timeout(300)

    assert (sitting.student.position, sitting.student.ticked) == (1, words)
    assert (sitting.kept, sitting.given) == ([], ticked)
    assert sitting.posts == ["document"]


def test_a_next_page_that_does_not_come_is_asked_for_again(sitting):
    asked = []

    def stall_once(route):
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()

    sitting.tick(HURRY)
    sitting.student.page.route("**/assessment/7", stall_once)

    sitting.student.tap()
    sitting.goes_on()

    assert (len(asked), sitting.kept) == (2, [])


def test_a_page_that_back_shows_as_it_was_left_sends_what_waits(sitting):
    """The browser froze the page while it sent, and gives it back for the Back button."""
    page, held = sitting.student.page, []
    sitting.stop_timers()
    ticked = sitting.tick()
    page.route(PAGES, lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/assessment/1"):
        sitting.student.tap()

    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    sitting.goes_on()

    assert sitting.given == ticked
