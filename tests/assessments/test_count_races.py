"""Several that count at one moment: each day has one row a project, with the right figures."""

from __future__ import annotations

from datetime import timedelta

import pytest

from assessments.models import ItemBank, ProjectDay
from assessments.models.day_counts import count_days
from tests.assessments.counted import AT, DAY, NOON, issued, make_attempt
from tests.factories import ProjectFactory
from tests.support.threads import race

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

THREADS, ROUNDS = 6, 5


def test_two_that_count_at_once_leave_one_row_each(bank: ItemBank) -> None:
    projects = ProjectFactory.create_batch(5)
    for project in projects:
        issued(project, NOON)
        make_attempt(project, NOON - timedelta(days=2), abandoned=NOON, given=3)

    for number in range(ROUNDS):
        at = AT + timedelta(minutes=number)
        outcomes = race([lambda at=at: count_days([DAY], at)] * THREADS)  # type: ignore[misc]

        assert outcomes == [None] * THREADS
        assert ProjectDay.objects.count() == len(projects) + 1
        assert set(ProjectDay.objects.values_list("counted_at", flat=True)) == {at}
        together = ProjectDay.objects.of(None).get()
        assert (together.links_issued, together.abandoned) == (5, 5)
        if number % 2:
            ProjectDay.objects.all().delete()


def test_a_project_that_comes_meanwhile_is_in_both_rows_or_in_none(bank: ItemBank) -> None:
    issued(ProjectFactory.create(), NOON)
    late = ProjectFactory.create_batch(4)

    outcomes = race(
        [lambda each=each: issued(each, NOON) for each in late]  # type: ignore[misc]
        + [lambda: count_days([DAY], AT)] * 3
    )

    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    rows = ProjectDay.objects.filter(day=DAY)
    assert rows.get(project=None).links_issued == rows.exclude(project=None).count() >= 1
