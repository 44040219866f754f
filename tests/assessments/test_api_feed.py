"""list-assessments: everything that ended, once each and in order, for whoever keeps the cursor."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from assessments.api.feed import cursor_of
from assessments.models import Assessment, AssessmentLink
from assessments.models.feed import START
from partners.models import Project
from partners.times import rfc3339
from tests.assessments.attempts import completed, issue, marked_completed, started, use
from tests.assessments.partner import FEED, RESULTS, Backend, assert_problem
from tests.factories import AssessmentFactory, CourseFactory, ProjectFactory, StudentFactory

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
FOUR = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sqlite,
    pytest.mark.usefixtures("bank"),
]


def read(api: Backend, **fields: Any) -> tuple[list[dict[str, Any]], str]:
    """Return what a call lists, and its cursor."""
    response = api.post(FEED, api.body(FEED, **fields))
    assert response.status_code == 200, response.content
    answer = json.loads(response.content)
    assert list(answer) == ["Assessments", "NextCursor"]
    return answer["Assessments"], answer["NextCursor"]


def ids(api: Backend, **fields: Any) -> list[str]:
    return [record["AssessmentId"] for record in read(api, **fields)[0]]


def left(project: Project, at: datetime) -> str:
    """Return the id of an attempt that was left at a time."""
    student = StudentFactory.create(project=project)
    attempt = AssessmentFactory.create(student=student, started_at=at - HOUR, abandoned_at=at)
    return attempt.assessment_id


def test_a_record_has_the_four_fields_and_whom_it_is_of(api: Backend) -> None:
    CourseFactory.create_batch(3, project=api.project)
    link, _ = issue(api.project, AT, reference="applicant-4711", email="Asha.Rao@example.com")
    completed(use(link, at=AT), at=AT + HOUR)

    [record], _ = read(api)

    [four] = json.loads(api.post(RESULTS, api.body(RESULTS)).content)
    assert list(record) == [*FOUR, "Email", "Reference", "EndedAt"]
    assert {name: record[name] for name in FOUR} == four
    assert len(record["Recommendations"]) == 3
    assert record["Email"] == "Asha.Rao@example.com"
    assert record["Reference"] == "applicant-4711"
    assert record["EndedAt"] == rfc3339(AT + HOUR)


def test_an_abandoned_attempt_lasted_until_its_last_answer(api: Backend) -> None:
    attempt = started(api.project, AT)
    attempt.begin_section(1, AT)
    attempt.record(1, {1: 3}, AT + 5 * MINUTE)

    [record], _ = read(api)

    assert record["Status"] == "Abandoned"
    assert record["AssessmentDuration"] == "5m 0s"
    assert record["Recommendations"] == []
    assert record["Reference"] is None
    assert record["EndedAt"] == rfc3339(attempt.finish_by_at)


ENDS: dict[str, Callable[[Assessment, datetime], object]] = {
    "completed": marked_completed,
    "left": lambda attempt, at: attempt.abandon(at),
    "closed": lambda attempt, at: attempt.close(at=at, actor="command:tests"),
    "late": lambda attempt, at: Assessment.objects.filter(pk=attempt.pk).update(finish_by_at=at),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_end_appears_a_minute_later(api: Backend, end: str) -> None:
    now = timezone.now()
    old, new = (
        started(api.project, now - HOUR, email=f"{name}@example.com") for name in ("old", "new")
    )
    started(api.project, now - HOUR, email="open@example.com")

    ENDS[end](old, now - timedelta(seconds=61))
    ENDS[end](new, now - timedelta(seconds=40))

    assert ids(api) == [old.assessment_id]


def test_ends_come_in_their_order_and_those_at_one_moment_in_that_of_their_rows(
    api: Backend,
) -> None:
    last = left(api.project, AT + HOUR)
    together = [left(api.project, AT) for _ in range(3)]
    first = left(api.project, AT - timedelta(microseconds=1))

    assert ids(api) == [first, *together, last]


def test_whoever_follows_the_cursor_reads_each_once(api: Backend) -> None:
    expected = [left(api.project, AT + MINUTE * (number // 3)) for number in range(8)]
    found: list[str] = []
    fields: dict[str, Any] = {}

    for _ in range(4):
        records, cursor = read(api, limit=3, **fields)
        found += [record["AssessmentId"] for record in records]
        fields = {"cursor": cursor}
    expected.append(left(api.project, AT + HOUR))
    records, cursor = read(api, **fields)
    found += [record["AssessmentId"] for record in records]

    assert found == expected
    assert read(api, cursor=cursor) == ([], cursor)


def test_the_first_cursor_of_an_empty_project_leads_to_what_ends_later(api: Backend) -> None:
    left(ProjectFactory.create(), AT)

    records, cursor = read(api)
    ended = left(api.project, AT)

    assert records == []
    assert ids(api, cursor=cursor) == [ended]


def test_a_hundred_are_usual(api: Backend) -> None:
    student = StudentFactory.create(project=api.project)
    AssessmentFactory.create_batch(101, student=student, started_at=AT - HOUR, abandoned_at=AT)

    assert len(ids(api)) == 100
    assert len(ids(api, limit=1)) == 1
    assert len(ids(api, limit=200)) == 101


def test_erased_students_are_left_out_and_the_page_is_full_all_the_same(api: Backend) -> None:
    erased = left(api.project, AT)
    others = [left(api.project, AT + MINUTE * number) for number in (1, 2)]
    student = Assessment.objects.get(assessment_id=erased).student

    student.erase(actor="command:tests")

    assert ids(api, limit=2) == others


def test_reading_the_feed_is_reading_the_outcomes(api: Backend) -> None:
    attempt_id = left(api.project, AT)

    read(api)

    assert Assessment.objects.get(assessment_id=attempt_id).results_read_at is not None


def test_the_reference_is_that_of_the_link_that_started_the_attempt(api: Backend) -> None:
    now = timezone.now()
    first, _ = issue(api.project, now - 3 * HOUR, reference="first")
    held = "0" * 64
    attempt = use(first, held, at=now - 3 * HOUR)
    second, _ = issue(api.project, now - 2 * HOUR, reference="second")
    continued = use(second, held=held, at=now - 2 * HOUR)
    attempt.refresh_from_db()
    attempt.abandon(now - HOUR)

    [record], _ = read(api)

    assert continued.pk == attempt.pk
    assert AssessmentLink.objects.filter(assessment=attempt).count() == 2
    assert record["Reference"] == "first"


def test_a_cursor_that_is_not_ours_is_refused(api: Backend) -> None:
    ours = cursor_of(api.project.project_id, START)
    theirs = cursor_of(ProjectFactory.create().project_id, START)

    for cursor in (ours + "x", ours[1:], "x", "आशा:राव", theirs):
        response = api.post(FEED, api.body(FEED, cursor=cursor))

        assert_problem(response, 400, "invalid_request", [("cursor", "invalid")])


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        *(("limit", value, "invalid") for value in (0, 201, True, "10", 10.0, None)),
        ("cursor", "", "blank"),
        ("cursor", 17, "not_a_string"),
        ("cursor", "x" * 201, "too_long"),
    ],
)
def test_what_is_no_limit_or_cursor_is_refused(
    api: Backend, name: str, value: Any, code: str
) -> None:
    response = api.post(FEED, api.body(FEED, **{name: value}))

    assert_problem(response, 400, "invalid_request", [(name, code)])


def test_a_page_costs_a_fixed_number_of_queries(
    api: Backend, django_assert_max_num_queries: Any
) -> None:
    for _ in range(7):
        left(api.project, AT)
    read(api)  # notes that they were read

    with django_assert_max_num_queries(4):
        assert len(ids(api)) == 7
