"""The attempt belongs to the browser that started it: one opaque cookie opens it, and no other."""

import hashlib
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.middleware.csrf import _get_new_csrf_string
from django.urls import reverse

from assessments.models import Answer, Assessment
from tests.assessments.attempts import issue, token_of

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def home(project):
    return f"/{project.project_id}/assessment"


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


# --- what Start sets


def test_start_sets_one_cookie_and_leads_to_an_address_without_a_token(project, browser, home):
    """Its value is made of the CSRF secret and the link token, so that a Start that is sent again
    finds its own attempt without any state. Only its digest is stored."""
    project.finish_by_hours = 30
    project.save()
    _, url = issue(project)
    landing = browser.open(url)
    secret = browser.cookies["csrftoken"]

    answer = browser.send(landing, {"consent": "yes"})
    page = browser.follow(answer)

    assert (answer.status, answer.location) == (303, f"{home}/1")
    assert page.response.request["QUERY_STRING"] == ""
    assert token_of(url) not in page.text
    cookie = browser.client.cookies["attempt"]
    expected = timedelta(hours=30, days=7).total_seconds()
    assert expected - 5 <= int(cookie["max-age"]) <= expected
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert not cookie["domain"]
    assert not cookie["secure"]
    assert cookie.value == sha256(f"{secret}:{token_of(url)}")
    assert Assessment.objects.get().browser_digest == sha256(cookie.value)
    assert Session.objects.count() == 0


def test_on_https_the_cookie_is_host_only_and_secure(project, browser, settings):
    settings.SECURE_COOKIES = True
    settings.ATTEMPT_COOKIE_NAME = "__Host-attempt"
    landing = browser.get(issue(project)[1], secure=True)

    browser.send(landing, {"consent": "yes"}, secure=True, HTTP_ORIGIN="https://testserver")

    cookie = browser.client.cookies["__Host-attempt"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


@pytest.mark.parametrize(
    ("questions", "headers", "status"),
    [(6, {}, 303), (1, {}, 400), (6, {"headers": {"Accept": "application/json"}}, 200)],
    ids=["whole page", "incomplete page", "by the script"],
)
def test_answers_renew_the_cookie_for_the_time_that_staff_gave_and_reading_does_not(
    attempt, browser, home, questions, headers, status
):
    page = browser.go_on(browser.open(home))
    attempt.extend(attempt.finish_by_at + timedelta(days=5), actor="staff:1")
    token = browser.cookies["attempt"]
    read = browser.get(page.form.action)

    answer = browser.send(page, dict.fromkeys(page.form.questions[:questions], "1"), **headers)

    assert "attempt" not in read.response.cookies
    assert answer.status == status
    cookie = answer.response.cookies["attempt"]
    expected = timedelta(days=13).total_seconds()
    assert expected - 60 < int(cookie["max-age"]) <= expected
    assert cookie.value == token
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")


# --- what it opens


def test_a_double_tap_on_start_makes_one_attempt(project, browser):
    """The second POST carries the same cookies as the first, without the attempt's."""
    landing = browser.open(issue(project)[1])
    first = browser.send(landing, {"consent": "yes"})
    del browser.client.cookies["attempt"]

    second = browser.send(landing, {"consent": "yes"})

    assert (first.status, first.location) == (second.status, second.location)
    attempt = Assessment.objects.get()
    assert attempt.is_in_browser(browser.cookies["attempt"])
    assert attempt.links.count() == 1


def test_a_cookie_planted_before_the_start_does_not_open_the_attempt(
    project, browser, other_browser, home
):
    """The attacker, who planted them, knows the CSRF secret, but not the link token."""
    attacker = other_browser
    attacker.start(issue(project, email="attacker@example.net")[1])
    secret = _get_new_csrf_string()
    planted = {"csrftoken": secret, "attempt": attacker.cookies["attempt"], "sessionid": "planted"}
    browser.client.cookies.load(planted)
    link, url = issue(project)

    browser.go_on(browser.start(url))

    link.refresh_from_db()
    victims = link.assessment
    assert victims is not None
    # No page goes to the attempt whose cookie was planted.
    assert list(Answer.objects.values_list("assessment", flat=True)) == [victims.pk] * 6
    assert not victims.is_in_browser(planted["attempt"])
    attacker.client.cookies.load(planted)
    assert victims.assessment_id not in attacker.open(home).text
    for guess in (secret, sha256(secret)):
        attacker.client.cookies["attempt"] = guess
        assert attacker.get(reverse("question", args=[project.project_id, 1])).status == 403


@pytest.mark.parametrize("what", ["answer", "leave"])
def test_a_page_of_the_first_student_on_a_shared_phone_changes_nothing_for_the_second(
    project, browser, home, rows, what
):
    page = browser.go_on(browser.start(issue(project, email="asha@example.com")[1]))
    sent = dict.fromkeys(page.form.questions, "1")
    if what == "leave":
        page, sent = browser.open(f"{home}/leave"), {"leave": "yes"}
    browser.go_on(browser.start(issue(project, name="Bina", email="bina@example.com")[1]))
    before = rows()

    refused = browser.send(page, sent)

    assert (refused.status, refused.name) == (409, "error-409")
    assert project.name in refused.text
    assert not [name for name in ("Asha", "Bina") if name in refused.text]
    assert rows() == before


# --- no field of a request is the target of a redirect

EVIL = ["https://evil.example/", "/\\evil.example/", "javascript:alert(1)", "%2f%2fevil.example"]
NAMES = ["next", "url", "redirect", "return", "returnTo", "continue", "redirect-url", "r", "goto"]


@pytest.mark.parametrize("target", EVIL)
def test_every_redirect_of_a_student_stays_inside_the_assessment(project, browser, home, target):
    query = "&".join(f"{name}={target}" for name in NAMES)
    evil = dict.fromkeys(NAMES, target)
    landing = browser.open(issue(project)[1])
    start = {**landing.form.filled, "consent": "yes", **evil}

    pages = [browser.post(f"{home}?next={target}", start)]
    pages += [
        browser.get(f"{home}{path}?{query}")
        for path in ("", "/1", "/2", "/44", "/result", "/leave")
    ]
    begin = {"assessment": Assessment.objects.get().assessment_id, "begin": "yes", **evil}
    pages.append(browser.post(f"{home}/1?{query}", begin))
    pages.append(browser.get(home, HTTP_X_FORWARDED_HOST="evil.example"))

    locations = [page.location for page in pages if page.status == 303]
    assert len(locations) == 7
    for location in locations:
        assert urlsplit(location)[:2] == ("", "")
        assert location.startswith(home)
        assert "evil" not in location
