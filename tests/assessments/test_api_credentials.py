"""Who may call: every other credential gets one and the same 401."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from assessments.models import AssessmentLink, Student
from partners.models import Project
from tests.assessments.partner import OPERATIONS, Backend, assert_problem
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


def wrong_credentials(project: Project) -> dict[str, str]:
    """Return a credential for each reason to refuse one."""

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
    live, _ = issued_token(project)
    return {
        "unknown": f"{TOKEN_ID}:{crypto.new_secret()}",
        "wrong secret": pair(live, crypto.new_secret()),
        "another's secret": pair(live, revoked_secret),
        "revoked": pair(revoked, revoked_secret),
        "expired": pair(expired, expired_secret),
        "rotated": pair(rotated, rotated_secret),
    }


@pytest.mark.parametrize("path", OPERATIONS)
def test_every_refused_credential_gets_the_same_answer(
    project: Project, other_project: Project, path: str
) -> None:
    """A2, A3: also another project's id and an unknown one, and a closed project."""
    backend, other = Backend.of(project), Backend.of(other_project)
    answers = {
        cause: same_answer(Backend(project, credential).post(path, backend.body(path)))
        for cause, credential in wrong_credentials(project).items()
    }
    answers["other project's id"] = same_answer(backend.post(path, other.body(path)))
    answers["unknown id"] = same_answer(
        backend.post(path, backend.body(path, projectId="prj_AAAAAAAAAAAAAAAA"))
    )
    answers["odd id"] = same_answer(backend.post(path, backend.body(path, projectId="' OR 1=1")))
    answers["other project's token"] = same_answer(other.post(path, backend.body(path)))
    project.close(actor=COMMAND)
    answers["closed"] = same_answer(backend.post(path, backend.body(path)))

    assert len(answers) == 11
    assert len({repr(answer) for answer in answers.values()}) == 1, answers
    status, body, _, _ = answers["unknown"]
    assert (status, body["code"]) == (401, "invalid_credentials")  # type: ignore[index]
    assert not Student.objects.exists()
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize("credential", [None, ""])
def test_a_missing_header_says_so(backend: Backend, path: str, credential: str | None) -> None:
    response = backend.post(path, backend.body(path), headers={"X-Access-Token": credential})

    body = assert_problem(response, 401, "missing_credentials")
    assert "X-Access-Token" in body["detail"]


SECRET = crypto.new_secret()
# Each shape is in tests/tokens/test_crypto.py.
MALFORMED = [
    "x",
    f"{TOKEN_ID}:{SECRET[:-1]}",
    f"{TOKEN_ID}:{SECRET[:-1]}{'a' if SECRET[-1] != 'a' else 'b'}",
    f"{TOKEN_ID}\0:{SECRET}",
    "x" * 8192,
]


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize("credential", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_header_says_so(backend: Backend, path: str, credential: str) -> None:
    """A1: a cut-off paste is the commonest mistake at onboarding."""
    body = json.dumps(backend.body(path)).encode()

    response = backend.post(path, body, headers={"X-Access-Token": credential})

    assert_problem(response, 401, "malformed_credentials")


def test_a_revoked_token_stops_at_once(backend: Backend) -> None:
    assert backend.link().status_code == 200

    backend.token.revoke(actor=COMMAND)

    assert_problem(backend.link(), 401, "invalid_credentials")
    assert AssessmentLink.objects.count() == 1
