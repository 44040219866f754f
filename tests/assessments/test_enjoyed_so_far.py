"""Before the puzzles the page names the fields that the answers so far point to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from assessments.models import Answer, Assessment
from partners.models import Project
from tests.assessments.attempts import answer_until, issue, question_path
from tests.assessments.two_stages import STAGE_1, STAGE_2, answered_until, publish_field_bank
from tests.support.browser import Browser

PUZZLES = STAGE_1 + STAGE_2 + 1
SO_FAR = "So far you enjoy: <b>machines"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def before_the_puzzles(project: Project, browser: Browser) -> Assessment:
    """Answer both stages of the browser's attempt with care, two minutes a page."""
    publish_field_bank()
    browser.start(issue(project)[1])
    attempt = answered_until(project, PUZZLES, Assessment.objects.get())
    Answer.objects.update(shown_at=F("shown_at") - timedelta(minutes=2))
    return attempt


def test_it_names_the_fields_that_stand_out(
    before_the_puzzles: Assessment, browser: Browser
) -> None:
    page = browser.open(question_path(before_the_puzzles, PUZZLES))

    assert page.name == "section"
    assert SO_FAR in page.text


def test_nothing_is_named_after_hasty_answers(
    before_the_puzzles: Assessment, browser: Browser
) -> None:
    Answer.objects.update(answered_at=F("shown_at"))

    assert "So far" not in browser.open(question_path(before_the_puzzles, PUZZLES)).text


def test_nothing_is_named_if_no_field_stands_out(
    before_the_puzzles: Assessment, browser: Browser
) -> None:
    Answer.objects.update(choice=2 + F("position") % 3)

    assert "So far" not in browser.open(question_path(before_the_puzzles, PUZZLES)).text


def test_nothing_is_named_after_a_move(before_the_puzzles: Assessment, browser: Browser) -> None:
    Assessment.objects.update(moved_at=timezone.now(), moves=1)

    assert "So far" not in browser.open(question_path(before_the_puzzles, PUZZLES)).text


def test_no_other_page_before_a_part_has_it(
    before_the_puzzles: Assessment, browser: Browser
) -> None:
    answered_until(before_the_puzzles.project, PUZZLES + 12, before_the_puzzles)

    page = browser.open(question_path(before_the_puzzles, PUZZLES + 12))

    assert (page.name, "So far" in page.text) == ("section", False)


@pytest.mark.usefixtures("bank")
def test_a_bank_without_fields_has_none(attempt: Assessment, browser: Browser) -> None:
    answer_until(attempt, 24)

    page = browser.open(question_path(attempt, 25))

    assert (page.name, "So far" in page.text) == ("section", False)
