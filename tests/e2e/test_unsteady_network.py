"""Answers on a network that fails: kept in the browser, sent once when it is back, never lost."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from tests.e2e.conftest import choices
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow

PAGES = "**/assessment/*/*"
NO_STORE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })"
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
        self.student.page.wait_for_url(re.compile("/asm_[A-Za-z0-9]+/7$"))

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


def test_in_an_old_browser_the_form_sends_itself(sitting):
    ticked = sitting.tick("delete window.AbortController")

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


def test_a_form_is_sent_by_the_browser_where_only_fetch_is_refused(sitting):
    page = sitting.student.page
    ticked = sitting.tick()
    page.clock.install()
    cut_off_the_script(sitting.student)

    sitting.tap()
    for wait in ("00:03", "00:05", "00:09"):
        page.wait_for_timeout(200)
        page.clock.fast_forward(wait)
    sitting.goes_on()

    assert sitting.given == ticked
    assert sitting.posts == ["document", "document"]
