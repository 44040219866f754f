"""A query whose SQL is made once gives what Django would give each time."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from assessments.models import Answer, Assessment
from partners.kept_queries import KeptQuery, of_row

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


def test_a_row_of_some_columns_is_what_django_makes_of_it(begun: Assessment) -> None:
    names = ("assessment_id", "id", "language")  # not in the order of the model's fields
    django = Assessment.objects.only(*names).get(pk=begun.pk)

    made = of_row(Assessment, names, [getattr(begun, name) for name in names])

    assert vars(made) | {"_state": None} == vars(django) | {"_state": None}
    assert (made._state.adding, made._state.db) == (django._state.adding, django._state.db)
    assert made == begun
    assert made.get_deferred_fields() == django.get_deferred_fields()


def test_what_a_row_was_made_without_is_read_when_it_is_asked_for(begun: Assessment) -> None:
    made = of_row(Assessment, ("id",), [begun.pk])

    with CaptureQueriesContext(connection) as asked:
        started_at = made.started_at

    assert started_at == begun.started_at
    assert len(asked) == 1


def test_rows_made_of_columns_share_nothing(begun: Assessment) -> None:
    one, other = (of_row(Assessment, ("id", "student_id"), [begun.pk, 1]) for _ in range(2))

    one.student = begun.student

    assert one._state is not other._state
    assert not Assessment.student.is_cached(other)
    assert other.student_id == 1


def test_columns_without_a_value_are_refused(begun: Assessment) -> None:
    with pytest.raises(ValueError, match="shorter"):
        of_row(Assessment, ("id", "student_id"), [begun.pk])
