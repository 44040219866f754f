"""A query whose SQL is made once gives what Django would give each time."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from assessments.models import Answer, Assessment
from partners.kept_queries import KeptQuery

COLUMNS = ("position", "shown_at", "choice", "answered_at", "assessment__student__email")


def answers(assessment: int, position: int) -> QuerySet[Answer, tuple[Any, ...]]:
    asked = Answer.objects.filter(assessment=assessment, position=position)
    return asked.values_list(*COLUMNS)


@pytest.fixture
def begun(attempt: Assessment) -> Assessment:
    attempt.begin_section(1)
    attempt.record(1, {2: 4})
    return attempt


def test_it_gives_the_values_that_django_gives(begun: Assessment) -> None:
    kept = KeptQuery(answers, 1, 2)

    for position in (1, 2, 99):
        assert kept.rows(begun.pk, position) == list(answers(begun.pk, position))


def test_it_asks_each_time(begun: Assessment) -> None:
    kept = KeptQuery(answers, 1, 2)
    [before] = kept.rows(begun.pk, 2)

    begun.record(1, {2: 5})

    [after] = kept.rows(begun.pk, 2)
    assert (before[2], after[2]) == (4, 5)


def test_its_sql_is_made_once(begun: Assessment) -> None:
    made = []

    def make(assessment: int, position: int) -> QuerySet[Answer, tuple[Any, ...]]:
        made.append(position)
        return answers(assessment, position)

    kept = KeptQuery(make, 1, 2)
    for position in (1, 2, 3):
        kept.rows(begun.pk, position)

    assert made == [2]


def test_values_that_would_be_taken_for_each_other_are_refused(begun: Assessment) -> None:
    kept = KeptQuery(lambda position, assessment: answers(assessment, position), 1, 2)

    with pytest.raises(ValueError, match="not for"):
        kept.rows(1, begun.pk)
