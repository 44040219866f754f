"""The attempt belongs to the browser that started it: one opaque cookie, no session table."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from pytest_django import Settings

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import issue, token_of
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


def test_start_leads_to_the_first_page_at_an_address_without_a_token(
    project: Project, browser: Browser
) -> None:
    _, url = issue(project)

    answer = browser.send(browser.open(url), {"consent": "yes"})
    page = browser.follow(answer)

    assert answer.status == 303
    assert answer.location.startswith(f"/{project.project_id}/assessment")
    assert "token" not in answer.location
    assert page.response.request["PATH_INFO"] == f"/{project.project_id}/assessment/1"
    assert page.response.request["QUERY_STRING"] == ""
    assert token_of(url) not in page.text


def test_the_cookie_lasts_until_a_week_after_finish_by(project: Project, browser: Browser) -> None:
    project.finish_by_hours = 30
    project.save()
    _, url = issue(project)

    browser.send(browser.open(url), {"consent": "yes"})

    cookie = browser.client.cookies["attempt"]
    expected = timedelta(hours=30, days=7).total_seconds()
    assert expected - 5 <= int(cookie["max-age"]) <= expected
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert not cookie["secure"]


def test_on_https_the_cookie_is_host_only_and_secure(
    project: Project, browser: Browser, settings: Settings
) -> None:
    settings.SECURE_COOKIES = True
    settings.ATTEMPT_COOKIE_NAME = "__Host-attempt"
    _, url = issue(project)
    landing = browser.get(url, secure=True)

    browser.send(landing, {"consent": "yes"}, secure=True, HTTP_ORIGIN="https://testserver")

    cookie = browser.client.cookies["__Host-attempt"]
    assert cookie["secure"]
    assert cookie["path"] == "/"
    assert not cookie["domain"]


def test_only_the_digest_of_the_cookie_is_stored(project: Project, browser: Browser) -> None:
    _, url = issue(project)
    browser.start(url)

    token = browser.cookies["attempt"]

    attempt = Assessment.objects.get()
    assert attempt.browser_digest == hashlib.sha256(token.encode()).hexdigest()
    assert Session.objects.count() == 0


def test_the_cookie_is_made_of_the_csrf_secret_and_the_link_token(
    project: Project, browser: Browser
) -> None:
    """The rule that lets a re-sent Start find its own attempt without any state."""
    _, url = issue(project)
    browser.open(url)
    secret = browser.cookies["csrftoken"]

    browser.start(url)

    text = f"{secret}:{token_of(url)}"
    assert browser.cookies["attempt"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_double_tap_on_start_makes_one_attempt(project: Project, browser: Browser) -> None:
    """L2: the second POST carries the same cookies as the first, without the attempt's."""
    _, url = issue(project)
    landing = browser.open(url)
    first = browser.send(landing, {"consent": "yes"})
    del browser.client.cookies["attempt"]

    second = browser.send(landing, {"consent": "yes"})

    assert first.status == second.status == 303
    assert first.location == second.location
    attempt = Assessment.objects.get()
    assert attempt.is_in_browser(browser.cookies["attempt"])
    assert attempt.links.count() == 1


def test_the_link_leads_back_to_the_first_unanswered_question(
    project: Project, browser: Browser
) -> None:
    _, url = issue(project)
    page = browser.go_on(browser.go_on(browser.start(url)))
    assert page.response.request["PATH_INFO"].endswith("/7")
    before = Assessment.objects.values().get()

    by_link = browser.open(url)
    by_address = browser.open(reverse("assessment", args=[project.project_id]))

    assert by_link.response.request["PATH_INFO"].endswith("/assessment/7")
    assert by_address.response.request["PATH_INFO"].endswith("/assessment/7")
    assert Assessment.objects.values().get() == before


@pytest.mark.parametrize("lost", ["attempt", "csrftoken"])
def test_the_link_leads_back_even_if_only_one_cookie_survived(
    project: Project, browser: Browser, lost: str
) -> None:
    _, url = issue(project)
    browser.start(url)
    del browser.client.cookies[lost]

    page = browser.open(url)

    assert page.name == "section"
    assert Assessment.objects.get().is_in_browser(browser.cookies["attempt"])


def test_without_a_cookie_the_address_says_what_to_do(project: Project, browser: Browser) -> None:
    page = browser.open(f"/{project.project_id}/assessment")

    assert page.status == 404
    assert page.name == "error-404"
