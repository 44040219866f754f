"""The page behind a link: it says what is coming, changes nothing, and starts or continues."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from assessments.models import Assessment, AssessmentLink, ItemBank, Student
from partners.models import AuditEvent
from tests.assessments.attempts import issue, token_of
from tests.support.browser import Browser

Rows = Callable[..., Any]

ROBOTS = [
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "WhatsApp/2.23.20",
    "Microsoft Office/16.0 (Windows NT 10.0; Safelinks)",
    "",
]
FETCHES = [
    ("get", {}),
    ("head", {}),
    ("options", {}),
    ("get", {"HTTP_RANGE": "bytes=0-99"}),
    ("get", {"HTTP_PURPOSE": "prefetch", "HTTP_SEC_PURPOSE": "prefetch"}),
    ("get", {"HTTP_ACCEPT": "*/*", "HTTP_ACCEPT_LANGUAGE": "hi"}),
]
STORED = (Student, AssessmentLink, Assessment, AuditEvent, Session)

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.mark.sqlite
def test_it_has_one_form_with_a_box_that_is_not_ticked_and_sets_one_cookie(project, browser):
    _, url = issue(project)

    page = browser.get(url)

    form = page.form
    assert (page.status, page.name) == (200, "landing")
    assert project.name in page.text
    assert (form.action, form.method) == (f"/{project.project_id}/assessment", "post")
    names = ["csrfmiddlewaretoken", "token", "language", "consent"]
    assert [control["name"] for control in form.inputs] == names
    assert form.filled["token"] == token_of(url)
    box = form.inputs[-1]
    assert (box["type"], box["value"], "checked" in box) == ("checkbox", "yes", False)
    assert len(form.buttons) == 1
    headers = page.response.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "strict-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert set(browser.cookies) == {"csrftoken"}
    cookie = browser.client.cookies["csrftoken"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.sqlite
def test_it_shows_the_given_name_and_no_more_of_the_person(project, browser):
    person = {"name": "Asha Padmini Rao", "email": "quiet@a.example", "mobile": "+91 91234 56789"}

    text = browser.get(issue(project, **person)[1]).text

    assert "Asha" in text
    assert not [each for each in ("Padmini", "Rao", "quiet@", "91234", "56789") if each in text]


def test_fetching_it_a_hundred_times_and_other_methods_change_no_row(project, browser, rows):
    _, url = issue(project)
    before = rows(*STORED)
    client = browser.client

    for number, (robot, (method, headers)) in enumerate(
        itertools.islice(itertools.cycle(itertools.product(ROBOTS, FETCHES)), 100)
    ):
        # a client of its own for each would take the middleware's loading a hundred times
        client.cookies.clear()
        who = {"REMOTE_ADDR": f"10.0.0.{number}", "HTTP_USER_AGENT": robot}
        response = getattr(client, method)(url, **who, **headers)
        assert response.status_code == (405 if method == "options" else 200)
    for method in ("put", "patch", "delete", "trace"):
        # Django's check against forgery comes first for those that could change something
        assert getattr(client, method)(url).status_code in {403, 405}

    assert rows(*STORED) == before


@pytest.mark.parametrize("data", [{}, {"start": "again"}, {"consent": "", "start": "again"}])
def test_without_consent_the_link_stays_unused_and_one_more_press_starts(
    project, browser, rows, data
):
    """A robot that sends the form by script ticks no box."""
    link, url = issue(project)
    before = rows(*STORED)

    page = browser.send(browser.open(url), data)

    assert (page.status, page.name) == (400, "landing")
    assert 'id="consent-error"' in page.text
    assert page.text.count("<title>Error:") == 1
    assert rows(*STORED) == before
    assert "attempt" not in browser.cookies

    assert browser.press(page, {"consent": "yes"}).name == "section"
    link.refresh_from_db()
    assert link.assessment is not None


@pytest.mark.parametrize(("months", "said"), [(1, "after 1 month."), (6, "after 6 months.")])
def test_the_notice_says_the_projects_own_months_and_the_attempt_keeps_them(
    project, browser, months, said
):
    project.retention_months = months
    project.save()
    page = browser.open(issue(project)[1])

    browser.press(page, {"consent": "yes"})

    attempt = Assessment.objects.get()
    assert f"They are deleted {said}" in page.text
    assert attempt.retention_months == months
    assert attempt.consent_version in page.text


def test_without_a_current_bank_it_is_an_error_page(project, browser, bank):
    """Every release publishes a bank first."""
    link, url = issue(project)
    ItemBank.objects.filter(pk=bank.pk).update(made_current_at=None)
    browser.client.raise_request_exception = False

    assert browser.client.get(url).status_code == 500
    assert link.state_at() == "unused"


# --- while an attempt is open


@pytest.fixture
def old_browser(project):
    """Give the browser in which six questions have been answered."""
    browser = Browser()
    browser.go_on(browser.go_on(browser.start(issue(project, name="Asha Rao")[1])))
    return browser


def test_an_open_attempt_is_offered_with_its_progress(project, old_browser, browser):
    page = browser.get(issue(project, name="Bina Rao")[1])

    assert page.name == "landing"
    assert "Continue (6 of 44 answered)" in page.text
    assert "Welcome back, Bina" in page.text
    assert "Asha" not in page.text
    buttons = [(button.get("name"), button.get("value")) for button in page.form.buttons]
    assert buttons == [("start", "continue"), ("start", "again")]


@pytest.mark.parametrize("is_held", [True, False])
def test_to_start_again_ends_the_old_attempt_only_where_it_was_open(
    project, old_browser, browser, is_held
):
    old = Assessment.objects.get()
    old_page = old_browser.open(f"/{project.project_id}/assessment")
    link, url = issue(project)

    page = (old_browser if is_held else browser).start(url, start="again")

    link.refresh_from_db()
    old.refresh_from_db()
    assert page.name == "section"
    assert link.assessment != old
    assert (old.abandoned_at is not None) is is_held
    assert old.moves == 0
    answered = old_browser.send(old_page, dict.fromkeys(old_page.form.questions, "1"))
    assert answered.status == (409 if is_held else 303)
    assert old.read_answers().answered_count == (6 if is_held else 12)
    assert link.assessment.read_answers().answered_count == 0


@pytest.mark.parametrize(
    ("meanwhile", "buttons"), [("left", []), ("continued", ["continue", "again"])]
)
def test_a_page_whose_offer_has_changed_is_shown_again_and_its_link_stays_unused(
    project, old_browser, browser, other_browser, meanwhile, buttons
):
    link, url = issue(project)
    landing = browser.open(url)
    attempt = Assessment.objects.get()
    if meanwhile == "left":
        attempt.abandon()
    else:
        other_browser.start(issue(project)[1], start="continue")

    page = browser.send(landing, {"consent": "yes", "start": "continue"})

    link.refresh_from_db()
    attempt.refresh_from_db()
    assert (page.status, page.name, link.used_at) == (409, "landing", None)
    assert [button["value"] for button in page.form.buttons if "value" in button] == buttons
    assert Assessment.objects.count() == 1
    assert "attempt" not in browser.cookies
    assert attempt.moves == (meanwhile == "continued")
    place = browser.press(page, {"consent": "yes", "start": "continue" if buttons else ""}).place
    assert place == ("/7" if buttons else "/1")
