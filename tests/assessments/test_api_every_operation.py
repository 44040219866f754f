"""All operations of the partner API: which fault answers first, who may call; and the check."""

import itertools
import json
import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db.models import Model
from django.utils import timezone

from assessments.api import urls
from assessments.models import AssessmentLink, RefusedCall, Student
from partners.times import rfc3339
from tests.assessments.partner import (
    CHECK,
    EVERY_OPERATION,
    NO_STUDENT,
    OPERATIONS,
    Backend,
    assert_problem,
    document,
)
from tests.factories import BY, CourseFactory, issued_token
from tests.support.rates import OPERATION_RATES
from tokens import crypto
from tokens.models import AccessToken

NO_PROJECT = "prj_AAAAAAAAAAAAAAAA"
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
# In the order in which they are made.
CHECKS = {
    "path": (404, "not_found"),
    "method": (405, "method_not_allowed"),
    "credential": (401, "invalid_credentials"),
    "limit": (429, "rate_limited"),
    "body": (400, "invalid_request"),
    "project": (401, "invalid_credentials"),
}

pytestmark = pytest.mark.django_db


@pytest.fixture(params=EVERY_OPERATION, ids=lambda path: path.rpartition("/")[2])
def path(request):
    return request.param


def test_every_operation_has_its_row_in_the_tables():
    assert {f"/partner/{pattern.name}" for pattern in urls.urlpatterns} == set(EVERY_OPERATION)


@pytest.mark.parametrize(
    "faults",
    [chosen for size in range(3) for chosen in itertools.combinations(CHECKS, size)],
    ids=lambda faults: "+".join(faults) or "none",
)
def test_the_first_fault_answers(api, faults, settings, rows):
    if "limit" in faults:
        for setting in OPERATION_RATES:
            setattr(settings, setting, 1)
    method, secret = "PUT" if "method" in faults else "POST", crypto.new_secret()
    headers = {"X-Access-Token": f"{api.token}:{secret}"} if "credential" in faults else {}
    for path in EVERY_OPERATION:
        caches["limits"].clear()
        body = api.body(path)
        if "limit" in faults:
            api.post(path, body)
        if {"project", "body"} & {*faults}:
            body["projectId"] = 5 if "body" in faults else NO_PROJECT
        before = rows(Student, AssessmentLink)

        response = api.post(path + "/" * ("path" in faults), body, method, headers=headers)

        if not faults:
            assert response.status_code == NO_STUDENT.get(path, 200)
            continue
        errors = [("projectId", "not_a_string")] if faults[0] == "body" else None
        reason = "wrong_project" if faults[0] == "project" else ""
        assert_problem(response, *CHECKS[faults[0]], errors, reason)
        assert rows(Student, AssessmentLink) == before


@pytest.mark.parametrize("header", [{}, {"X-Access-Token": None}], ids=["token", "no token"])
def test_another_method_is_a_405_with_allow(api, path, header):
    for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LINK"):
        assert_problem(api.post(path, b"", method, headers=header), 405, "method_not_allowed")
    head = api.post(path, b"", "HEAD", headers=header)  # its answer has no body
    assert (head.status_code, head.headers["Allow"]) == (405, "POST")


def test_every_answer_is_json_that_nobody_caches_and_no_browser_script_may_read(api, path):
    for accept in ("*/*", "application/xml", "", "*/*;q=0"):
        headers = {"Accept": accept, "Origin": "https://a.example", "X-Request-ID": "crm-7f.2026_1"}
        good, bad = (api.post(path, body, headers=headers) for body in (api.body(path), {}))

        assert (good.status_code, bad.status_code) == (NO_STUDENT.get(path, 200), 400)
        for response in (good, bad):
            assert response.headers["Content-Type"] == "application/json"
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["X-Request-ID"] == "crm-7f.2026_1"
            assert "Access-Control-" not in str(response.headers)
        assert json.loads(bad.content)["requestId"] == "crm-7f.2026_1"


def refused_credentials(project):
    """Return a token and its right secret for each reason to refuse it."""
    revoked, rotated = issued_token(project), issued_token(project)
    revoked[0].revoke(by=BY)
    rotated[0].rotate(overlap=timedelta(0), by=BY)
    expired = issued_token(project, expires_in=HOUR, at=timezone.now() - HOUR)
    return {"revoked": revoked, "expired": expired, "rotated": rotated}


def comparable(response, *apart):
    """Return all of an answer but its request id and some headers."""
    names = {"X-Request-ID", *apart}
    headers = {name: value for name, value in response.headers.items() if name not in names}
    return repr((response.status_code, json.loads(response.content) | {"requestId": ""}, headers))


@pytest.mark.sqlite
def test_without_the_right_secret_every_refusal_is_the_same(
    project, api, other_project, failure_log, path
):
    """And is not kept in the failures log, which a partner can read."""
    refused, live, wrong = refused_credentials(project), api.token, crypto.new_secret()
    other, secret = issued_token(other_project)
    credentials = [
        f"tok_{'A' * 16}:{wrong}",
        f"{live}:{wrong}",
        f"{live}:{refused['revoked'][1]}",
        f"{live}:{secret}",
        f"{other}:{api.credential.partition(':')[2]}",
        *(f"{token}:{crypto.new_secret()}" for token, _ in refused.values()),
    ]

    answers = [Backend(project, each).post(path, api.body(path)) for each in credentials]
    project.close(by=BY)
    answers.append(Backend(project, f"{live}:{wrong}").post(path, api.body(path)))

    assert_problem(answers[0], 401, "invalid_credentials")  # without a reason
    assert len({comparable(answer) for answer in answers}) == 1
    failure_log.write()
    assert not Student.objects.exists()
    assert not RefusedCall.objects.exists()


