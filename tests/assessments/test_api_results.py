"""get-assessments-info: a student's ended attempts, the newest first, four fields each."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Attempt, ItemBank
from tests.assessments.attempts import (
    answer_until,
    at_last_page,
    completed,
    copies,
    issue,
    marked_completed,
    started,
)
from tests.assessments.partner import RESULTS, Backend
from tests.factories import AttemptFactory, CourseFactory, StudentFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HOUR, MILLISECOND = timedelta(hours=1), timedelta(milliseconds=1)

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


def ids(api):
    return [record["AssessmentId"] for record in api.read(RESULTS)]


def left_attempts(project, *started_at):
    """Make attempts of the student that were left, in one go."""
    student = StudentFactory.create(project=project, email_key="asha.rao@example.com")
    facts = {"student": student, "bank": ItemBank.objects.current()}
    return Attempt.objects.bulk_create(
        AttemptFactory.build(**facts, started_at=at, abandoned_at=AT + HOUR) for at in started_at
    )


def test_a_completed_attempt(project, api):
    CourseFactory.create(project=project, name="B.Sc. Botany")
    CourseFactory.create(project=project, name="B.Com. (Hons.)")
    attempt = at_last_page(started(project, AT), AT)
    completed(attempt, AT + timedelta(minutes=21, seconds=7, microseconds=999_999))

    [record] = api.read(RESULTS)

    assert list(record) == ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]
    assert record == {
        "AssessmentId": attempt.assessment_id,
        "Status": "Completed",
        "Recommendations": attempt.recommended_names,
        "AssessmentDuration": "21m 7s",
    }
    assert sorted(record["Recommendations"]) == ["B.Com. (Hons.)", "B.Sc. Botany"]
    assert re.fullmatch(r"asm_[A-Za-z0-9]{16}", record["AssessmentId"])


def test_an_attempt_that_was_left(project, api):
    CourseFactory.create(project=project)
    attempt = answer_until(started(project, AT), 12, AT + timedelta(seconds=125))
    attempt.abandon(AT + HOUR)

    [record] = api.read(RESULTS)

    assert list(record.items()) == [
        ("AssessmentId", attempt.assessment_id),
        ("Status", "Abandoned"),
        ("Recommendations", []),
        ("AssessmentDuration", "2m 5s"),
    ]


def test_an_attempt_has_ended_at_its_finish_by(project, api):
    with time_machine.travel(AT, tick=False) as clock:
        attempt = started(project, AT)
        clock.shift(24 * HOUR - MILLISECOND)
        before = api.read(RESULTS)
        clock.shift(MILLISECOND)
        [record] = api.read(RESULTS)

    assert before == []
    assert (record["AssessmentId"], record["Status"]) == (attempt.assessment_id, "Abandoned")
    assert record["AssessmentDuration"] == "0m 0s"


def test_the_newest_start_comes_first_and_of_one_moment_the_newest_row(project, api):
    attempts = left_attempts(project, AT, AT - HOUR, AT + HOUR, AT)
    Attempt.objects.filter(pk=attempts[1].pk).update(abandoned_at=AT + 9 * HOUR)

    assert ids(api) == [attempts[place].assessment_id for place in (2, 3, 0, 1)]


def test_at_most_the_newest_hundred(project, api):
    attempts = left_attempts(project, *(AT + timedelta(minutes=n) for n in range(101)))

    assert ids(api) == [attempt.assessment_id for attempt in reversed(attempts[1:])]


def test_an_unknown_address_and_one_without_an_ended_attempt_look_the_same(
    project, other_project, api
):
    started(project, email="busy@example.com")
    issue(project, email="invited@example.com")
    theirs = marked_completed(started(other_project, email="theirs@example.com"))

    bodies = {
        api.results(email=f"{who}@example.com").content
        for who in ("nobody", "busy", "invited", "theirs")
    }

    assert bodies == {b"[]"}
    [record] = Backend.of(other_project).read(RESULTS, email="theirs@example.com")
    assert record["AssessmentId"] == theirs.assessment_id


def test_many_attempts_take_as_few_queries_as_one(project, api, django_assert_num_queries):
    copies(answer_until(started(project, AT), 6, AT), 5)
    Attempt.objects.update(abandoned_at=AT)
    ids(api)

    with django_assert_num_queries(2):
        assert len(ids(api)) == 6


def test_the_first_read_is_recorded_and_costs_later_ones_nothing(project, other_project, api):
    done = marked_completed(started(project))
    left = started(project)
    left.abandon()
    started(project)
    marked_completed(started(project, email="other@example.com"))
    marked_completed(started(other_project))
    api.token.record_use(AT)
    answers, statements = [], []

    with time_machine.travel(AT, tick=False) as clock:
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                answers.append(api.results().content)
            statements.append([query["sql"].split()[0] for query in queries.captured_queries])
            clock.shift(timedelta(seconds=30))

    assert answers[0] == answers[1]
    assert len(json.loads(answers[0])) == 2
    assert statements[0] == [*statements[1], "UPDATE"]
    assert "UPDATE" not in statements[1]
    read_at = dict(Attempt.objects.values_list("pk", "results_read_at"))
    assert len(read_at) == 5
    assert read_at == dict.fromkeys(read_at) | {done.pk: AT, left.pk: AT}
