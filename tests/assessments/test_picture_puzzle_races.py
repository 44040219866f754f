"""One picture puzzle, several tabs at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from assessments.models import Assessment
from assessments.models.answers import NotShown
from partners.models import Project
from tests.assessments.attempts import copies
from tests.assessments.picture_puzzles import FIRST, at_picture_puzzle, publish_picture_bank
from tests.assessments.racing import race

ROUNDS = 25

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def attempts(small_bank: dict[str, Any], project: Project) -> list[Assessment]:
    publish_picture_bank(small_bank)
    return copies(at_picture_puzzle(project), ROUNDS)


def rows(attempt: Assessment) -> list[tuple[int | None, bool]]:
    """Return the choice of each row at the puzzle's position, and whether it was replaced."""
    of_puzzle = attempt.answers.filter(position=FIRST).order_by("pk")
    return [
        (choice, replaced_at is not None)
        for choice, replaced_at in of_puzzle.values_list("choice", "replaced_at")
    ]


def test_pressed_in_many_tabs_it_brings_one_puzzle(attempts: list[Assessment]) -> None:
    def press(number: int) -> int:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        attempt.replace_puzzle(FIRST, timezone.now())
        [shown] = attempt.read_answers().page(FIRST)
        return shown.item_id

    outcomes = race([press] * 8, ROUNDS)

    assert [len(set(shown)) for shown in outcomes] == [1] * ROUNDS
    assert [rows(attempt) for attempt in attempts] == [[(None, True), (None, False)]] * ROUNDS


def test_pressed_against_an_answer_one_of_them_counts(attempts: list[Assessment]) -> None:
    """An answer to the pictures is never stored for the puzzle that came instead."""

    def press(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        attempt.replace_puzzle(FIRST, timezone.now())
        return attempt.read_answers().avoid_pictures

    def answer(number: int) -> bool:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        try:
            attempt.record(FIRST, {FIRST: 1})
        except NotShown:
            return False
        return True

    outcomes = race([press, answer], ROUNDS)

    assert all(pressed is not answered for pressed, answered in outcomes)
    for attempt, (pressed, _) in zip(attempts, outcomes, strict=True):
        assert rows(attempt) == ([(None, True), (None, False)] if pressed else [(1, False)])
