"""Links and attempts are counted: on the day on which they happened, and as of now."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.figures import live_counts
from assessments.figures.counts import Counts, count_by_day
from assessments.models import AssessmentLink, Attempt
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed, started
from tests.factories import (
    BY,
    AssessmentLinkFactory,
    AttemptFactory,
    ProjectFactory,
    StudentFactory,
)

pytestmark = pytest.mark.usefixtures("bank")
# Midnight of 20 and 21 November in India.
BEGIN = datetime(2026, 11, 19, 18, 30, tzinfo=UTC)
END = BEGIN + timedelta(days=1)
NOON = BEGIN + timedelta(hours=12)
JUST = timedelta(microseconds=1)
DAY = date(2026, 11, 20)
AT = END + timedelta(days=9)


def make_link(project, at):
    AssessmentLinkFactory.create(student__project=project, issued_at=at)


def make_attempt(project, start, **values):
    """Make an attempt, open unless it is ended or its finish-by passed."""
    values = {"finish_by_at": start + timedelta(days=30), **values}
    values.setdefault("student", StudentFactory.create(project=project))
    return AttemptFactory.create(started_at=start, is_completed="completed_at" in values, **values)


def counted(first=DAY, last=DAY, at=AT):
    found = count_by_day(Project.objects.all(), first, last, at)
    return {day: counts for (_, day), counts in found.items()}


BEFORE = BEGIN - timedelta(days=5)
HAPPENINGS = {
    "issued": lambda project, at: make_link(project, at),
    "started": lambda project, at: make_attempt(project, at),
    "completed": lambda project, at: make_attempt(project, BEFORE, completed_at=at),
    "abandoned": lambda project, at: make_attempt(project, BEFORE, abandoned_at=at),
    "late": lambda project, at: make_attempt(project, BEFORE, finish_by_at=at),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("kind", HAPPENINGS)
def test_an_event_counts_on_its_day_from_midnight_to_midnight(project, kind):
    for at in (BEGIN - JUST, BEGIN, END - JUST, END):
        HAPPENINGS[kind](project, at)

    found = counted(DAY - timedelta(days=1), DAY + timedelta(days=1))

    name = "abandoned" if kind == "late" else kind
    assert [getattr(found[DAY + timedelta(days=n)], name) for n in (-1, 0, 1)] == [1, 2, 1]
    assert getattr(counted()[DAY], name) == 2


def test_an_open_attempt_is_abandoned_at_its_finish_by_and_not_before(project):
    make_attempt(project, BEGIN, finish_by_at=NOON)

    assert counted(at=NOON - JUST) == {DAY: Counts(started=1)}
    assert counted(at=NOON) == {DAY: Counts(started=1, abandoned=1)}


@pytest.mark.sqlite
def test_a_day_of_24_or_25_hours_is_that_of_the_projects_own_zone(project):
    in_london = ProjectFactory.create(time_zone="Europe/London")
    spring, autumn = date(2026, 3, 29), date(2026, 10, 25)  # 23 and 25 hours
    for midnight in (
        datetime(2026, 3, 29, 0, tzinfo=UTC),
        datetime(2026, 3, 29, 23, tzinfo=UTC),
        datetime(2026, 10, 24, 23, tzinfo=UTC),
        datetime(2026, 10, 26, 0, tzinfo=UTC),
    ):
        for at in (midnight - JUST, midnight):
            make_link(in_london, at)
    make_link(project, datetime(2026, 10, 24, 18, 30, tzinfo=UTC))

    for day in (spring, autumn):
        assert count_by_day(Project.objects.all(), day, day)[in_london.pk, day].issued == 2
    assert count_by_day(Project.objects.all(), autumn, autumn)[project.pk, autumn].issued == 1


@pytest.mark.sqlite
def test_only_live_projects_that_were_asked_for_are_counted(project, django_assert_num_queries):
    other = ProjectFactory.create(partner=project.partner)
    for each in (project, other, ProjectFactory.create(), ProjectFactory.create(is_test=True)):
        make_link(each, NOON)
        make_attempt(each, NOON, completed_at=NOON)
    alone = Project.objects.filter(pk=project.pk)

    with django_assert_num_queries(1 + 3):  # three for each time zone
        everywhere = count_by_day(Project.objects.all(), DAY, DAY, AT)

    once = Counts(issued=1, started=1, completed=1)
    assert len(everywhere) == 3
    of_partner = {(project.pk, DAY): once, (other.pk, DAY): once}
    assert count_by_day(project.partner.projects.all(), DAY, DAY, AT) == of_partner
    assert count_by_day(alone, DAY, DAY, AT) == {(project.pk, DAY): once}
    ProjectFactory.create(time_zone="Europe/London")
    with django_assert_num_queries(1 + 6):
        count_by_day(Project.objects.all(), DAY - timedelta(days=9), DAY, AT)


@pytest.mark.parametrize(
    ("completed", "abandoned", "rate"),
    [(0, 0, ""), (3, 1, "3 of 4"), (7, 3, "70 %"), (2, 1000, "0.2 %"), (995, 5, "99.5 %")],
)
def test_the_rate_is_completed_out_of_ended(completed, abandoned, rate):
    assert Counts(50, 50, completed, abandoned).completion_rate == rate


NOW = timezone.now()
MINUTES_AGO = NOW - timedelta(minutes=5)
HOURS_AGO = NOW - timedelta(hours=2)
YESTERDAY = NOW - timedelta(hours=20)


@pytest.mark.usefixtures("bank")
def test_attempts_are_counted_by_state(project):
    marked_completed(started(project, MINUTES_AGO), MINUTES_AGO)
    started(project, MINUTES_AGO)
    left, closed, late, forgotten = (
        started(project, YESTERDAY, email=f"{name}@example.com") for name in ("a", "b", "c", "d")
    )
    left.abandon(MINUTES_AGO)
    closed.abandon(HOURS_AGO)
    Attempt.objects.filter(pk=late.pk).update(finish_by_at=MINUTES_AGO)
    Attempt.objects.filter(pk=forgotten.pk).update(finish_by_at=HOURS_AGO)

    counts = live_counts.live_counts(NOW)

    assert counts["attempts"] == {"open": 1}
    assert counts["attempts_last_hour"] == {"started": 2, "completed": 1, "abandoned": 2}


@pytest.mark.usefixtures("bank")
def test_links_are_counted_by_state(project):
    issue(project, MINUTES_AGO)
    issue(project, HOURS_AGO)
    started(project, MINUTES_AGO, email="used@example.com")
    for expires_at in (MINUTES_AGO, HOURS_AGO, NOW):
        link, _ = issue(project, (NOW - timedelta(days=4)))
        AssessmentLink.objects.filter(pk=link.pk).update(expires_at=expires_at)
    for email, cancelled_at in (("a", MINUTES_AGO), ("b", HOURS_AGO)):
        link, _ = issue(project, HOURS_AGO, email=f"{email}@example.com")
        link.cancel(reason="wrong address", at=cancelled_at, by=BY)
        # Cancelled links do not expire either.
        AssessmentLink.objects.filter(pk=link.pk).update(expires_at=MINUTES_AGO)

    counts = live_counts.live_counts(NOW)

    assert counts["links"] == {"waiting": 2}
    assert counts["links_last_hour"] == {"issued": 2, "expired": 2, "cancelled": 1}
