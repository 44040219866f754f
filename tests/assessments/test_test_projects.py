"""Test projects: their tokens, magic addresses and pages; in no figures, and soon deleted."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from assessments.made_up import magic_addresses
from assessments.models import Answer, Attempt, Student
from config.logging import filter_request
from tests.assessments.attempts import purge
from tests.assessments.partner import DETAIL, LINK, RESULTS, STATUS, Backend, assert_problem
from tests.factories import CourseFactory, ProjectFactory
from tests.support.commands import run
from tests.support.threads import race

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def sandbox(bank):
    project = ProjectFactory.create(is_test=True)
    CourseFactory.create_batch(6, project=project)
    return project


@pytest.fixture
def tests(sandbox):
    return Backend.of(sandbox)


def ask(api, **fields):
    url = api.read(LINK, **fields)["redirect-url"]
    return url.removeprefix("http://testserver")


@pytest.mark.parametrize(
    ("name", "state", "advice", "statuses"),
    [
        ("completed", "started", "completed-unread", ["Completed"]),
        ("abandoned", "started", "left", ["Abandoned"]),
        ("inprogress", "started", "in-progress", ["InProgress"]),
        ("loweffort", "started", "completed-unread", ["Completed"]),
        ("expired", "expired", "expired-unopened", []),
    ],
)
def test_a_magic_address_brings_its_state_about_at_once(tests, name, state, advice, statuses):
    email = f"{name.title()}@Example.com"

    link = tests.link(email=email)

    assert list(json.loads(link.content)) == ["redirect-url"]
    found = tests.read(STATUS, email=email)
    [shown] = found["Links"]
    assert shown["LinkId"] == link.headers["X-Link-Id"]
    assert (shown["State"], shown["Advice"]) == (state, advice)
    assert [each["Status"] for each in found["Assessments"]] == statuses
    assert not Answer.objects.filter(answered_at__gt=timezone.now()).exists()


@pytest.mark.parametrize(("name", "effort"), [("completed", "ok"), ("loweffort", "low")])
def test_its_result_is_a_real_one(tests, name, effort):
    before = timezone.now()
    tests.link(email=f"{name}@example.com")

    [record] = tests.read(RESULTS, email=f"{name}@example.com")

    attempt, courses = Attempt.objects.get(), tests.project.courses
    assert set(record["Recommendations"]) <= set(courses.values_list("name", flat=True))
    assert len(record["Recommendations"]) >= 3
    assert tests.read(DETAIL, AssessmentId=record["AssessmentId"])["Effort"] == effort
    assert attempt.completed_at is not None
    assert attempt.completed_at >= before
    assert attempt.read_answers().answered_count == attempt.cached_bank.layout.total
    run("rescore", attempt.assessment_id)


@pytest.mark.sqlite
def test_simulated_refusals_are_the_usual_ones_and_make_nothing(tests, caplog):
    limited = tests.link(email="ratelimited@example.com")
    failed = tests.link(email="error@example.com")

    assert_problem(limited, 429, "rate_limited")
    assert limited.headers["Retry-After"] == "60"
    assert limited.headers["RateLimit"] == '"get-redirect-url";r=0;t=60'
    assert "support" in assert_problem(failed, 500, "internal_error")["detail"]
    assert failed.headers["Retry-After"] == "2"
    assert not Student.objects.exists()
    # It is no error in the log.
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert not filter_request(record)
    record.request.META.pop("assess.is_simulated")  # type: ignore[attr-defined]
    assert filter_request(record)


def test_beyond_a_number_of_attempts_it_is_a_429_until_the_first_is_a_day_old(tests, monkeypatch):
    monkeypatch.setattr(magic_addresses, "MAX_A_DAY", 2)
    statuses = [tests.link(email="abandoned@example.com").status_code for _ in range(3)]
    refused = tests.link(email="completed@example.com")
    ordinary = tests.link(email="expired@example.com")
    Attempt.objects.update(started_at=timezone.now() - DAY - HOUR)
    again = tests.link(email="completed@example.com")

    assert statuses == [200, 200, 429]
    assert_problem(refused, 429, "rate_limited")
    assert 23 * 3600 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert (ordinary.status_code, again.status_code) == (200, 200)


@pytest.mark.django_db(transaction=True)
def test_calls_at_once_do_not_pass_the_limit_of_a_day(sandbox, monkeypatch):
    monkeypatch.setattr(magic_addresses, "MAX_A_DAY", 1)
    callers = [Backend.of(sandbox) for _ in range(4)]

    answers = race([partial(each.link, email="abandoned@example.com") for each in callers])

    assert sorted(each.status_code for each in answers) == [200, 429, 429, 429]
    assert Attempt.objects.count() == 1


def test_test_rows_go_after_seven_days_and_live_ones_stay(tests, api):
    for address in ("completed@example.com", "inprogress@example.com", "expired@example.com"):
        ask(tests, email=address)
    ask(tests)
    ask(api)
    at = timezone.now()

    early, late = purge(at + 3 * DAY), purge(at + 7 * DAY)

    gone = {"unused links": 2, "attempts": 2, "students": 4}
    assert (early, late) == ({}, {tests.project.project_id: gone})
    assert Student.objects.get().project == api.project
