""" "Forget this browser": the next person at a shared computer finds nothing of the student."""

from __future__ import annotations

import pytest
from django.urls import reverse

from assessments.models import Assessment, PrivateLink
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed
from tests.factories import ProjectFactory
from tests.support.browser import Browser, Page

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def link(project: Project) -> str:
    return issue(project)[1]


@pytest.fixture
def attempt(link: str, browser: Browser) -> Assessment:
    """Give a completed attempt of this browser."""
    browser.start(link)
    return marked_completed(Assessment.objects.get())


def address(attempt: Assessment) -> str:
    return reverse("forget", args=[attempt.student.project.project_id])


def pressed(browser: Browser, page: Page) -> Page:
    """Press the button, drop the deleted cookies as a browser does, and follow the redirect."""
    answer = browser.send(page)
    jar = browser.client.cookies
    for name in [name for name, cookie in jar.items() if cookie["max-age"] == 0]:
        del jar[name]
    return browser.follow(answer)


def test_the_page_says_before_that_nothing_opens_the_result_without_a_private_link(
    attempt: Assessment, browser: Browser
) -> None:
    before = Assessment.objects.values().get()

    without = browser.get(address(attempt))
    PrivateLink.objects.make(attempt, with_puzzles=False, seen="")
    with_link = browser.get(address(attempt))

    assert without.name == with_link.name == "forget"
    assert "you have no private link" in without.text
    assert "only your private link opens your result" in with_link.text
    assert Assessment.objects.values().get() == before


def test_afterwards_neither_cookie_nor_link_nor_address_opens_anything(
    attempt: Assessment, link: str, browser: Browser, project: Project
) -> None:
    old = browser.cookies
    assert {"attempt", "csrftoken"} <= old.keys()

    page = pressed(browser, browser.get(address(attempt)))

    assert (page.status, page.name) == (200, "forgotten")
    assert browser.cookies == {}
    thief = Browser()
    thief.client.cookies.load(old)
    for visitor in (browser, thief):
        assert visitor.open(link).status == 410
        for name in ("result", "private-link"):
            assert visitor.get(reverse(name, args=[project.project_id])).status == 403
        assert visitor.get(reverse("assessment", args=[project.project_id])).status in {403, 404}


def test_the_private_link_and_the_partner_s_results_stay(
    attempt: Assessment, browser: Browser, project: Project
) -> None:
    private_link, key = PrivateLink.objects.make(attempt, with_puzzles=False, seen="")
    before = Assessment.objects.values().get()

    browser.press(browser.get(address(attempt)))

    after = Assessment.objects.values().get()
    assert {name for name in after if after[name] != before[name]} == {"browser_digest"}
    assert PrivateLink.objects.for_key(project.project_id, key) == private_link


def test_a_second_tap_finds_it_done(attempt: Assessment, browser: Browser) -> None:
    page = browser.get(address(attempt))
    cookies = browser.cookies
    browser.send(page)
    browser.client.cookies.load(cookies)  # sent before the first answer came

    again = pressed(browser, page)

    assert (again.status, again.name) == (200, "forgotten")
    assert browser.get(address(attempt)).name == "forgotten"


def test_a_form_of_another_attempt_forgets_nothing(attempt: Assessment, browser: Browser) -> None:
    page = browser.send(browser.get(address(attempt)), {"assessment": "asm_0"})

    assert page.status == 409
    assert browser.open(address(attempt)).name == "forget"


def test_a_form_of_another_project_leaves_the_attempt_that_is_open_here(
    attempt: Assessment, browser: Browser
) -> None:
    stale = browser.get(address(attempt))
    elsewhere = ProjectFactory.create()
    browser.start(issue(elsewhere)[1])
    cookies = browser.cookies

    answer = browser.send(stale)

    assert answer.name == "forgotten"
    assert "data-clear" not in answer.text
    assert browser.cookies == cookies
    assert browser.open(f"/{elsewhere.project_id}/assessment").name in {"section", "question"}


def test_an_open_attempt_goes_on(link: str, browser: Browser) -> None:
    browser.start(link)
    attempt = Assessment.objects.get()
    before = attempt.browser_digest

    asked = browser.open(address(attempt))
    sent = browser.post(address(attempt), {"assessment": attempt.assessment_id})

    assert asked.name == "section"
    assert sent.status == 303
    attempt.refresh_from_db()
    assert attempt.browser_digest == before
