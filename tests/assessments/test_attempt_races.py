"""One attempt, several tabs at once."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import Assessment
from assessments.models.ends import AttemptEnded, AttemptMoved
from partners.models import Project
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    copies,
    last_choices,
    last_page,
    started,
)
from tests.assessments.racing import race
from tests.assessments.two_stages import answered_until, choice_of, publish_field_bank
from tests.factories import CourseFactory

ROUNDS = 25
# Seconds by which the choice of subjects comes later, round by round: first before the finish, then
# after it.
STEP = 0.0002

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]

Runner = Callable[[int], object]


def finisher(attempts: list[Assessment], choice: int = 1) -> Runner:
    def finish(number: int) -> str:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        try:
            attempt.record(last_page(attempt), last_choices(attempt, choice))
        except AttemptEnded:
            return "too late"
        except AttemptMoved:
            return "moved away"
        return "completed"

    return finish


def leaver(attempts: list[Assessment]) -> Runner:
    def leave(number: int) -> str:
        return "left" if Assessment.objects.get(pk=attempts[number].pk).abandon() else "too late"

    return leave


def recorder(attempts: list[Assessment], position: int, choices: dict[int, int]) -> Runner:
    def record(number: int) -> tuple[tuple[int, ...], int | None]:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        recorded = attempt.record(position, choices)
        return recorded.missing, recorded.next_position

    return record


def assert_no_half_record() -> None:
    """I-2 and I-3: one terminal state; completed means all answers and a whole result."""
    for attempt in Assessment.objects.with_progress():
        assert attempt.completed_at is None or attempt.abandoned_at is None
        whole = attempt.answered == 44 and attempt.profile and attempt.recommendations
        assert bool(whole) is (attempt.completed_at is not None)


def test_complete_against_leave(project: Project) -> None:
    """T7: of a hundred races both win none."""
    CourseFactory.create(project=project)
    attempts = copies(at_last_page(started(project)), 4 * ROUNDS)

    outcomes = race([finisher(attempts), leaver(attempts)], 4 * ROUNDS)

    assert {frozenset(outcome) for outcome in outcomes} <= {
        frozenset({"completed", "too late"}),
        frozenset({"left", "too late"}),
    }
    ended = Counter(itertools.chain.from_iterable(outcomes))
    assert Assessment.objects.completed().count() == ended["completed"]
    assert Assessment.objects.exclude(abandoned_at=None).count() == ended["left"]
    assert ended["completed"] + ended["left"] == 4 * ROUNDS
    assert_no_half_record()


def test_finish_in_several_tabs(project: Project) -> None:
    """T9: one completion, one set of recommendations."""
    CourseFactory.create(project=project)
    attempts = copies(at_last_page(started(project)), ROUNDS)

    outcomes = race([finisher(attempts, choice) for choice in (1, 3, 3, 5)], ROUNDS)

    assert [Counter(outcome) for outcome in outcomes] == [
        Counter({"completed": 1, "too late": 3})
    ] * ROUNDS
    assert Assessment.objects.completed().count() == ROUNDS
    assert_no_half_record()


def test_two_tabs_answer_different_pages(project: Project) -> None:
    """T2: both are kept."""
    attempts = copies(answer_until(started(project), 12), 10)

    race(
        [
            recorder(attempts, 1, dict.fromkeys(range(1, 7), 5)),
            recorder(attempts, 7, dict.fromkeys(range(7, 13), 4)),
            recorder(attempts, 13, dict.fromkeys(range(13, 19), 3)),
        ],
        10,
    )

    for attempt in attempts:
        choices = [answer.choice for answer in attempt.answers.order_by("position")]
        assert choices == [5] * 6 + [4] * 6 + [3] * 6


def test_answer_against_leave(project: Project) -> None:
    """An answer that came too late is refused whole."""
    attempts = copies(answer_until(started(project), 6), ROUNDS)
    page = dict.fromkeys(range(7, 13), 2)

    def record(number: int) -> bool:
        try:
            recorder(attempts, 7, page)(number)
        except AttemptEnded:
            return False
        return True

    outcomes = race([record, leaver(attempts)], ROUNDS)

    for attempt, (stored, left) in zip(attempts, outcomes, strict=True):
        attempt.refresh_from_db()
        assert left == "left"
        assert attempt.read_answers().answered_count == (12 if stored else 6)


def test_continue_elsewhere_against_finish(project: Project) -> None:
    """The move never revives what is finished, and after it the old browser finishes nothing."""
    CourseFactory.create(project=project)
    attempts = copies(at_last_page(started(project)), ROUNDS)

    def move(number: int) -> str:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        moved = attempt.move_to(f"{number:064}", timezone.now() + timedelta(seconds=1))
        return "moved" if moved else "too late"

    outcomes = race([finisher(attempts), move], ROUNDS)

    for number, (attempt, (finish, moved)) in enumerate(zip(attempts, outcomes, strict=True)):
        attempt.refresh_from_db()
        assert (finish, moved) in {
            ("completed", "too late"),
            ("completed", "moved"),  # moved before the old browser's page was read
            ("moved away", "moved"),
        }
        assert (attempt.completed_at is not None) is (finish == "completed")
        assert attempt.is_in_browser(f"{number:064}") is (moved == "moved")
        assert attempt.moves == (moved == "moved")


def test_move_against_answer(project: Project) -> None:
    """An answer is stored before the move and hidden by it, or not at all."""
    attempts = copies(answer_until(started(project), 6), ROUNDS)
    page = dict.fromkeys(range(7, 13), 2)

    def record(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        try:
            attempt.record(7, page)
        except AttemptMoved:
            return False
        return attempt.moves == 0

    def move(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        # A slow request: its time is earlier than that of the answer.
        return attempt.move_to(f"{number:064}", timezone.now() - timedelta(seconds=1))

    outcomes = race([record, move], ROUNDS)

    for attempt, (before, moved) in zip(attempts, outcomes, strict=True):
        attempt.refresh_from_db()
        assert moved
        if before:
            assert attempt.read_answers().shown(7) == []
            assert attempt.read_answers().answered_count == 12
    assert_no_half_record()


def test_other_subjects_against_finish(project: Project) -> None:
    """An answer to the stream question counts whole, or is refused: never stored but unused."""
    publish_field_bank()
    CourseFactory.create(
        project=project, code="MEC", fields=["machines"], required_streams=["science-maths"]
    )
    CourseFactory.create(project=project, code="ART", fields=["art"])
    first = started(project)
    last = last_page(first)
    first.choose_stream("science-maths")
    first = answered_until(project, last, first)
    choices = {
        answer.position: choice_of(answer.item) for answer in first.read_answers().page(last)
    }
    attempts = copies(first, 2 * ROUNDS)

    def finish(number: int) -> None:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        time.sleep(max(0, ROUNDS - number) * STEP)
        attempt.record(last, choices)

    def choose(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        time.sleep(max(0, number - ROUNDS) * STEP)
        try:
            attempt.choose_stream("arts")
        except AttemptEnded:
            return False
        return True

    outcomes = race([finish, choose], 2 * ROUNDS)

    counted = Counter(chosen for _, chosen in outcomes)
    assert min(counted[True], counted[False]) >= 2  # both sides won some
    for attempt, (_, chosen) in zip(attempts, outcomes, strict=True):
        attempt.refresh_from_db()
        assert attempt.stream == ("arts" if chosen else "science-maths")
        recommended = {each["code"] for each in attempt.recommendations or []}
        assert recommended == ({"ART"} if chosen else {"ART", "MEC"})
        assert attempt.rescore() == (attempt.profile, attempt.recommendations)
