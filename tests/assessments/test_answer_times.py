"""How long each answer took: the time of its page, shared out over the questions on it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import started

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def seconds(amount: float) -> timedelta:
    return timedelta(seconds=amount)


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    attempt = started(project, AT)
    attempt.begin_section(1, AT)
    return attempt


def test_a_page_of_statements_is_shared_out(attempt: Assessment) -> None:
    attempt.record(1, dict.fromkeys(range(1, 7), 4), AT + seconds(30))

    given = attempt.given()

    assert [each.seconds for each in given] == [5.0] * 6
    assert [each.choice for each in given] == [4] * 6
    assert [each.code for each in given] == list(
        attempt.answers.filter(position__lte=6).order_by("position").values_list(
            "item__code", flat=True
        )
    )  # fmt: skip


def test_the_next_page_counts_from_when_it_was_shown(attempt: Assessment) -> None:
    attempt.record(1, dict.fromkeys(range(1, 7), 4), AT + seconds(30))
    attempt.record(7, dict.fromkeys(range(7, 13), 2), AT + seconds(42))

    assert [each.seconds for each in attempt.given()][6:] == [2.0] * 6


def test_a_page_sent_in_two_goes_counts_to_the_last_answer(attempt: Assessment) -> None:
    attempt.record(1, {1: 4, 2: 4}, AT + seconds(10))
    attempt.record(1, {3: 4, 4: 4, 5: 4, 6: 4}, AT + seconds(60))

    assert [each.seconds for each in attempt.given()] == [10.0] * 6


def test_a_clock_that_went_back_gives_no_time_at_all(attempt: Assessment) -> None:
    attempt.record(1, dict.fromkeys(range(1, 7), 4), AT - seconds(30))

    assert [each.seconds for each in attempt.given()] == [0.0] * 6