@pytest.mark.sqlite
def test_with_the_right_secret_a_refusal_has_its_reason(project, api, path):
    for reason, (token, secret) in refused_credentials(project).items():
        response = Backend(project, f"{token}:{secret}").post(path, api.body(path))
        assert_problem(response, 401, "invalid_credentials", reason=reason)
        assert not {"RateLimit", "RateLimit-Policy", "X-Token-Ends"} & set(response.headers)
    project.close(by=BY)

    response = api.post(path, api.body(path))

    assert_problem(response, 401, "invalid_credentials", reason="project_closed")
    assert not Student.objects.exists()


def test_another_projects_id_is_refused_like_one_that_does_not_exist(api, other_project, path):
    ids = [other_project.project_id, NO_PROJECT, "' OR 1=1"]

    answers = [api.post(path, api.body(path, projectId=each)) for each in ids]

    assert_problem(answers[0], 401, "invalid_credentials", reason="wrong_project")
    assert len({comparable(answer, "RateLimit") for answer in answers}) == 1


@pytest.mark.sqlite
def test_counted_answers_say_what_is_left_of_the_limit(api, path, settings):
    for setting in OPERATION_RATES:
        setattr(settings, setting, 2)
    name = path.rpartition("/")[2] if path in OPERATIONS else "other-operations"

    answers = [api.post(path, body) for body in (api.body(path), b"{", api.body(path))]

    assert [answer.status_code for answer in answers] == [NO_STUDENT.get(path, 200), 400, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {f'"{name}";q=2;w=60'}
    left = [answer.headers["RateLimit"].rpartition(";t=") for answer in answers]
    assert [policy for policy, _, _ in left] == [f'"{name}";r={n}' for n in (1, 0, 0)]
    assert all(1 <= int(seconds) <= 60 for _, _, seconds in left)
    wait = answers[2].headers["Retry-After"]
    assert f" {wait} s." in assert_problem(answers[2], 429, "rate_limited")["detail"]


def test_no_column_of_token_or_project_is_read_by_a_query_of_its_own(api, path, monkeypatch):
    monkeypatch.delattr(Model, "refresh_from_db")  # which reads a deferred column

    assert api.post(path, api.body(path)).status_code == NO_STUDENT.get(path, 200)


def test_the_documented_limit_is_the_one_that_holds(api, path):
    answer = api.post(path, api.body(path))

    [allowed] = re.findall(r";q=([0-9]+);", answer.headers["RateLimit-Policy"])
    described = document()["paths"][path]["post"]["description"]
    assert f"A project may make {allowed} calls a minute" in described


def test_a_call_for_another_project_counts_against_the_tokens_own(api, other_project):
    api.project.link_rate_per_minute = 2
    api.project.save()

    statuses = [api.link(projectId=other_project.project_id).status_code for _ in range(3)]

    assert statuses == [401, 401, 429]
    assert not AssessmentLink.objects.exists()


@pytest.mark.sqlite
def test_answers_for_a_rotated_token_say_when_it_ends(api, path):
    before, at = api.post(path, api.body(path)), timezone.now()
    api.token.rotate(overlap=WEEK, at=at, by=BY)

    good, bad = api.post(path, api.body(path)), api.post(path, b"{")

    assert "X-Token-Ends" not in before.headers
    assert good.headers["X-Token-Ends"] == bad.headers["X-Token-Ends"] == rfc3339(at + WEEK)


def test_answers_say_when_a_token_expires_if_that_is_within_two_weeks(api, path):
    for days in (13, 15):
        expires_at = timezone.now() + days * DAY
        AccessToken.objects.update(expires_at=expires_at)
        is_said = days < 14 or "check-credentials" in path
        said = rfc3339(expires_at) if is_said else None
        assert api.post(path, api.body(path)).headers.get("X-Token-Ends") == said


@pytest.mark.sqlite
def test_it_answers_with_the_tokens_dates_and_the_projects_settings(project):
    project.link_rate_per_minute, project.start_by_minutes = 17, 90
    project.retention_months = 6
    project.save()
    CourseFactory.create_batch(3, project=project)
    CourseFactory.create(project=project, is_active=False)
    CourseFactory.create(project=project, entry_level="degree")
    api, at, week = Backend.of(project), timezone.now(), timedelta(days=7)
    settings = {
        "Project": project.name,
        "TokenLabel": api.token.label,
        "TokenExpiresAt": None,
        "RotatedAt": None,
        "LinksPerMinute": 17,
        "ResultsPerMinute": 600,
        "StartByMinutes": 90,
        "FinishByHours": 24,
        "RetentionMonths": 6,
        "ActiveCourses": 3,
        "Test": False,
    }

    assert api.read(CHECK) == settings

    api.token.rotate(overlap=week, at=at, by=BY)

    rotated = {"RotatedAt": rfc3339(at), "TokenExpiresAt": rfc3339(at + week)}
    assert api.read(CHECK) == {**settings, **rotated}
