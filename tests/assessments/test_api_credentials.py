"""Who may call: every other credential gets one and the same 401."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from assessments.models import AssessmentLink, Student
from partners.models import Project
from tests.assessments.partner import EVERY_OPERATION, Backend, assert_problem
from tests.factories import issued_token
from tokens import crypto
from tokens.models import AccessToken

COMMAND = "command:tests"
TOKEN_ID = f"tok_{'A' * 16}"

pytestmark = pytest.mark.django_db


def same_answer(response: HttpResponse) -> tuple[object, ...]:
    """Return all of an answer but its request id."""
    body = json.loads(response.content)
    headers = {name: value for name, value in response.headers.items() if name != "X-Request-ID"}
    request_id = body.pop("requestId")
    length = len(response.content) - len(request_id)
    headers.pop("Content-Length", None)
    return response.status_code, body, headers, length


def refused_credentials(project: Project) -> dict[str, str]:
    """Return a credential with the right secret for each reason to refuse one."""

    def pair(token: AccessToken, secret: str) -> str:
        return f"{token.token_id}:{secret}"

    now = timezone.now()
    revoked, revoked_secret = issued_token(project)
    revoked.revoke(actor=COMMAND)
    expired, expired_secret = issued_token(
        project, expires_in=timedelta(hours=1), at=now - timedelta(hours=1)
    )
    rotated, rotated_secret = issued_token(project)
    rotated.rotate(overlap=timedelta(0), actor=COMMAND)
    return {
        "revoked": pair(revoked, revoked_secret),
        "expired": pair(expired, expired_secret),
        "rotated": pair(rotated, rotated_secret),
    }


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_without_the_right_secret_every_refusal_is_the_same(project: Project, path: str) -> None:
    """A2, A3: also of a token that is revoked, expired, rotated or of a closed project."""
    api = Backend.of(project)
    refused = refused_credentials(project)
    another = refused["revoked"].partition(":")[2]
    live = api.credential.partition(":")[0]

    def answer_to(credential: str) -> tuple[object, ...]:
        return same_answer(Backend(project, credential).post(path, api.body(path)))

    answers = {
        "unknown": answer_to(f"{TOKEN_ID}:{crypto.new_secret()}"),
        "wrong secret": answer_to(f"{live}:{crypto.new_secret()}"),
        "another's secret": answer_to(f"{live}:{another}"),
    }
    for cause, credential in refused.items():
        answers[cause] = answer_to(f"{credential.partition(':')[0]}:{crypto.new_secret()}")
    project.close(actor=COMMAND)
    answers["closed"] = answer_to(f"{live}:{crypto.new_secret()}")

    assert len(answers) == 7
    assert len({repr(answer) for answer in answers.values()}) == 1, answers
    status, body, _, _ = answers["unknown"]
    assert (status, body["code"]) == (401, "invalid_credentials")  # type: ignore[index]
    assert "reason" not in body  # type: ignore[operator]
    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_with_the_right_secret_a_refusal_says_why(project: Project, path: str) -> None:
    for reason, credential in refused_credentials(project).items():
        response = Backend(project, credential).post(path, Backend.of(project).body(path))
        assert_problem(response, 401, "invalid_credentials", reason=reason)
    api = Backend.of(project)
    project.close(actor=COMMAND)

    response = api.post(path, api.body(path))

    assert_problem(response, 401, "invalid_credentials", reason="project_closed")
    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_any_other_project_id_is_the_wrong_one_whether_it_exists_or_not(
    api: Backend, other_project: Project, path: str
) -> None:
    ids = [other_project.project_id, "prj_AAAAAAAAAAAAAAAA", "' OR 1=1"]

    answers = [api.post(path, api.body(path, projectId=project_id)) for project_id in ids]

    for answer in answers:
        assert_problem(answer, 401, "invalid_credentials", reason="wrong_project")
    assert len({without_the_limit(answer) for answer in answers}) == 1


def without_the_limit(response: HttpResponse) -> str:
    """Return all of an answer but its request id and how much of the limit is left."""
    status, body, headers, length = same_answer(response)
    headers.pop("RateLimit")  # type: ignore[attr-defined]
    return repr((status, body, headers, length))


@pytest.mark.parametrize("path", EVERY_OPERATION)
@pytest.mark.parametrize("credential", [None, ""])
def test_a_missing_header_says_so(api: Backend, path: str, credential: str | None) -> None:
    response = api.post(path, api.body(path), headers={"X-Access-Token": credential})

    body = assert_problem(response, 401, "missing_credentials")
    assert "X-Access-Token" in body["detail"]


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_malformed_header_says_so(api: Backend, path: str) -> None:
    """A1: a cut-off paste is the commonest mistake at onboarding.

    Each shape is in tests/tokens/test_crypto.py.
    """
    headers = {"X-Access-Token": api.credential[:-1]}

    response = api.post(path, api.body(path), headers=headers)

    assert_problem(response, 401, "malformed_credentials")
