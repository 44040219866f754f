"""A form that the check against forgery refuses: explained, the choice kept, one press goes on."""

from __future__ import annotations

import pytest
from django.middleware.csrf import _get_new_csrf_string

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser

OURS = {"http": "http://testserver", "https": "https://testserver"}

pytestmark = pytest.mark.usefixtures("bank")


@pytest.mark.parametrize("origin", ["ours", "null", None, "https://evil.example"])
@pytest.mark.parametrize("referer", ["ours", None])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_start_with_headers_that_in_app_browsers_send(
    project: Project, browser: Browser, scheme: str, referer: str | None, origin: str | None
) -> None:
    """T18. Over https Django wants Origin or Referer; over http a form without both passes."""
    link, url = issue(project)
    secure = scheme == "https"
    landing = browser.get(url, secure=secure)
    headers = {}
    if origin:
        headers["HTTP_ORIGIN"] = OURS[scheme] if origin == "ours" else origin
    if referer:
        headers["HTTP_REFERER"] = f"{OURS[scheme]}/"

    page = browser.send(landing, {"consent": "yes"}, secure=secure, **headers)

    link.refresh_from_db()
    passes = origin == "ours" or (origin is None and (not secure or referer == "ours"))
    assert page.status == (303 if passes else 403)
    assert (link.used_at is not None) is passes
    if not passes:
        assert page.name == "error-403"
        assert Assessment.objects.count() == 0


@pytest.mark.parametrize("headers", [{"HTTP_ORIGIN": "null"}, {}])
def test_one_press_on_the_explanation_starts(
    project: Project, browser: Browser, headers: dict[str, str]
) -> None:
    link, url = issue(project)
    landing = browser.get(url, secure=True)
    refused = browser.send(landing, {"consent": "yes"}, secure=True, **headers)
    assert refused.status == 403
    assert "Your link still works" in refused.text
    assert refused.form.filled["consent"] == "yes"

    page = browser.send(refused, secure=True, HTTP_ORIGIN="https://testserver")

    link.refresh_from_db()
    assert page.status == 303
    assert link.assessment is not None


def test_a_foreign_site_gets_no_form_to_press(project: Project, browser: Browser) -> None:
    _, url = issue(project)
    landing = browser.open(url)

    page = browser.send(landing, {"consent": "yes"}, HTTP_ORIGIN="https://evil.example")

    assert page.status == 403
    assert page.forms == []


def test_with_cookies_blocked_the_link_stays_unused(project: Project) -> None:
    """T17."""
    link, url = issue(project)
    first = Browser()
    landing = first.open(url)
    first.client.cookies.clear()

    page = first.send(landing, {"consent": "yes"})

    link.refresh_from_db()
    assert page.status == 403
    assert "cookie" in page.text
    assert link.used_at is None


def test_an_expired_form_keeps_the_choices(project: Project, browser: Browser) -> None:
    """T19: the page lay open for long; one press and the answers are in."""
    _, url = issue(project)
    page = browser.go_on(browser.start(url))
    chosen = {name: str(number % 5 + 1) for number, name in enumerate(page.form.questions)}
    stale = {**page.form.filled, **chosen, "csrfmiddlewaretoken": _get_new_csrf_string()}

    refused = browser.post(page.form.action, stale)
    assert refused.status == 403
    assert Assessment.objects.get().read_answers().answered_count == 0
    after = browser.press(refused)

    attempt = Assessment.objects.get()
    assert after.response.request["PATH_INFO"].endswith("/assessment/7")
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [1, 2, 3, 4, 5, 1]


def test_a_lost_attempt_cookie_is_explained_and_nothing_stored(
    project: Project, browser: Browser
) -> None:
    _, url = issue(project)
    page = browser.go_on(browser.start(url))
    del browser.client.cookies["attempt"]

    refused = browser.send(page, dict.fromkeys(page.form.questions, "2"))

    assert refused.status == 403
    assert refused.name == "error-403"
    assert Assessment.objects.get().read_answers().answered_count == 0
    assert browser.open(url).name == "question"
