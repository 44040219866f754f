"""Recording a page: stored once, what follows is chosen then, and a gap keeps what was given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.models import Answer, Assessment, ItemBank
from assessments.models.answers import NotShown
from assessments.models.attempts import AttemptEnded
from partners.models import Project
from tests.assessments.attempts import answer_until, at_last_page, last_choices, last_page, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
INTERESTS, APTITUDE, PREFERENCES = 1, 25, 37
SIX = dict.fromkeys(range(1, 7), 3)

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    return started(project, AT)


def answers(attempt: Assessment) -> list[dict[str, Any]]:
    return list(attempt.answers.order_by("position").values())


def test_a_section_begins_with_its_first_page(attempt: Assessment) -> None:
    assert answers(attempt) == []
    assert attempt.read_answers().resume_position == INTERESTS

    attempt.begin_section(INTERESTS, AT + MINUTE)

    page = attempt.read_answers().page(INTERESTS)
    assert [answer.position for answer in page] == [1, 2, 3, 4, 5, 6]
    assert all(answer.shown_at == AT + MINUTE for answer in page)
    assert all(answer.choice is None and answer.answered_at is None for answer in page)
    assert attempt.answers.count() == 6


def test_to_begin_a_section_twice_changes_nothing(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)
    before = answers(attempt)

    attempt.begin_section(INTERESTS, AT + MINUTE)

    assert answers(attempt) == before


@pytest.mark.parametrize("position", [2, 7, 13, APTITUDE, APTITUDE + 1, PREFERENCES])
def test_no_section_begins_before_its_turn(attempt: Assessment, position: int) -> None:
    attempt.begin_section(INTERESTS, AT)

    with pytest.raises(NotShown):
        attempt.begin_section(position, AT)

    assert attempt.answers.count() == 6


def test_a_page_is_stored_and_the_next_one_shown(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)

    recorded = attempt.record(INTERESTS, SIX, AT + MINUTE)

    assert (recorded.missing, recorded.next_position) == ((), 7)
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [3] * 6
    assert all(answer.answered_at == AT + MINUTE for answer in attempt.read_answers().page(1))
    assert [answer.position for answer in attempt.read_answers().page(7)] == [7, 8, 9, 10, 11, 12]
    assert all(answer.shown_at == AT + MINUTE for answer in attempt.read_answers().page(7))
    assert attempt.read_answers().resume_position == 7


def test_the_same_page_sent_again_changes_nothing(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)
    attempt.record(INTERESTS, SIX, AT + MINUTE)
    before = answers(attempt)

    recorded = attempt.record(INTERESTS, SIX, AT + 2 * MINUTE)

    assert (recorded.missing, recorded.next_position) == ((), 7)
    assert answers(attempt) == before


def test_the_last_choice_of_a_statement_counts(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)
    attempt.record(INTERESTS, SIX, AT + MINUTE)

    attempt.record(INTERESTS, SIX | {2: 5}, AT + 2 * MINUTE)

    first, second, *_ = attempt.read_answers().page(1)
    assert (first.choice, first.answered_at) == (3, AT + MINUTE)
    assert (second.choice, second.answered_at) == (5, AT + 2 * MINUTE)
    assert attempt.answers.count() == 12


def test_a_page_with_gaps_keeps_what_was_given(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)

    recorded = attempt.record(INTERESTS, {1: 4, 3: 2}, AT + MINUTE)

    assert (recorded.missing, recorded.next_position) == ((2, 4, 5, 6), 1)
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [
        4,
        None,
        2,
        None,
        None,
        None,
    ]
    assert attempt.answers.count() == 6
    assert attempt.read_answers().resume_position == 1


def test_choices_for_other_pages_are_not_looked_at(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)

    attempt.record(INTERESTS, SIX | {7: 5, 30: 1}, AT)

    assert [answer.choice for answer in attempt.read_answers().page(7)] == [None] * 6


@pytest.mark.parametrize("choice", [0, 6, -1, 99, None])
def test_a_choice_that_is_not_offered_is_named_and_not_stored(
    attempt: Assessment, choice: int | None
) -> None:
    attempt.begin_section(INTERESTS, AT)

    recorded = attempt.record(INTERESTS, SIX | {6: choice}, AT)

    assert recorded.not_offered == recorded.missing == (6,)
    assert recorded.next_position == INTERESTS
    assert [answer.choice for answer in attempt.read_answers().page(1)] == [3, 3, 3, 3, 3, None]
    assert attempt.answers.count() == 6


@pytest.mark.parametrize("position", [7, 25, 26, 37, 44])
def test_a_page_that_was_not_shown_takes_no_answer(attempt: Assessment, position: int) -> None:
    attempt.begin_section(INTERESTS, AT)

    with pytest.raises(NotShown):
        attempt.record(position, dict.fromkeys(range(1, 45), 1), AT)

    assert attempt.answers.given().count() == 0


def test_a_page_is_named_by_its_first_position(attempt: Assessment) -> None:
    attempt.begin_section(INTERESTS, AT)

    with pytest.raises(NotShown):
        attempt.record(3, SIX, AT)

    assert attempt.answers.given().count() == 0


def test_the_last_page_of_a_section_leads_to_the_next_one(attempt: Assessment) -> None:
    answer_until(attempt, 18, AT)
    attempt.begin_section(19, AT)

    recorded = attempt.record(19, dict.fromkeys(range(19, 25), 3), AT)

    assert (recorded.missing, recorded.next_position) == ((), APTITUDE)
    assert attempt.answers.count() == 24
    assert attempt.read_answers().resume_position == APTITUDE
    attempt.begin_section(APTITUDE, AT + MINUTE)
    (shown,) = attempt.read_answers().page(APTITUDE)
    assert shown.shown_at == AT + MINUTE


@pytest.mark.parametrize("first", [2, 0], ids=["answer", "don't know"])
@pytest.mark.parametrize("second", [{APTITUDE: 4}, {}], ids=["another", "none"])
def test_the_first_choice_of_an_aptitude_item_counts(
    attempt: Assessment, first: int, second: dict[int, int | None]
) -> None:
    answer_until(attempt, 24, AT)
    attempt.begin_section(APTITUDE, AT)
    attempt.record(APTITUDE, {APTITUDE: first}, AT + MINUTE)
    before = answers(attempt)

    recorded = attempt.record(APTITUDE, second, AT + 2 * MINUTE)

    assert (recorded.missing, recorded.next_position) == ((), 26)
    assert answers(attempt) == before
    assert attempt.read_answers().page(APTITUDE)[0].choice == first


@pytest.mark.parametrize("end", ["completed", "abandoned", "late"])
def test_nothing_changes_after_the_end(attempt: Assessment, end: str) -> None:
    at_last_page(attempt, AT)
    at = AT + MINUTE
    if end == "completed":
        attempt.record(last_page(attempt), last_choices(attempt), at)
    elif end == "abandoned":
        attempt.abandon(at)
    else:
        at = attempt.finish_by_at
    before = answers(attempt), Assessment.objects.values().get()

    for position, choices in ((INTERESTS, SIX), (last_page(attempt), last_choices(attempt, 5))):
        with pytest.raises(AttemptEnded):
            attempt.record(position, choices, at)
    with pytest.raises(AttemptEnded):
        attempt.begin_section(INTERESTS, at)

    assert (answers(attempt), Assessment.objects.values().get()) == before


def test_answers_of_another_attempt_stay_as_they_are(bank: ItemBank, project: Project) -> None:
    mine = answer_until(started(project, AT, email="a@example.com"), 6, AT)
    theirs = answer_until(started(project, AT, email="b@example.com"), 6, AT)
    before = answers(theirs)

    mine.record(INTERESTS, dict.fromkeys(range(1, 7), 5), AT)

    assert answers(theirs) == before
    assert Answer.objects.count() == 24
