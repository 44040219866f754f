"""Recording a page: stored once, what follows is chosen then, and a gap keeps what was given."""

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import Answer
from assessments.models.answers import NotShown
from assessments.models.attempts import AttemptEnded
from tests.assessments.attempts import answer_until, at_last_page, last_choices, last_page, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
INTERESTS, APTITUDE, PREFERENCES = 1, 25, 37
SIX = dict.fromkeys(range(1, 7), 3)

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def fresh(bank, project):
    return started(project, AT)


@pytest.fixture
def attempt(fresh):
    fresh.begin_section(INTERESTS, AT)
    return fresh


def answers(attempt):
    return list(attempt.answers.order_by("position").values())


def page(attempt, position):
    """Return the choice at each position of a page, and when it was given."""
    last = attempt.cached_bank.layout.section_at(position).page(position)[-1]
    rows = attempt.answers.filter(position__range=(position, last)).order_by("position")
    return list(rows.values_list("choice", "answered_at"))


def test_a_section_begins_with_its_first_page_once(fresh):
    assert (answers(fresh), fresh.read_answers().resume_position) == ([], INTERESTS)

    fresh.begin_section(INTERESTS, AT + MINUTE)

    before = answers(fresh)
    assert [(row["position"], row["shown_at"]) for row in before] == [
        (position, AT + MINUTE) for position in range(1, 7)
    ]
    assert page(fresh, INTERESTS) == [(None, None)] * 6
    fresh.begin_section(INTERESTS, AT + 2 * MINUTE)
    assert answers(fresh) == before


def test_a_page_is_stored_once_and_the_next_one_shown(attempt):
    recorded = attempt.record(INTERESTS, SIX, AT + MINUTE)

    assert recorded.next_position == 7
    assert page(attempt, 1) == [(3, AT + MINUTE)] * 6
    assert page(attempt, 7) == [(None, None)] * 6
    before = answers(attempt)
    assert {row["shown_at"] for row in before[6:]} == {AT + MINUTE}
    assert attempt.read_answers().resume_position == 7
    again = attempt.record(INTERESTS, SIX, AT + 2 * MINUTE)
    assert again.next_position == 7
    assert answers(attempt) == before


def test_the_last_choice_of_a_statement_counts(attempt):
    attempt.record(INTERESTS, SIX, AT + MINUTE)

    attempt.record(INTERESTS, SIX | {2: 5}, AT + 2 * MINUTE)

    early, late = (3, AT + MINUTE), (5, AT + 2 * MINUTE)
    assert page(attempt, 1) == [early, late, *[early] * 4]
    assert attempt.answers.count() == 12


def test_a_choice_that_is_not_offered_is_named_and_not_stored(attempt):
    for choice in (0, 6, -1, 99):
        recorded = attempt.record(INTERESTS, SIX | {6: choice}, AT)
        assert (recorded.not_offered, recorded.next_position) == ((6,), INTERESTS)
        assert page(attempt, 1) == [*[(3, AT)] * 5, (None, None)]
    assert attempt.answers.count() == 6


def test_choices_for_other_pages_and_attempts_are_not_touched(attempt, project):
    other = answer_until(started(project, AT, email="b@example.com"), 6, AT)
    before = answers(other)

    attempt.record(INTERESTS, SIX | {7: 5, 30: 1}, AT)

    assert page(attempt, 7) == [(None, None)] * 6
    assert answers(other) == before
    assert Answer.objects.count() == 24


def test_no_section_begins_before_its_turn_and_a_page_not_shown_takes_no_answer(attempt):
    for position in (2, 7, 13, APTITUDE, APTITUDE + 1, PREFERENCES):
        with pytest.raises(NotShown):
            attempt.begin_section(position, AT)
    for position in (3, 7, 25, 26, 37, 44):
        with pytest.raises(NotShown):
            attempt.record(position, dict.fromkeys(range(1, 45), 1), AT)
    assert (attempt.answers.count(), attempt.answers.given().count()) == (6, 0)


@pytest.mark.parametrize("first", [2, 0], ids=["answer", "don't know"])
@pytest.mark.parametrize("second", [{APTITUDE: 4}, {}], ids=["another", "none"])
def test_the_first_choice_of_an_aptitude_item_counts(attempt, first, second):
    answer_until(attempt, 24, AT)
    attempt.begin_section(APTITUDE, AT)
    attempt.record(APTITUDE, {APTITUDE: first}, AT + MINUTE)
    before = answers(attempt)

    recorded = attempt.record(APTITUDE, second, AT + 2 * MINUTE)

    assert recorded.next_position == 26
    assert answers(attempt) == before
    assert page(attempt, APTITUDE) == [(first, AT + MINUTE)]


@pytest.mark.parametrize("end", ["completed", "abandoned", "late"])
def test_nothing_changes_after_the_end(attempt, rows, end):
    at_last_page(attempt, AT)
    at = AT + MINUTE
    if end == "completed":
        attempt.record(last_page(attempt), last_choices(attempt), at)
    elif end == "abandoned":
        attempt.abandon(at)
    else:
        at = attempt.finish_by_at
    before = rows()

    for position, choices in ((INTERESTS, SIX), (last_page(attempt), last_choices(attempt, 5))):
        with pytest.raises(AttemptEnded):
            attempt.record(position, choices, at)
    with pytest.raises(AttemptEnded):
        attempt.begin_section(INTERESTS, at)
    assert (attempt.abandon(at), attempt.continue_in("0" * 64, at)) == (False, False)

    assert rows() == before
    assert not attempt.is_in_browser("0" * 64)


FOUR, TWO = dict.fromkeys(range(1, 7), 4), dict.fromkeys(range(7, 13), 2)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([(1, FOUR, 30)], [5.0] * 6),
        ([(1, FOUR, 30), (7, TWO, 42)], [5.0] * 6 + [2.0] * 6),
        ([(1, {1: 4, 2: 4}, 10), (1, FOUR, 60)], [10.0] * 6),
        ([(1, FOUR, -30)], [0.0] * 6),
    ],
    ids=["one page", "from when the next was shown", "sent in two goes", "a clock set back"],
)
def test_the_time_of_a_page_is_shared_out_over_its_questions(attempt, pages, expected):
    for position, choices, after in pages:
        attempt.record(position, choices, AT + timedelta(seconds=after))

    given = attempt.given()

    assert [each.seconds for each in given] == expected
    rows = attempt.answers.given().order_by("position").values_list("item__code", "choice")
    assert [(each.code, each.choice) for each in given] == list(rows)
