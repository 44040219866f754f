"""The attempt belongs to the browser that started it: its own opaque cookie opens it."""

import hashlib
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.middleware.csrf import _get_new_csrf_string

from assessments.models import Answer, Attempt
from tests.assessments.attempts import completed, cookie_of, inside, issue, newest_of, token_of
from tests.factories import BY

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 10, 1, 10, tzinfo=UTC)


@pytest.fixture
def home(project):
    return f"/{project.project_id}/assessment"


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


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

    assert (answer.status, page.place) == (303, "/1")
    assert answer.location == inside("question", newest_of(project), 1)
    assert page.response.request["QUERY_STRING"] == ""
    assert token_of(url) not in page.text
    cookie = browser.client.cookies[cookie_of(newest_of(project))]
    expected = timedelta(hours=30, days=7).total_seconds()
    assert expected - 5 <= int(cookie["max-age"]) <= expected
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert not cookie["domain"]
    assert not cookie["secure"]
    assert cookie.value == sha256(f"{secret}:{token_of(url)}")
    assert Attempt.objects.get().browser_digest == sha256(cookie.value)
    assert Session.objects.count() == 0


def test_on_https_the_cookie_is_host_only_and_secure(project, browser, settings):
    settings.SECURE_COOKIES = True
    settings.ATTEMPT_COOKIE_PREFIX = "__Host-attempt-"
    landing = browser.get(issue(project)[1], secure=True)

    browser.send(landing, {"consent": "yes"}, secure=True, HTTP_ORIGIN="https://testserver")

    cookie = browser.client.cookies[f"__Host-{cookie_of(newest_of(project))}"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


@pytest.mark.parametrize(
    ("questions", "headers", "status"),
    [(6, {}, 303), (1, {}, 303), (6, {"headers": {"Accept": "application/json"}}, 200)],
    ids=["whole page", "incomplete page", "by the script"],
)
def test_answers_renew_the_cookie_for_the_time_that_staff_gave_and_reading_does_not(
    attempt, browser, home, questions, headers, status
):
    page = browser.go_on(browser.open(home))
    attempt.extend(attempt.finish_by_at + timedelta(days=5), by=BY)
    token = browser.attempt
    read = browser.get(page.form.action)

    answer = browser.send(page, dict.fromkeys(page.form.questions[:questions], "1"), **headers)

    assert cookie_of(attempt) not in read.response.cookies
    assert answer.status == status
    cookie = answer.response.cookies[cookie_of(attempt)]
    expected = timedelta(days=13).total_seconds()
    assert expected - 60 < int(cookie["max-age"]) <= expected
    assert cookie.value == token
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")


def test_a_cookie_planted_before_the_start_does_not_open_the_attempt(
    project, browser, other_browser, home
):
    """The attacker, who planted them, knows the CSRF secret, but not the link token."""
    attacker = other_browser
    attacker.start(issue(project, email="attacker@example.net")[1])
    secret = _get_new_csrf_string()
    planted = {
        "csrftoken": secret,
        cookie_of(newest_of(project)): attacker.attempt,
        "sessionid": "planted",
    }
    browser.client.cookies.load(planted)
    link, url = issue(project)

    browser.go_on(browser.start(url))

    link.refresh_from_db()
    victims = link.attempt
    assert victims is not None
    # No page goes to the attempt whose cookie was planted.
    assert list(Answer.objects.values_list("attempt", flat=True)) == [victims.pk] * 6
    assert not victims.is_in_browser(attacker.attempt)
    assert victims.assessment_id not in attacker.open(home).text
    for guess in (secret, sha256(secret), attacker.attempt):
        attacker.client.cookies[cookie_of(victims)] = guess
        assert attacker.get(inside("question", victims, 1)).status == 403


def test_the_cookie_opens_the_attempt_by_an_earlier_link_too(project, browser):
    """The token that continued it was made of another link's."""
    first, second = (issue(project)[1] for _ in "ab")
    browser.start(first)
    browser.start(second, start="continue")

    assert browser.open(first).place == "/1"


def test_the_address_without_an_attempt_asks_whose_is_meant(project, browser, home):
    with time_machine.travel(AT) as clock:
        browser.start(issue(project, email="a@example.com")[1])
        assert browser.open(home).place == "/1"
        completed(asha := newest_of(project))
        browser.start(issue(project, name="Ravi", email="r@example.com")[1])

        asked = browser.open(home)
        shown = [name for name in ("Asha", "Ravi") if name in asked.text]
        clock.shift(timedelta(hours=25))
        browser.client.cookies.load(browser.cookies)
        later = [browser.open(home).status, browser.open(inside("result", asha)).name]

    assert (asked.name, shown) == ("choose", ["Asha", "Ravi"])
    assert later == [410, "result"]  # of Ravi, whose time ended last


def test_a_chosen_student_forgets_the_others(project, browser, home):
    browser.start(url := issue(project, email="a@example.com")[1])
    browser.start(issue(project, name="Ravi", email="r@example.com")[1])
    ravi = newest_of(project)
    [form] = [each for each in browser.open(home).forms if ravi.assessment_id in each.action]

    page = browser.follow(browser.post(form.action, form.filled))

    assert (page.place, "<b>Ravi</b>" in page.text) == ("/1", True)
    assert [name for name in browser.cookies if "attempt-" in name] == [cookie_of(ravi)]
    assert "<b>Asha</b>" in browser.open(url).text


def test_a_browser_keeps_four_attempts(project, other_project, browser):
    """Those that ended leave first; one that was answered within the hour stays."""

    def start(number):
        name = f"{number}@example.com"
        browser.start(issue((project, other_project)[number % 2], email=name)[1])
        return Attempt.objects.get(student__email=name)

    with time_machine.travel(AT) as clock:
        attempts = [start(number) for number in range(4)]
        clock.shift(timedelta(hours=2))
        completed(attempts[2])
        attempts.append(start(4))
        kept = {name for name in browser.cookies if "attempt-" in name}
        clock.shift(timedelta(minutes=30))
        attempts += [start(number) for number in range(5, 10)]

    assert kept == {cookie_of(attempts[number]) for number in (1, 2, 3, 4)}
    # attempts 2 and 4 to 9 were answered or started within the hour
    assert {name for name in browser.cookies if "attempt-" in name} == {
        cookie_of(attempts[number]) for number in (2, 4, 5, 6, 7, 8, 9)
    }


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
        browser.get(f"{path}?{query}")
        for path in (
            home,
            *(f"{inside('attempt', newest_of(project))}{end}" for end in ("", "/1", "/2", "/44")),
            *(inside(name, newest_of(project)) for name in ("result", "leave")),
        )
    ]
    begin = {"begin": "yes", **evil}
    pages.append(browser.post(f"{inside('question', newest_of(project), 1)}?{query}", begin))
    pages.append(browser.get(home, HTTP_X_FORWARDED_HOST="evil.example"))

    locations = [page.location for page in pages if page.status == 303]
    assert len(locations) == 8
    for location in locations:
        assert urlsplit(location)[:2] == ("", "")
        assert location.startswith(home)
        assert "evil" not in location
