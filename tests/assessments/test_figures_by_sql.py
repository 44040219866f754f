"""Every number of the page of figures, held against plain SQL over links and attempts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from assessments.models import Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.counted import AT, BEGIN, NOON, count, issued, make_attempt
from tests.assessments.dashboard_pages import PAGE, RIGHT, tiles, words
from tests.factories import ProjectFactory, staff_with

pytestmark = pytest.mark.usefixtures("bank")
# Seven whole days, and as many before them.
WEEK = (BEGIN - timedelta(days=6), BEGIN + timedelta(days=1))
COUNTS = """
SELECT
  (SELECT count(*) FROM links WHERE issued_at >= %(first)s AND issued_at < %(after)s),
  (SELECT count(*) FROM attempts WHERE started_at >= %(first)s AND started_at < %(after)s),
  (SELECT count(*) FROM attempts WHERE completed_at >= %(first)s AND completed_at < %(after)s),
  (SELECT count(*) FROM attempts WHERE completed_at IS NULL
    AND coalesce(abandoned_at, finish_by_at) >= %(first)s
    AND coalesce(abandoned_at, finish_by_at) < least(%(after)s, %(now)s)),
  (SELECT count(*) FROM links WHERE used_at IS NULL AND cancelled_at IS NULL
    AND expires_at >= %(first)s AND expires_at < %(after)s),
  (SELECT count(*) FROM links WHERE cancelled_at >= %(first)s AND cancelled_at < %(after)s),
  (SELECT floor(extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (
      ORDER BY completed_at - started_at)) / 60 + 0.5)
    FROM attempts WHERE completed_at >= %(first)s AND completed_at < %(after)s),
  (SELECT count(*) FROM attempts WHERE completed_at >= %(first)s AND completed_at < %(after)s
    AND jsonb_array_length(profile -> 'validity' -> 'flags') > 0)
"""
OF = """
WITH projects AS (SELECT id FROM partners_project WHERE {which}),
students AS (SELECT s.id FROM assessments_student s JOIN projects p ON p.id = s.project_id),
links AS (SELECT l.* FROM assessments_assessmentlink l JOIN students s ON s.id = l.student_id),
attempts AS (SELECT a.* FROM assessments_assessment a JOIN students s ON s.id = a.student_id)
"""
LANGUAGES = """
SELECT language,
  count(*) FILTER (WHERE started_at >= %(first)s AND started_at < %(after)s),
  count(*) FILTER (WHERE completed_at >= %(first)s AND completed_at < %(after)s)
FROM attempts GROUP BY language ORDER BY language
"""
COURSES = """
SELECT course ->> 'name', count(*) FROM attempts, jsonb_array_elements(recommendations) course
WHERE completed_at >= %(first)s AND completed_at < %(after)s
GROUP BY 1 ORDER BY 2 DESC, 1
"""


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def projects(project: Project) -> list[Project]:
    """Make links and attempts of three weeks in two projects of one partner and one of another."""
    found = [project, ProjectFactory.create(partner=project.partner), ProjectFactory.create()]
    draw = random.Random("figures")
    for _ in range(240):
        one = draw.choice(found)
        start = NOON - timedelta(minutes=draw.randrange(20 * 24 * 60), seconds=draw.randrange(60))
        took = timedelta(seconds=draw.randrange(300, 3000))
        kind = draw.choice(["completed", "completed", "completed", "abandoned", "late", "open"])
        attempt = make_attempt(
            one,
            start,
            completed=start + took if kind == "completed" else None,
            abandoned=start + took if kind == "abandoned" else None,
            finish_by=start + timedelta(hours=30) if kind == "late" else AT + timedelta(days=9),
            flags=draw.choice([(), (), ("inconsistent",)]),
            courses=draw.sample(["Botany", "Law", "Music", "Nursing"], 2),
            given=3,
        )
        Assessment.objects.filter(pk=attempt.pk).update(language=draw.choice(["en", "hi", "hi"]))
        link = issued(one, start - timedelta(hours=draw.randrange(90)))
        if draw.random() < 0.3:
            soon = link.issued_at + timedelta(hours=1)
            AssessmentLink.objects.filter(pk=link.pk).update(cancelled_at=soon)
    count()
    return found


def sql(statement: str, which: str, first: Any = WEEK[0], after: Any = WEEK[1]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            OF.format(which=which) + statement, {"first": first, "after": after, "now": AT}
        )
        return cursor.fetchall()


def shown(number: float | None) -> str:
    return f"{number:.1f}".removesuffix(".0")


@pytest.mark.parametrize(
    "whose",
    [
        "all",
        pytest.param("partner", marks=pytest.mark.slow),
        pytest.param("project", marks=pytest.mark.slow),
    ],
)
def test_the_page_says_what_sql_says(client: Client, projects: list[Project], whose: str) -> None:
    client.force_login(staff_with(RIGHT, "assessments.view_answer"))
    project, asked, which = projects[0], {"days": "7"}, "true"
    if whose == "partner":
        asked, which = (
            asked | {"partner": str(project.partner.pk)},
            f"partner_id = {project.partner.pk}",
        )
    elif whose == "project":
        asked, which = asked | {"project": str(project.pk)}, f"id = {project.pk}"
    [[links, started, completed, abandoned, expired, cancelled, median, flagged]] = sql(
        COUNTS, which
    )
    [[_, was_started, was_completed, was_abandoned, *_]] = sql(
        COUNTS, which, WEEK[0] - timedelta(days=7), WEEK[0]
    )

    response = client.get(PAGE, asked)

    assert tiles(response) == {
        "Completion rate": f"{shown(100 * completed / (completed + abandoned))} %",
        "Links issued": f"{links}",
        "Started": f"{started}",
        "Completed": f"{completed}",
        "Abandoned": f"{abandoned}",
        "Expired": f"{expired}",
        "Cancelled": f"{cancelled}",
        "Median time": f"{median} min",
        "Low effort": f"{shown(100 * flagged / completed)} %",
    }
    read = words(response)
    was = 100 * was_completed / (was_completed + was_abandoned)
    assert f"{completed} of {completed + abandoned} that ended {shown(was)} % before" in read
    assert f"Started {started}" in read
    assert f"{was_started} before" in read
    for name, (_, began, ended) in zip(("English", "हिन्दी"), sql(LANGUAGES, which), strict=True):
        assert f"{name} {began} {ended} " in read
    [[most, times], *_] = sql(COURSES, which)
    assert f"{most} {times} {round(100 * times / completed)} %" in read
    if whose == "partner":
        for each in projects[:2]:
            [[issued_, began, ended, left, *_]] = sql(COUNTS, f"id = {each.pk}")
            rate = f"{shown(100 * ended / (ended + left))} %"
            assert f"{each.name} {rate} {issued_} {began} {ended} {left}" in read
