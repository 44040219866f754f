"""The page of a picture puzzle: what it offers to a student who can't see it, and what follows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from assessments.models import Assessment, Item, ItemBank
from partners.models import Project
from tests.assessments.attempts import answer_until, issue, question_path
from tests.assessments.picture_puzzles import (
    FIRST,
    PUZZLES,
    publish_picture_bank,
    show_pictures,
)
from tests.support.browser import Browser, Page

JSON = "application/json"
WISH = {"without-pictures": "yes"}
BUTTON = re.compile(r'<button[^>]*form="answers"[^>]*name="without-pictures"')
SAID = "This puzzle uses pictures."

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def pictures(db: None, small_bank: dict[str, Any]) -> ItemBank:
    return publish_picture_bank(small_bank)


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give an attempt, held by `browser`, whose first puzzle has pictures."""
    browser.start(issue(project)[1])
    attempt = answer_until(Assessment.objects.get(), FIRST - 1)
    attempt.begin_section(FIRST)
    show_pictures(attempt, FIRST)
    return attempt


@pytest.fixture
def puzzle(attempt: Assessment, browser: Browser) -> Page:
    return browser.get(question_path(attempt, FIRST))


def scales(attempt: Assessment) -> list[tuple[str, int | None, bool]]:
    """Return each puzzle's family and choice, and whether it was replaced."""
    rows = attempt.answers.filter(position__gte=FIRST).order_by("position", "pk")
    return [
        (scale, choice, replaced_at is not None)
        for scale, choice, replaced_at in rows.values_list("item__scale", "choice", "replaced_at")
    ]


@pytest.mark.sqlite
def test_one_press_brings_another_puzzle(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    answer = browser.send(puzzle, WISH)

    assert (answer.status, answer.location) == (303, question_path(attempt, FIRST))
    page = browser.follow(answer)
    assert (page.status, page.place) == (200, f"/{FIRST}")
    assert SAID not in page.text
    assert not BUTTON.search(page.text)
    assert "0 of 12 answered" in page.text
    assert scales(attempt) == [("matrices", None, True), ("series", None, False)]
    after = browser.press(page, {"answer": "1"})
    assert after.place == f"/{FIRST + 1}"
    assert scales(attempt)[:2] == [("matrices", None, True), ("series", 1, False)]


def test_a_puzzle_of_words_offers_nothing(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    words = Item.objects.filter(bank=attempt.bank, scale="patterns")[0]
    attempt.answers.filter(position=FIRST).update(item=words)

    page = browser.get(question_path(attempt, FIRST))
    refused = browser.send(page, WISH)

    assert SAID not in page.text
    assert not BUTTON.search(page.text)
    assert (refused.status, refused.location) == (303, question_path(attempt, FIRST))
    assert scales(attempt) == [("patterns", None, False)]


@pytest.mark.parametrize("headers", [{}, {"HTTP_ACCEPT": JSON}])
def test_a_wish_sent_again_leads_to_the_same_puzzle(
    attempt: Assessment, puzzle: Page, browser: Browser, headers: dict[str, str]
) -> None:
    browser.send(puzzle, WISH)
    before = scales(attempt)

    again = browser.send(puzzle, {**WISH, "answer": "3"}, **headers)

    if headers:
        assert again.response.json() == {"next": question_path(attempt, FIRST)}
    else:
        assert (again.status, again.location) == (303, question_path(attempt, FIRST))
    assert scales(attempt) == before


@pytest.mark.sqlite
def test_the_answer_of_a_tab_with_the_pictures_is_not_taken_for_the_other_puzzle(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    page = browser.press(puzzle, WISH)
    before = scales(attempt)

    stale = browser.send(puzzle, {"answer": "1"})

    assert (stale.status, stale.location) == (303, question_path(attempt, FIRST))
    assert scales(attempt) == before
    # Its draft has a name of its own, so the script ticks nothing here.
    assert 'data-answers=""' in puzzle.text
    assert 'data-answers="-2"' in page.text


def test_the_other_puzzle_without_an_answer_comes_back(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    page = browser.press(puzzle, WISH)

    empty = browser.send(page)

    assert empty.status == 400
    assert 'id="answer-error"' in empty.text
    assert SAID not in empty.text
    assert browser.press(empty, {"answer": "1"}).place == f"/{FIRST + 1}"


@pytest.mark.parametrize("position", [1, FIRST + 1, FIRST + PUZZLES, 44])
def test_a_wish_elsewhere_changes_nothing(
    attempt: Assessment, puzzle: Page, browser: Browser, position: int
) -> None:
    before = list(attempt.answers.order_by("pk").values())

    answer = browser.post(question_path(attempt, position), {**puzzle.form.filled, **WISH})

    assert answer.status == 303
    assert browser.follow(answer).place == f"/{FIRST}"
    assert list(attempt.answers.order_by("pk").values()) == before


def test_a_wish_after_the_end_is_refused(
    attempt: Assessment, puzzle: Page, browser: Browser
) -> None:
    attempt.abandon()

    assert browser.send(puzzle, WISH).status == 409
    assert scales(attempt) == [("matrices", None, False)]


def test_a_replaced_puzzle_is_not_hidden_by_a_move(
    attempt: Assessment, puzzle: Page, project: Project, other_browser: Browser
) -> None:
    attempt.replace_puzzle(FIRST, timezone.now())

    page = other_browser.start(issue(project)[1], start="continue")

    assert page.place == f"/{FIRST}"
    assert SAID not in page.text
    assert other_browser.press(page, {"answer": "1"}).place == f"/{FIRST + 1}"
