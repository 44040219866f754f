"""The landing page of a fresh link while an attempt is open: continue, start again, or neither."""

from __future__ import annotations

import pytest

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def old_browser(project: Project) -> Browser:
    """Give the browser in which six questions have been answered."""
    browser = Browser()
    browser.go_on(browser.go_on(browser.start(issue(project)[1])))
    return browser


@pytest.mark.parametrize("choice", [{"start": "continue"}, {}])
def test_continue_goes_on_here_and_stops_there(
    project: Project, old_browser: Browser, browser: Browser, choice: dict[str, str]
) -> None:
    link, url = issue(project)
    old_page = old_browser.open(f"/{project.project_id}/assessment")

    page = browser.start(url, **choice)

    link.refresh_from_db()
    attempt = Assessment.objects.get()
    assert link.assessment == attempt
    assert page.response.request["PATH_INFO"].endswith("/assessment/7")
    assert attempt.read_answers().answered_count == 6
    refused = old_browser.send(old_page, dict.fromkeys(old_page.form.questions, "1"))
    assert refused.status == 403
    assert attempt.read_answers().answered_count == 6


def test_to_begin_anew_elsewhere_leaves_the_old(
    project: Project, old_browser: Browser, browser: Browser
) -> None:
    old = Assessment.objects.get()
    old_page = old_browser.open(f"/{project.project_id}/assessment")
    link, url = issue(project)
    landing = browser.open(url)

    page = browser.press(landing, {"consent": "yes", "start": "again"})

    link.refresh_from_db()
    old.refresh_from_db()
    assert page.name == "section"
    assert link.assessment != old
    assert (old.abandoned_at, old.moves) == (None, 0)
    assert old_browser.answer(old_page).place == "/13"


def test_start_again_begins_anew_and_ends_the_old(project: Project, old_browser: Browser) -> None:
    old = Assessment.objects.get()
    old_page = old_browser.open(f"/{project.project_id}/assessment")
    link, url = issue(project)

    page = old_browser.start(url, start="again")

    link.refresh_from_db()
    old.refresh_from_db()
    assert page.name == "section"
    assert link.assessment != old
    assert old.abandoned_at is not None
    refused = old_browser.send(old_page, dict.fromkeys(old_page.form.questions, "1"))
    assert refused.status == 409
    assert old.read_answers().answered_count == 6
    assert link.assessment.read_answers().answered_count == 0


def test_the_old_browser_shows_what_happened(
    project: Project, old_browser: Browser, browser: Browser
) -> None:
    address = f"/{project.project_id}/assessment"
    used = issue(project)[1]
    browser.start(used, start="continue")
    moved = old_browser.open(address)
    browser.start(issue(project)[1], start="again")

    replaced = Browser().open(used)

    assert (moved.status, moved.name) == (403, "error-403")
    assert (replaced.status, replaced.name) == (410, "link-unavailable")


def test_an_attempt_that_was_left_meanwhile_is_not_continued(
    project: Project, old_browser: Browser, browser: Browser
) -> None:
    link, url = issue(project)
    landing = browser.open(url)
    Assessment.objects.get().abandon()

    page = browser.send(landing, {"consent": "yes", "start": "continue"})

    link.refresh_from_db()
    assert page.status == 409
    assert page.name == "landing"
    assert len(page.form.buttons) == 1
    assert link.used_at is None
    assert Assessment.objects.count() == 1
    assert "attempt" not in browser.cookies


def test_of_two_landing_pages_one_continues_and_the_other_is_shown_again(
    project: Project, old_browser: Browser, browser: Browser, other_browser: Browser
) -> None:
    (_, first), (link, second) = issue(project), issue(project)
    landing = other_browser.open(second)
    browser.start(first, start="continue")

    page = other_browser.send(landing, {"consent": "yes", "start": "continue"})

    link.refresh_from_db()
    attempt = Assessment.objects.get()
    assert (page.status, page.name, link.used_at) == (409, "landing", None)
    assert attempt.is_in_browser(browser.cookies["attempt"])
    assert "Continue (6 of 44 answered)" in page.text
    assert other_browser.press(page, {"start": "continue"}).place == "/7"
    assert browser.open(f"/{project.project_id}/assessment").status == 403
