"""What happened on a day, in a project and in all of them: links, attempts, ends, courses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessments.charts.days import BEFORE_FIRST, Period
from assessments.models import ProjectDay, statistics
from assessments.models.day_counts import count_days
from partners.models import Project
from tests.assessments.attempts import answer_until, completed_with_care, issue, started, use
from tests.assessments.counted import (
    AT,
    BEGIN,
    DAY,
    END,
    JUST,
    NOON,
    count,
    issued,
    make_attempt,
)
from tests.assessments.two_stages import STAGE_1, STAGE_2, answered_until, publish_field_bank
from tests.factories import ProjectFactory

pytestmark = pytest.mark.usefixtures("bank")

COUNTS = (
    *("links_issued", "links_expired", "links_cancelled"),
    *("started", "completed", "abandoned", "low_effort"),
)


def figures(project: Project | None = None) -> ProjectDay:
    return ProjectDay.objects.of(project).get(day=DAY)


def counts(project: Project | None = None) -> dict[str, int]:
    """Return what is not nought of the day."""
    counted = ProjectDay.objects.of(project).filter(day=DAY).values(*COUNTS).first() or {}
    return {name: count for name, count in counted.items() if count}


def test_a_day_as_the_service_makes_it(project: Project) -> None:
    done = started(project, NOON, email="done@example.com")
    completed_with_care(done, NOON, lambda position: 1 + position % 6 % 5)
    left = answer_until(started(project, NOON, email="left@example.com"), 30, NOON)
    left.abandon(NOON + timedelta(hours=1))
    issue(project, NOON, email="never@example.com")

    count()

    assert counts(project) == {"links_issued": 3, "started": 2, "completed": 1, "abandoned": 1}
    assert figures(project).durations == {"22": 1}
    assert figures(project).stopped == {"aptitude": 1}
    assert figures(project).counted_at == AT


def cancelled(project: Project, at: datetime) -> None:
    link, _ = issue(project, at - timedelta(hours=25))
    link.cancel(reason="wrong address", at=at, actor="command:tests")


Make = Callable[[Project, datetime], object]
HAPPENED: dict[str, Make] = {
    "links_issued": issued,
    "links_expired": lambda project, at: issued(project, at - timedelta(hours=72)),
    "links_cancelled": cancelled,
    "started": make_attempt,
    "completed": lambda project, at: make_attempt(project, at - timedelta(hours=48), completed=at),
    "abandoned": lambda project, at: make_attempt(project, at - timedelta(hours=48), abandoned=at),
    "low_effort": lambda project, at: make_attempt(
        project, at - timedelta(hours=48), completed=at, flags=["straight_line"]
    ),
}

# Just before the day, its first and its last moment, and just after it: who is of the day.
EDGES = (BEGIN - JUST, BEGIN, END - JUST, END)
OF_THE_DAY = [False, True, True, False]


@pytest.mark.parametrize("name", HAPPENED)
def test_a_day_begins_and_ends_at_midnight_utc(name: str) -> None:
    projects = ProjectFactory.create_batch(len(EDGES))
    for project, moment in zip(projects, EDGES, strict=True):
        HAPPENED[name](project, moment)

    count()

    assert [counts(project).get(name) == 1 for project in projects] == OF_THE_DAY
    assert [name in counts(project) for project in projects] == OF_THE_DAY
    assert counts()[name] == 2


def test_who_runs_out_of_time_belongs_to_the_day_of_the_finish_by() -> None:
    projects = ProjectFactory.create_batch(len(EDGES))
    for project, finish_by in zip(projects, EDGES, strict=True):
        make_attempt(project, NOON - timedelta(days=2), finish_by=finish_by, given=3)

    count()

    ran_out = {"abandoned": 1}
    assert [counts(project) for project in projects] == [{}, ran_out, ran_out, {}]
    assert counts() == {"abandoned": 2}
    assert figures(projects[1]).stopped == figures(projects[2]).stopped == {"interests": 1}
    assert figures().stopped == {"interests": 2}


def test_a_used_link_does_not_expire(project: Project) -> None:
    link, _ = issue(project, NOON - timedelta(hours=72))
    use(link, at=link.issued_at)

    count()

    assert counts() == {}


def test_a_cancelled_link_does_not_expire(project: Project) -> None:
    link, _ = issue(project, NOON - timedelta(hours=72))
    link.cancel(reason="wrong address", at=link.issued_at, actor="command:tests")

    count()

    assert counts() == {}


STOPPED = [
    (None, BEFORE_FIRST),
    (0, "interests"),
    (17, "interests"),
    (18, "fields"),
    (23, "fields"),
    # all of a section is answered: the page before the next one was the last that was seen
    (24, "aptitude"),
    (35, "aptitude"),
    (36, "preferences"),
    (43, "preferences"),
]


@pytest.mark.parametrize("end", ["abandoned", "finish_by"])
def test_an_abandoned_attempt_stopped_at_its_first_unanswered_question(end: str) -> None:
    projects = ProjectFactory.create_batch(len(STOPPED))
    for project, (given, _) in zip(projects, STOPPED, strict=True):
        make_attempt(project, NOON - timedelta(days=2), given=given, **{end: NOON})

    count()

    sections = [section for _, section in STOPPED]
    assert [figures(project).stopped for project in projects] == [{each: 1} for each in sections]
    assert figures().stopped == Counter(sections)


def test_projects_are_kept_apart_and_added_up(project: Project, other_project: Project) -> None:
    issued(project, NOON)
    make_attempt(project, NOON, completed=NOON, courses=["Botany"], flags=["inconsistent"])
    make_attempt(other_project, NOON, completed=NOON + timedelta(minutes=5), courses=["Botany"])
    make_attempt(other_project, NOON, abandoned=NOON)

    count()

    one = {"started": 1, "completed": 1}
    assert counts(project) == {**one, "links_issued": 1, "low_effort": 1}
    assert counts(other_project) == {"started": 2, "completed": 1, "abandoned": 1}
    together = {"links_issued": 1, "started": 3, "completed": 2, "abandoned": 1, "low_effort": 1}
    assert counts() == together
    assert figures().durations == {"0": 1, "5": 1}
    assert figures().courses == {"Botany": 2}


def test_counting_again_replaces_figures_that_were_wrong(
    project: Project, other_project: Project
) -> None:
    issued(project, NOON)
    ProjectDay.objects.create(project=None, day=DAY, counted_at=NOON, started=99)
    ProjectDay.objects.create(project=project, day=DAY, counted_at=NOON, started=99)
    ProjectDay.objects.create(project=other_project, day=DAY, counted_at=NOON, started=99)

    count_days([DAY], AT)

    assert counts() == counts(project) == {"links_issued": 1}
    assert not ProjectDay.objects.of(other_project).exists()


def test_a_day_takes_the_same_queries_whatever_the_number_of_projects(project: Project) -> None:
    def busy(each: Project) -> None:
        issued(each, NOON)
        make_attempt(each, NOON, completed=NOON, courses=["Botany"])
        make_attempt(each, NOON - timedelta(days=2), abandoned=NOON, given=5)

    busy(project)
    count()  # the row of all projects stands, the bank is in memory
    with CaptureQueriesContext(connection) as of_one:
        count_days([DAY], AT)
    for _ in range(20):
        busy(ProjectFactory.create())

    with CaptureQueriesContext(connection) as of_many:
        count_days([DAY], AT)

    assert counts()["started"] == 21
    assert len(of_many) == len(of_one) <= 20


@pytest.mark.parametrize(
    ("answered", "section"),
    [
        (STAGE_1 - 5, "interests"),
        # at the page between the stages, and on the second page of stage 2
        (STAGE_1, "fields"),
        (STAGE_1 + 7, "fields"),
        (STAGE_1 + STAGE_2, "aptitude"),
    ],
)
def test_an_attempt_that_stops_in_stage_2_stops_there(
    project: Project, answered: int, section: str
) -> None:
    publish_field_bank()
    attempt = answered_until(project, answered + 1)
    attempt.abandon()

    now = timezone.now()
    count_days([now.astimezone(UTC).date()])

    day = ProjectDay.objects.of(project).get()
    assert (day.started, day.abandoned, day.stopped) == (1, 1, {section: 1})
    tomorrow = now + timedelta(days=1)
    period = Period.before(tomorrow.astimezone(UTC).date(), 7)
    scope = statistics.Scope(project)
    found = statistics.figures(scope, period, period.just_before, tomorrow)
    assert found is not None
    titles = {each.code: each.title["en"] for each in attempt.content.layout.sections}
    way = found.report.way
    assert [step.label for step in way] == ["All that ended", *titles.values(), "Completed"]
    assert [step.label for step in way if step.note == "1 stopped here"] == [titles[section]]
