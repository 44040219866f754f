"""Which days are counted: those that are not final yet, and no other."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from assessments.models import AssessmentLink, ProjectDay
from assessments.models.day_counts import days_to_count
from partners.models import Project
from tests.assessments.counted import AT, DAY, END, NOON, count, issued, make_attempt

pytestmark = pytest.mark.usefixtures("bank")


def test_a_day_that_is_over_keeps_its_figures_when_its_rows_go(project: Project) -> None:
    issued(project, NOON)
    count()

    AssessmentLink.objects.all().delete()
    count(AT + timedelta(hours=1))

    assert ProjectDay.objects.of(project).get().links_issued == 1


def test_the_first_count_goes_back_to_the_first_event(project: Project) -> None:
    assert days_to_count(AT) == [AT.date()]

    make_attempt(project, NOON - timedelta(days=3))
    assert days_to_count(AT) == [DAY + timedelta(days=n) for n in (-3, -2, -1, 0, 1)]

    issued(project, NOON - timedelta(days=4))
    assert days_to_count(AT)[0] == DAY - timedelta(days=4)


@pytest.mark.parametrize(
    ("counted_at", "again"),
    [
        (NOON, True),
        (END, True),
        # a request that read the clock before midnight may have written after it
        (END + timedelta(minutes=9), True),
        (END + timedelta(minutes=10), False),
    ],
)
def test_a_day_is_counted_until_it_was_counted_after_its_end(
    project: Project, counted_at: datetime, again: bool
) -> None:
    issued(project, NOON - timedelta(days=9))
    count(counted_at)

    assert (DAY in days_to_count(AT)) == again
    assert days_to_count(AT)[-1] == AT.date()
    assert DAY - timedelta(days=1) not in days_to_count(AT)


def test_days_that_nobody_counted_are_made_up_for(project: Project) -> None:
    issued(project, NOON)
    count(NOON)
    issued(project, NOON + timedelta(days=3))

    count(NOON + timedelta(days=5))

    rows = ProjectDay.objects.of(None).order_by("day")
    assert [row.links_issued for row in rows] == [1, 0, 0, 1, 0, 0]


def test_a_count_from_a_day_on_stops_at_the_first_event(project: Project) -> None:
    issued(project, NOON)
    count()

    assert days_to_count(AT, DAY) == [DAY, AT.date()]
    assert days_to_count(AT, DAY - timedelta(days=400)) == [DAY, AT.date()]
