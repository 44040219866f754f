"""The seam of the two stages under races: one second stage, nothing lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assessments.models import Assessment
from assessments.models.answers import NotShown
from partners.models import Project
from tests.assessments.racing import race
from tests.assessments.two_stages import STAGE_1, answered_until, publish_field_bank

SEAM = STAGE_1 + 1
LAST_PAGE = 33
ROUNDS = 10

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Runner = Callable[[int], object]


@pytest.fixture(autouse=True)
def _field_bank(db: None) -> None:
    publish_field_bank()


def beginner(attempts: list[Assessment]) -> Runner:
    def begin(number: int) -> str:
        try:
            Assessment.objects.get(pk=attempts[number].pk).begin_section(SEAM)
        except NotShown:
            return "not shown"
        return "begun"

    return begin


def changer(attempts: list[Assessment], value: int) -> Runner:
    """Post the last page of stage 1 again, with other answers."""

    def change(number: int) -> int | None:
        attempt = Assessment.objects.get(pk=attempts[number].pk)
        choices = dict.fromkeys(range(LAST_PAGE, SEAM), value)
        return attempt.record(LAST_PAGE, choices).next_position

    return change


def test_tabs_that_begin_together_choose_one_second_stage(project: Project, times: int) -> None:
    attempts = [answered_until(project, SEAM) for _ in range(ROUNDS * times)]

    race([beginner(attempts)] * 4, len(attempts))

    for attempt in attempts:
        attempt.refresh_from_db()
        shown = attempt.answers.filter(position__gte=SEAM)
        assert shown.count() == 7
        fields = set(shown.values_list("item__scale", flat=True)) - {"instructed"}
        assert fields == set(attempt.leading_fields or [])


def test_a_change_of_stage_1_comes_before_the_choice_or_changes_nothing(
    project: Project, times: int
) -> None:
    attempts = [answered_until(project, SEAM) for _ in range(ROUNDS * times)]

    outcomes = race([beginner(attempts), changer(attempts, 1), changer(attempts, 5)], len(attempts))

    assert {begun for begun, *_ in outcomes} == {"begun"}
    for attempt in attempts:
        attempt.refresh_from_db()
        interests = attempt.content.layout.sections[0]
        choices = attempt.read_answers().choices(interests)
        assert attempt.leading_fields == attempt.content.leading_fields(choices)
