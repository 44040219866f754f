"""Which item is put before a student: chosen once, never twice, by the answers so far."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import answer_until, started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
INTERESTS, APTITUDE, PREFERENCES = 1, 25, 37

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    return started(project, AT)


def test_an_item_is_chosen_once(attempt: Assessment) -> None:
    """A reload, or an earlier statement changed, never changes what was put before a student."""
    answer_until(attempt, 30, AT)
    shown = attempt.page(31)[0].item

    attempt.record(INTERESTS, dict.fromkeys(range(1, 7), 5), AT)
    attempt.record(30, {30: 4}, AT)

    assert attempt.page(31)[0].item == shown


def test_no_item_comes_twice(attempt: Assessment) -> None:
    answer_until(attempt, 44, AT)

    items = list(attempt.answers.values_list("item_id", flat=True))
    assert len(items) == len(set(items)) == 44


def test_sections_come_in_order(attempt: Assessment) -> None:
    answer_until(attempt, 44, AT)

    sections = list(attempt.answers.order_by("position").values_list("item__section", flat=True))
    assert sections == ["interests"] * 24 + ["aptitude"] * 12 + ["preferences"] * 8


def test_the_same_choices_get_the_same_items(bank: ItemBank, project: Project) -> None:
    one = answer_until(started(project, AT, email="one@example.com"), 44, AT, choice=2)

    other = answer_until(started(project, AT, email="two@example.com"), 44, AT, choice=2)

    items = [list(a.answers.order_by("position").values_list("item__code")) for a in (one, other)]
    assert items[0] == items[1]


def test_the_next_aptitude_item_depends_on_the_answers(bank: ItemBank, project: Project) -> None:
    def sitting(email: str, is_right: bool) -> list[str]:
        attempt = answer_until(started(project, AT, email=email), 24, AT)
        attempt.begin_section(APTITUDE, AT)
        codes = []
        for position in range(APTITUDE, PREFERENCES):
            (answer,) = attempt.page(position)
            codes.append(answer.item.code)
            attempt.record(position, {position: answer.item.key if is_right else 0}, AT)
        return codes

    strong, weak = sitting("strong@example.com", True), sitting("weak@example.com", False)

    assert strong[0] == weak[0]
    assert strong != weak
