"""The language of an attempt: chosen on the landing page, then the same to the end."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, issue
from tests.assessments.hindi import ASKS_ENGLISH as ENGLISH
from tests.assessments.hindi import ASKS_HINDI as HINDI
from tests.assessments.hindi import HOSTILE, in_both_languages, language_of
from tests.conftest import COMMAND
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
