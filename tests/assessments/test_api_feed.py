"""list-assessments: all that ended, in order, each once for a caller who keeps the cursor."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from assessments.api.ended_attempts import cursor_of
from assessments.models import AssessmentLink, Attempt, feed
from assessments.models.ended import database_now
from assessments.models.feed import START, shown_until
from config import metrics
from partners.times import rfc3339
from tests.assessments.attempts import completed, issue, marked_completed, started, use
from tests.assessments.partner import FEED, RESULTS, assert_problem
from tests.factories import BY, AttemptFactory, CourseFactory, StudentFactory

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
YEARS_LATER = AT + timedelta(days=3650)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]
real_transactions = pytest.mark.django_db(transaction=True)
needs_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer, which nobody overtakes"
)


def ids(api, **fields):
    return [record["AssessmentId"] for record in api.read(FEED, **fields)["Assessments"]]


def left(project, at):
    student = StudentFactory.create(project=project)
    attempt = AttemptFactory.create(student=student, started_at=at - HOUR, abandoned_at=at)
    return attempt.assessment_id


@pytest.mark.sqlite
def test_a_record_is_that_of_the_results_with_student_reference_and_end(api):
    CourseFactory.create_batch(3, project=api.project)
    link, _ = issue(api.project, AT, reference="applicant-4711", email="Asha.Rao@example.com")
    attempt = completed(use(link, at=AT), at=AT + HOUR)

    answer = api.read(FEED)

    attempt.refresh_from_db()
    assert attempt.results_read_at is not None
    [record], [four] = answer["Assessments"], api.read(RESULTS)
    assert list(answer) == ["Assessments", "NextCursor"]
    assert list(record.items()) == [
        *four.items(),
        ("Email", "Asha.Rao@example.com"),
        ("Reference", "applicant-4711"),
        ("EndedAt", rfc3339(AT + HOUR)),
    ]
    assert len(record["Recommendations"]) == 3


def test_the_reference_is_that_of_the_link_that_started_the_attempt(api):
    now, held = timezone.now(), "0" * 64
    first, _ = issue(api.project, now - 3 * HOUR, reference="first")
    attempt = use(first, held, at=now - 3 * HOUR)
    second, _ = issue(api.project, now - 2 * HOUR, reference="second")
    use(second, held=[held], at=now - 2 * HOUR).abandon(now - HOUR)

    [record] = api.read(FEED)["Assessments"]

    assert AssessmentLink.objects.filter(attempt=attempt).count() == 2
    assert record["Reference"] == "first"


ENDS = {
    "completed": marked_completed,
    "left": lambda attempt, at: attempt.abandon(at),
    "closed": lambda attempt, at: attempt.close(at=at, by=BY),
    "late": lambda attempt, at: Attempt.objects.filter(pk=attempt.pk).update(finish_by_at=at),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("end", ENDS)
def test_an_end_appears_a_minute_later(api, end):
    now = timezone.now()
    old, new, _ = (
        started(api.project, now - HOUR, email=f"{name}@example.com")
        for name in ("old", "new", "open")
    )

    ENDS[end](old, now - 61 * SECOND)
    ENDS[end](new, now - 40 * SECOND)

    assert ids(api) == [old.assessment_id]


@pytest.mark.sqlite
def test_a_caller_who_follows_the_cursor_reads_each_once_in_the_order_of_ends_and_rows(
    api, other_project
):
    left(other_project, AT)
    first_cursor = api.read(FEED)["NextCursor"]
    last, together = left(api.project, AT + HOUR), [left(api.project, AT) for _ in range(7)]
    expected = [left(api.project, AT - timedelta(microseconds=1)), *together, last]
    found, fields = [], {"cursor": first_cursor}

    for _ in range(4):
        answer = api.read(FEED, limit=3, **fields)
        found += [record["AssessmentId"] for record in answer["Assessments"]]
        fields = {"cursor": answer["NextCursor"]}

    assert found == expected == ids(api)
    assert answer == {"Assessments": [], "NextCursor": answer["NextCursor"]}
    later = left(api.project, AT + HOUR)
    assert ids(api, **fields) == [later]


@pytest.mark.sqlite
def test_a_page_has_a_hundred_unless_asked_otherwise_and_no_erased_students(api):
    erased = left(api.project, AT - HOUR)
    Attempt.objects.get(assessment_id=erased).student.erase(by=BY)
    student = StudentFactory.create(project=api.project)
    AttemptFactory.create_batch(101, student=student, started_at=AT - HOUR, abandoned_at=AT)

    assert [len(ids(api, **each)) for each in ({}, {"limit": 1}, {"limit": 200})] == [100, 1, 101]
    assert erased not in ids(api)


@pytest.mark.sqlite
def test_a_cursor_that_is_not_ours_and_what_is_no_limit_are_refused(api, other_project):
    ours, theirs = (cursor_of(each.project_id, START) for each in (api.project, other_project))
    wrong = [("cursor", value) for value in (ours + "x", ours[1:], "x", "आशा:राव", theirs)]
    for field, value in [*wrong, *(("limit", value) for value in (0, 201, True, "10", 10.0))]:
        response = api.post(FEED, api.body(FEED, **{field: value}))
        assert_problem(response, 400, "invalid_request", [(field, "invalid")])


@pytest.mark.sqlite
def test_a_cursor_is_taken_under_either_name_but_not_under_both(api):
    first, last = left(api.project, AT), left(api.project, AT + HOUR)
    cursor = api.read(FEED, limit=1)["NextCursor"]

    for fields in (
        {"cursor": cursor},
        {"NextCursor": cursor},
        {"NextCursor": cursor, "cursor": None},
    ):
        assert ids(api, **fields) == [last]
    for fields in ({}, {"cursor": None}, {"cursor": None, "NextCursor": None, "limit": None}):
        assert ids(api, **fields) == [first, last]
    both = api.post(FEED, api.body(FEED, cursor=cursor, NextCursor=cursor))
    assert_problem(both, 400, "invalid_request", [("NextCursor", "invalid")])
    broken = api.post(FEED, api.body(FEED, NextCursor=cursor[1:]))
    assert_problem(broken, 400, "invalid_request", [("NextCursor", "invalid")])


def test_a_page_costs_a_fixed_number_of_queries(api, django_assert_max_num_queries):
    for _ in range(7):
        left(api.project, AT)
    ids(api)  # notes that they were read

    with django_assert_max_num_queries(4):
        assert len(ids(api)) == 7


@contextmanager
def another_session(statement):
    """Run a statement in a transaction of its own that stays open; give its row."""
    with psycopg.connect(**connection.get_connection_params() | {"context": None}) as other:
        yield other.execute(statement).fetchone()
        other.rollback()


@pytest.mark.sqlite
@real_transactions
def test_the_last_minute_is_held_back():
    assert shown_until(AT) == AT - MINUTE
    assert 59 < (database_now(timezone.now()) - shown_until()).total_seconds() < 61


@needs_postgresql
@real_transactions
def test_an_open_transaction_that_has_written_holds_back_what_began_30_seconds_before_it():
    with another_session("SELECT now(), pg_current_xact_id()") as row:
        soon, later = (shown_until(row[0] + HOUR), shown_until(YEARS_LATER))
    assert soon == later == row[0] - 30 * SECOND
    assert shown_until(YEARS_LATER) == YEARS_LATER - MINUTE
    with another_session("SELECT now()"):  # which only reads
        assert shown_until(YEARS_LATER) == YEARS_LATER - MINUTE


@needs_postgresql
@real_transactions
def test_the_metric_grows_while_a_transaction_that_has_written_stays_open(monkeypatch):
    def seconds_behind():
        [behind] = [each for each in metrics.states() if each.name == "assess_feed_behind_seconds"]
        return behind.samples[0].value

    monkeypatch.setattr(feed, "HELD_BACK", 10 * SECOND)
    alone = seconds_behind()
    with another_session("SELECT pg_current_xact_id()"):
        held = seconds_behind()

    assert 9 < alone < 25
    assert 29 < held < 45
