"""A form that the check against forgery refuses: explained, the choice kept, one press goes on."""

import pytest
from django.middleware.csrf import _get_new_csrf_string
from django.urls import reverse

from assessments.models import AssessmentLink, Attempt
from assessments.student import urls
from tests.assessments.attempts import inside, issue, newest_of
from tests.support.browser import Page

EVIL = "https://evil.example"

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def url(project):
    return issue(project)[1]


def started(page):
    """Return whether the link was used; fails where page and row differ."""
    link = AssessmentLink.objects.get()
    assert (page.status, link.attempt is not None) in [(303, True), (403, False)]
    assert (link.used_at is not None) is (Attempt.objects.count() == 1) is (page.status == 303)
    return page.status == 303


@pytest.mark.parametrize("origin", ["ours", "null", None, EVIL])
@pytest.mark.parametrize("referer", ["ours", None])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_start_with_headers_that_in_app_browsers_send(url, browser, scheme, referer, origin):
    """T18. Over https Django wants Origin or Referer; over http a form without both passes."""
    ours, secure = f"{scheme}://testserver", scheme == "https"
    headers = {"HTTP_ORIGIN": ours if origin == "ours" else origin} if origin else {}
    headers |= {"HTTP_REFERER": f"{ours}/"} if referer else {}

    page = browser.send(
        browser.get(url, secure=secure), {"consent": "yes"}, secure=secure, **headers
    )

    passes = origin == "ours" or (origin is None and (not secure or referer == "ours"))
    assert started(page) is passes
    assert passes or page.name == "error-403"
    assert origin != EVIL or page.forms == []


def test_with_cookies_blocked_the_link_stays_unused(url, browser):
    landing = browser.open(url)
    browser.client.cookies.clear()

    page = browser.send(landing, {"consent": "yes"})

    assert not started(page)
    assert "cookie" in page.text


def test_an_expired_form_keeps_the_choices(url, browser):
    """T19: the page lay open for long; one press and the answers are in."""
    page = browser.go_on(browser.start(url))
    chosen = {name: str(number % 5 + 1) for number, name in enumerate(page.form.questions)}
    stale = {**page.form.filled, **chosen, "csrfmiddlewaretoken": _get_new_csrf_string()}
    attempt = Attempt.objects.get()

    refused = browser.post(page.form.action, stale)
    assert (refused.status, attempt.read_answers().answered_count) == (403, 0)

    assert browser.press(refused).place == "/7"
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [1, 2, 3, 4, 5, 1]


def test_no_form_is_accepted_without_its_token(url, project, browser, rows):
    """At every address of the student pages, as the URLconf has them."""

    def send(page, chosen):
        attempt = Attempt.objects.first()
        ids = [project.project_id, attempt.assessment_id if attempt else "asm_0000000000000000"]
        addresses = {reverse("assessment", args=ids[:1]), page.form.action} | {
            reverse(each.name, args=[*ids, *([1] if each.name == "question" else [])])
            for each in urls.of_attempt
        }
        fields, before = page.form.filled | chosen, rows()
        del fields["csrfmiddlewaretoken"]
        for address in sorted(addresses):
            for wrong in ({}, {"csrfmiddlewaretoken": "a" * 32}):
                refused = Page(browser.client.post(address, fields | wrong))
                assert (refused.status, refused.name) == (403, "error-403"), address
        assert rows() == before

        accepted = browser.send(page, chosen)

        assert accepted.status == 303
        assert rows() != before
        return browser.follow(accepted)

    section = send(browser.open(url), {"consent": "yes"})
    question = send(section, {"begin": "yes"})
    assert question.form.questions
    send(question, dict.fromkeys(question.form.questions, "1"))
    assert send(browser.open(inside("leave", newest_of(project))), {}).name == "left"
