"""Keeping a result: making and ending a private link, and letting a shared browser forget it."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from assessments.models import Attempt, PrivateLink
from partners.models import AuditEvent
from tests.assessments import link_actions
from tests.assessments.attempts import cookie_of, inside, issue, marked_completed, newest_of
from tests.factories import BY
from tests.support.browser import Browser

pytestmark = [pytest.mark.usefixtures("bank")]


@pytest.fixture
def url(project):
    """Give the address of a link to start with."""
    return issue(project, name="Asha Padmini Rao")[1]


@pytest.fixture
def attempt(url, browser):
    """Give a completed attempt of this browser."""
    browser.start(url)
    return marked_completed(Attempt.objects.get())


@pytest.fixture
def path(attempt):
    return inside("private-link", attempt)


@pytest.fixture
def forget(attempt):
    return inside("forget", attempt)


def form_of(page, button):
    """Return the form with this button."""
    [form] = [form for form in page.forms if form.buttons[0].get("name") == button]
    return form


def press(browser, page, button, **ticked):
    form = form_of(page, button)
    return browser.post(form.action, {**form.filled, button: "yes", **ticked})


@pytest.mark.sqlite
@pytest.mark.parametrize("ticked", [{}, {"puzzles": "yes"}])
def test_the_address_is_in_the_answer_to_the_post_and_nowhere_else(attempt, browser, path, ticked):
    asked = browser.get(path)
    assert (asked.status, asked.name) == (200, "private-link")
    for warning in ("Anyone who has the link", "your first name", "the puzzles only if", "90 days"):
        assert warning in asked.text
    assert [form.buttons[0]["name"] for form in asked.forms] == ["make"]
    assert not PrivateLink.objects.exists()

    page = press(browser, asked, "make", **ticked)

    [key] = re.findall(r'value="http[^"]+/result\?key=([\w-]{22})"', page.text)
    assert (page.status, page.response.headers["Cache-Control"]) == (200, "no-store")
    assert PrivateLink.objects.get().with_puzzles is bool(ticked)
    elsewhere = (page.response.headers, page.response.cookies, PrivateLink.objects.values())
    assert key not in browser.get(path).text + "".join(map(str, elsewhere))


def test_the_student_ends_it(attempt, browser, path):
    press(browser, browser.get(path), "make")

    page = browser.follow(press(browser, browser.get(path), "end"))

    assert page.name == "private-link"
    assert "Your private link has ended" in page.text
    assert [form.buttons[0]["name"] for form in page.forms] == ["make"]
    assert not PrivateLink.objects.get().works()


def erase(attempt, browser):
    attempt.student.erase(by=BY)
    return timedelta()


def wait(attempt, browser):
    return timedelta(days=9)


def lose_cookies(attempt, browser):
    del browser.client.cookies[cookie_of(attempt)]
    return timedelta()


@pytest.mark.parametrize(("change", "status"), [(erase, 403), (wait, 410), (lose_cookies, 403)])
def test_none_is_made_of_a_result_that_this_browser_cannot_see_any_more(
    attempt, browser, path, change, status
):
    asked = browser.get(path)
    after = change(attempt, browser)
    cookies = browser.cookies

    with time_machine.travel(timezone.now() + after):
        browser.client.cookies.load(cookies)
        pages = [browser.get(path), press(browser, asked, "make")]

    assert [page.status for page in pages] == [status] * 2
    assert attempt.assessment_id not in pages[0].text + pages[1].text
    assert not PrivateLink.objects.exists()


@pytest.mark.parametrize("reason", [link_actions.WHY, "Asha Padmini Rao asked"])
def test_support_sees_it_without_its_key_and_ends_it_with_a_reason_that_names_nobody(
    support, attempt, reason
):
    def page():
        return support.get(link_actions.address("change", attempt)).content.decode()

    assert "End the private link" not in page()
    link, key = PrivateLink.objects.make(attempt, with_puzzles=True, seen_version="")
    shown, action = page(), link_actions.address("end_private_link", attempt)
    asked = support.get(action).content.decode()

    answers = [link_actions.press(support, action, reason=reason)]

    ends = reason == link_actions.WHY
    assert "works until" in shown
    assert "End the private link" in shown
    assert key not in shown
    assert link.key_digest not in shown
    assert "stops working at once" in asked
    assert PrivateLink.objects.get().works() is not ends
    events = AuditEvent.objects.filter(action="attempt.private_link_ended")
    expected = [(attempt.assessment_id, reason)] if ends else []
    assert list(events.values_list("object_id", "reason")) == expected
    if ends:
        answers.append(support.post(action, {"reason": reason}))
        assert "none that works" in page()
        assert events.count() == 1
    assert [answer.status_code for answer in answers] == ([302, 302] if ends else [200])


def pressed(browser, page):
    """Press the button, drop the deleted cookies as a browser does, and follow the redirect."""
    answer = browser.send(page)
    jar = browser.client.cookies
    for name in [name for name, cookie in jar.items() if cookie["max-age"] == 0]:
        del jar[name]
    return browser.follow(answer)


def test_afterwards_only_the_private_link_opens_anything(attempt, url, browser, project, forget):
    private_link, key = PrivateLink.objects.make(attempt, with_puzzles=False, seen_version="")
    old, before = browser.cookies, Attempt.objects.values().get()
    assert {cookie_of(attempt), "csrftoken"} <= old.keys()

    page = pressed(browser, browser.get(forget))

    assert (page.status, page.name, browser.cookies) == (200, "forgotten", {})
    after = Attempt.objects.values().get()
    assert {name for name in after if after[name] != before[name]} == {"browser_digest"}
    assert PrivateLink.objects.for_key(project.project_id, key) == private_link
    thief = Browser()
    thief.client.cookies.load(old)
    for visitor in (browser, thief):
        assert visitor.open(url).status == 410
        for name in ("result", "private-link"):
            assert visitor.get(inside(name, attempt)).status == 403
        assert visitor.get(reverse("assessment", args=[project.project_id])).status in {403, 404}


def test_a_browser_forgets_one_attempt_and_keeps_the_others(
    attempt, browser, forget, other_project
):
    page = browser.get(forget)
    browser.start(issue(other_project)[1])
    other = cookie_of(newest_of(other_project))

    first, again = pressed(browser, page), browser.send(page)

    for answer in (first, again):
        assert (answer.status, answer.name) == (200, "forgotten")
    assert f'data-forgotten="{attempt.assessment_id}"' in first.text
    assert "data-forgotten" not in again.text
    assert browser.cookies.keys() == {other, "csrftoken"}
    assert browser.open(f"/{other_project.project_id}/assessment").name == "section"
