"""The pages on which a student makes, sees and ends a private link."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
import time_machine
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from assessments.models import Assessment, PrivateLink
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed
from tests.support.browser import Browser, Form, Page

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give a completed attempt of this browser."""
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return marked_completed(Assessment.objects.get())


def address(attempt: Assessment) -> str:
    return reverse("private-link", args=[attempt.student.project.project_id])


def form_of(page: Page, button: str) -> Form:
    """Return the form with this button."""
    [form] = [form for form in page.forms if form.buttons[0].get("name") == button]
    return form


def press(browser: Browser, page: Page, button: str, **ticked: str) -> Page:
    form = form_of(page, button)
    return browser.post(form.action, {**form.filled, button: "yes", **ticked})


def made_address(page: Page) -> str:
    [found] = re.findall(r'value="(http[^"]+/result\?key=[\w-]{43})"', page.text)
    return str(found)


def test_the_page_says_before_what_the_link_shows_and_to_whom(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.get(address(attempt))

    assert page.status == 200
    assert page.name == "private-link"
    for said in ("Anyone who has the link", "your first name", "the puzzles only if", "90 days"):
        assert said in page.text
    assert [form.buttons[0]["name"] for form in page.forms] == ["make"]
    assert not PrivateLink.objects.exists()


@pytest.mark.parametrize("ticked", [{}, {"puzzles": "yes"}])
def test_the_address_is_in_the_answer_to_the_post_and_nowhere_else(
    attempt: Assessment, browser: Browser, ticked: dict[str, str]
) -> None:
    page = press(browser, browser.get(address(attempt)), "make", **ticked)

    url = made_address(page)
    key = url.partition("?key=")[2]
    link = PrivateLink.objects.get()
    assert page.status == 200
    assert page.response.headers["Cache-Control"] == "no-store"
    assert link.with_puzzles is bool(ticked)
    assert key not in str(page.response.headers) + str(page.response.cookies)
    assert key not in browser.get(address(attempt)).text
    assert key not in str(PrivateLink.objects.values())


def test_it_is_sent_by_plain_addresses_without_a_name(
    attempt: Assessment, browser: Browser
) -> None:
    page = press(browser, browser.get(address(attempt)), "make")

    [whatsapp] = re.findall(r'href="(https://wa\.me/\?text=[^"&]+)"', page.text)
    [mail] = re.findall(r'href="(mailto:\?subject=[^"]+)"', page.text)
    assert made_address(page) in unquote(whatsapp)
    assert made_address(page) in unquote(mail)
    assert "+" not in whatsapp + mail
    assert "Asha" not in page.text


def test_sent_again_the_form_makes_no_second_link(attempt: Assessment, browser: Browser) -> None:
    asked = browser.get(address(attempt))
    url = made_address(press(browser, asked, "make"))

    again = press(browser, asked, "make")

    assert again.status == 409
    assert "This page has changed" in again.text
    assert "the address you have now stops working" in again.text
    assert PrivateLink.objects.get().works()
    assert "?key=" not in again.text
    project_id, _, key = url.removeprefix(settings.APP_URL + "/").partition("/result?key=")
    assert PrivateLink.objects.for_key(project_id, key).works()


def test_the_student_ends_it(attempt: Assessment, browser: Browser) -> None:
    press(browser, browser.get(address(attempt)), "make")

    page = browser.follow(press(browser, browser.get(address(attempt)), "end"))

    assert page.name == "private-link"
    assert "Your private link has ended" in page.text
    assert [form.buttons[0]["name"] for form in page.forms] == ["make"]
    assert not PrivateLink.objects.get().works()


def test_before_the_end_it_leads_to_the_questions(project: Project, browser: Browser) -> None:
    browser.start(issue(project)[1])

    page = browser.open(address(Assessment.objects.get()))

    assert page.name == "section"


def test_once_the_result_is_no_longer_visible_none_is_made(
    attempt: Assessment, browser: Browser
) -> None:
    asked = browser.get(address(attempt))
    cookies = browser.cookies

    with time_machine.travel(timezone.now() + timedelta(days=9)):
        browser.client.cookies.load(cookies)
        shown, sent = browser.get(address(attempt)), press(browser, asked, "make")

    assert (shown.status, sent.status) == (410, 410)
    assert not PrivateLink.objects.exists()


def test_another_browser_makes_none(attempt: Assessment, other_browser: Browser) -> None:
    page = other_browser.get(address(attempt))

    assert page.status == 403
    assert "asm_" not in page.text


def test_an_attempt_erased_meanwhile_gets_none(attempt: Assessment, browser: Browser) -> None:
    asked = browser.get(address(attempt))
    attempt.student.erase(actor="command:tests")

    page = press(browser, asked, "make")

    assert page.status == 403
    assert not PrivateLink.objects.exists()
