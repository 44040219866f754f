"""The language of an attempt: chosen on the landing page, then the same to the end."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, issue
from tests.assessments.conftest import COMMAND
from tests.assessments.hindi import ASKS_ENGLISH as ENGLISH
from tests.assessments.hindi import ASKS_HINDI as HINDI
from tests.assessments.hindi import HOSTILE, in_both_languages, language_of
from tests.support.browser import Browser


@pytest.fixture
def bank(db: None, small_bank: dict[str, Any]) -> ItemBank:
    """Give the small bank in both languages."""
    bank, _ = ItemBank.objects.publish(in_both_languages(small_bank), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)
    return bank


@pytest.fixture
def attempt(bank: ItemBank, project: Project, browser: Browser) -> Assessment:
    """Give an attempt in Hindi, begun in `browser`."""
    browser.press(browser.open(f"{issue(project)[1]}&language=hi"), {"consent": "yes"})
    attempt = Assessment.objects.get()
    assert attempt.language == "hi"
    return attempt


# --- before the start


def test_the_landing_page_is_in_the_language_of_the_browser(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    link, url = issue(project)

    assert language_of(browser.get(url, **HINDI)) == "hi"
    assert language_of(browser.get(f"{url}&language=en", **HINDI)) == "en"
    assert language_of(browser.get(f"{url}&language=hi", **ENGLISH)) == "hi"
    assert AssessmentLink.objects.get(pk=link.pk).used_at is None


def test_an_attempt_that_waits_is_offered_in_its_own_language(
    attempt: Assessment, other_browser: Browser
) -> None:
    """By a fresh link, unless another language is asked for."""
    _, url = issue(attempt.student.project)

    page = other_browser.get(url, **ENGLISH)

    assert "start" in [button.get("name") for button in page.form.buttons]
    assert language_of(page) == "hi"
    assert page.form.filled["language"] == "hi"
    assert 'lang="en"' in other_browser.get(f"{url}&language=en", **ENGLISH).text


def test_a_bank_without_hindi_is_not_offered_in_it(
    db: None, small_bank: dict[str, Any], project: Project, browser: Browser
) -> None:
    bank, _ = ItemBank.objects.publish(small_bank, shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)

    page = browser.get(f"{issue(project)[1]}&language=hi", **HINDI)
    browser.press(page, {"consent": "yes", "language": "hi"})

    assert language_of(page) == "en"
    assert Assessment.objects.get().language == "en"


@pytest.mark.parametrize("named", HOSTILE)
def test_a_made_up_language_in_the_form_starts_an_attempt_in_english(
    bank: ItemBank, project: Project, browser: Browser, named: str
) -> None:
    page = browser.open(issue(project)[1])

    browser.press(page, {"consent": "yes", "language": named})

    assert Assessment.objects.get().language == "en"


def test_a_closed_link_is_refused_in_the_language_of_the_browser(
    bank: ItemBank, project: Project, browser: Browser, other_browser: Browser
) -> None:
    _, url = issue(project)
    other_browser.start(url)

    page = browser.get(url, **HINDI)

    assert (page.status, page.name) == (410, "link-unavailable")
    assert language_of(page) == "hi"


# --- inside an attempt


def test_an_attempt_keeps_its_language_whatever_the_browser_says(
    attempt: Assessment, browser: Browser
) -> None:
    project_id = attempt.student.project.project_id
    at_start = reverse("question", args=[project_id, 1])

    assert language_of(browser.get(at_start, **ENGLISH)) == "hi"
    assert language_of(browser.get(f"{at_start}?language=en", **ENGLISH)) == "hi"
    assert language_of(browser.get(reverse("leave", args=[project_id]), **ENGLISH)) == "hi"
    completed(attempt)
    assert language_of(browser.get(reverse("result", args=[project_id]), **ENGLISH)) == "hi"


def test_an_english_attempt_stays_english(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    page = browser.start(issue(project)[1])
    assert page.name == "section"

    page = browser.open(reverse("assessment", args=[project.project_id]), **HINDI)

    assert language_of(page) == "en"


def test_what_an_attempt_refuses_is_in_its_language(attempt: Assessment, browser: Browser) -> None:
    project_id = attempt.student.project.project_id
    page = browser.open(reverse("assessment", args=[project_id]))

    foreign = browser.send(page, {"assessment": "asm_of_another"}, **ENGLISH)
    missing = browser.get(reverse("question", args=[project_id, 9999]), **ENGLISH)
    attempt.abandon()
    ended = browser.send(page, **ENGLISH)
    left = browser.get(reverse("assessment", args=[project_id]), **ENGLISH)

    assert [page.status for page in (foreign, missing, ended, left)] == [409, 404, 409, 200]
    assert {language_of(page) for page in (foreign, missing, ended, left)} == {"hi"}


@pytest.mark.parametrize("path", ["question", "leave"])
def test_a_page_of_another_attempt_is_refused_in_the_language_of_that_page(
    attempt: Assessment, browser: Browser, path: str
) -> None:
    """Two students on one phone: the one who pressed is not the one whose attempt is open."""
    project = attempt.student.project
    position = [] if path == "leave" else [1]
    hindi = browser.open(reverse(path, args=[project.project_id, *position]))
    browser.start(f"{issue(project, email='bina@example.com')[1]}&language=en")

    refused = browser.send(hindi, **ENGLISH)

    assert refused.status == 409
    assert language_of(refused) == "hi"


@pytest.mark.parametrize("odd", ["ta", "HI", "en-GB", "x"])
def test_an_attempt_in_a_language_that_we_lack_is_shown_in_english(
    attempt: Assessment, browser: Browser, odd: str
) -> None:
    Assessment.objects.update(language=odd)
    project_id = attempt.student.project.project_id

    for path in (reverse("question", args=[project_id, 1]), reverse("leave", args=[project_id])):
        page = browser.get(path, **HINDI)
        assert page.status == 200
        assert language_of(page) == "en"
    completed(attempt)
    page = browser.get(reverse("result", args=[project_id]), **HINDI)
    assert page.status == 200
    assert language_of(page) == "en"


def test_an_answer_without_its_cookie_is_refused_in_its_own_language(
    attempt: Assessment, browser: Browser
) -> None:
    page = browser.open(reverse("assessment", args=[attempt.student.project.project_id]))
    del browser.client.cookies["attempt"]

    refused = browser.send(page, **ENGLISH)

    assert refused.status == 403
    assert language_of(refused) == "hi"
