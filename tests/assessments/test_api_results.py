"""get-assessments-info: an array of finished attempts, newest first, four fields each."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    completed,
    copies,
    issue,
    marked_completed,
    started,
)
from tests.assessments.partner import Backend
from tests.factories import AssessmentFactory, CourseFactory, StudentFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
NAMES = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


def results(api: Backend, **fields: Any) -> list[dict[str, Any]]:
    response = api.results(**fields)
    assert response.status_code == 200
    found: list[dict[str, Any]] = json.loads(response.content)
    return found


def test_a_completed_attempt(project: Project, api: Backend) -> None:
    CourseFactory.create(project=project, name="B.Sc. Botany")
    CourseFactory.create(project=project, name="B.Com. (Hons.)")
    attempt = at_last_page(started(project, AT), AT)
    completed(attempt, AT + timedelta(minutes=21, seconds=7, microseconds=999_999))

    response = api.results()

    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    (record,) = json.loads(response.content)
    assert list(record) == NAMES
    assert record == {
        "AssessmentId": attempt.assessment_id,
        "Status": "Completed",
        "Recommendations": attempt.recommended_names,
        "AssessmentDuration": "21m 7s",
    }
    assert sorted(record["Recommendations"]) == ["B.Com. (Hons.)", "B.Sc. Botany"]
    assert re.fullmatch(r"asm_[A-Za-z0-9]{16}", record["AssessmentId"])


def test_an_attempt_that_was_left(project: Project, api: Backend) -> None:
    CourseFactory.create(project=project)
    attempt = answer_until(started(project, AT), 12, AT + timedelta(seconds=125))
    attempt.abandon(AT + timedelta(hours=1))

    (record,) = results(api)

    assert list(record) == NAMES
    assert record == {
        "AssessmentId": attempt.assessment_id,
        "Status": "Abandoned",
        "Recommendations": [],
        "AssessmentDuration": "2m 5s",
    }


def test_an_attempt_past_its_finish_by(project: Project, api: Backend) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        attempt = started(project, AT)
        clock.shift(timedelta(hours=24) - timedelta(milliseconds=1))
        assert results(api) == []
        clock.shift(timedelta(milliseconds=1))

        (record,) = results(api)

    assert record["Status"] == "Abandoned"
    assert record["AssessmentId"] == attempt.assessment_id
    assert record["AssessmentDuration"] == "0m 0s"


def test_newest_first_by_start(project: Project, api: Backend) -> None:
    """Neither by their end nor by the order in which the rows were made."""
    student = StudentFactory.create(project=project, email_key="asha.rao@example.com")
    middle, oldest, newest = (
        AssessmentFactory.create(student=student, started_at=AT + timedelta(hours=hours))
        for hours in (1, 0, 2)
    )
    newest.abandon(AT + timedelta(hours=2))
    middle.abandon(AT + timedelta(hours=3))
    marked_completed(oldest, AT + timedelta(hours=9))

    ids = [record["AssessmentId"] for record in results(api)]

    assert ids == [newest.assessment_id, middle.assessment_id, oldest.assessment_id]


def test_attempts_started_together_are_newest_row_first(project: Project, api: Backend) -> None:
    student = StudentFactory.create(project=project, email_key="asha.rao@example.com")
    attempts = AssessmentFactory.create_batch(3, student=student, started_at=AT, abandoned_at=AT)

    ids = [record["AssessmentId"] for record in results(api)]

    assert ids == [attempt.assessment_id for attempt in reversed(attempts)]


def test_at_most_the_newest_hundred(project: Project, api: Backend) -> None:
    """A17."""
    student = StudentFactory.create(project=project, email_key="asha.rao@example.com")
    attempts = [
        AssessmentFactory.build(
            student=student,
            bank=ItemBank.objects.current(),
            started_at=AT + timedelta(minutes=number),
            abandoned_at=AT,
        )
        for number in range(103)
    ]
    Assessment.objects.bulk_create(attempts)

    ids = [record["AssessmentId"] for record in results(api)]

    assert ids == [attempt.assessment_id for attempt in reversed(attempts[3:])]


def test_an_unknown_e_mail_and_nothing_finished_look_the_same(
    project: Project, other_project: Project, api: Backend
) -> None:
    """A15: identical bytes."""
    started(project, email="busy@example.com")
    issue(project, email="invited@example.com")
    marked_completed(started(other_project, email="theirs@example.com"))

    bodies = {
        api.results(email=f"{who}@example.com").content
        for who in ("nobody", "busy", "invited", "theirs")
    }

    assert bodies == {b"[]"}


def test_the_same_e_mail_in_another_project_is_another_s(
    project: Project, other_project: Project, api: Backend
) -> None:
    theirs = marked_completed(started(other_project))
    mine = marked_completed(started(project))

    (ours,) = results(api)
    (others,) = results(Backend.of(other_project))

    assert ours["AssessmentId"] == mine.assessment_id
    assert others["AssessmentId"] == theirs.assessment_id


def test_many_attempts_ask_as_few_questions_as_one(
    project: Project, api: Backend, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    attempt = answer_until(started(project, AT), 6, AT)
    copies(attempt, 5)
    Assessment.objects.update(abandoned_at=AT)
    results(api)

    with django_assert_num_queries(2):
        assert len(results(api)) == 6


def test_the_look_up_has_an_index(project: Project) -> None:
    """A17: the unique constraint on project and key, then the student's attempts."""
    student = StudentFactory.create(project=project)
    StudentFactory.create_batch(20, project=project)
    read_whole = "scan "  # SQLite's word is "SCAN", and "SEARCH ... USING INDEX" for the rest
    if connection.vendor == "postgresql":
        read_whole = "seq scan"
        with connection.cursor() as cursor:  # a table this small it would read whole
            cursor.execute("SET LOCAL enable_seqscan = off")

    attempts = Assessment.objects.for_email(project.pk, student.email_key).finished(AT)
    plan = attempts.with_progress().newest_first()[:100].explain()

    assert read_whole not in plan.lower()
    assert "email_key" in plan
