"""A partner's backend: calls the two operations, and the one check of every failure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.test import Client, RequestFactory
from jsonschema import Draft202012Validator

from assessments.api.failures import CODES
from config import docs_views
from partners.models import Project
from tests.assessments.attempts import DETAILS
from tests.factories import issued_token
from tokens.models import AccessToken

LINK = "/partner/get-redirect-url"
RESULTS = "/partner/get-assessments-info"
CHECK = "/partner/check-credentials"
CANCEL = "/partner/cancel-links"
STATUS = "/partner/get-student-status"
DETAIL = "/partner/get-assessment-detail"
OUTCOME = "/partner/report-outcome"
FAILURES = "/partner/get-recent-failures"
FEED = "/partner/list-assessments"
OPERATIONS = (LINK, RESULTS)
# Of each operation beside the two, the members of a valid body other than projectId.
BESIDE = {
    CHECK: {},
    CANCEL: {"email": DETAILS["email"]},
    STATUS: {"email": DETAILS["email"]},
    FAILURES: {},
    FEED: {},
    DETAIL: {"AssessmentId": "asm_AAAAAAAAAAAAAAAA"},
    OUTCOME: {"email": DETAILS["email"], "CourseCode": "BOT", "Stage": "applied"},
}
# The answer to a valid call of a project without any student.
NO_STUDENT = {DETAIL: 404, OUTCOME: 404}
EVERY_OPERATION = (*OPERATIONS, *BESIDE)
PROBLEM = {"$ref": "#/components/schemas/Problem"}
# Codes whose detail depends on the call.
SAYING_WHAT_WAS_SEEN = {"invalid_request", "malformed_credentials", "method_not_allowed"}
SAYING_WHAT_WAS_SEEN |= {"missing_credentials", "not_found", "rate_limited"}
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


@dataclass(frozen=True)
class Backend:
    """A partner's program with the credential of one project."""

    project: Project
    credential: str

    @classmethod
    def of(cls, project):
        token, secret = issued_token(project)
        return cls(project, f"{token.token_id}:{secret}")

    @property
    def token(self):
        return AccessToken.objects.get(token_id=self.credential.partition(":")[0])

    def link_body(self, **fields):
        return {"projectId": self.project.project_id, **DETAILS, **fields}

    def results_body(self, **fields):
        return {"projectId": self.project.project_id, "email": DETAILS["email"], **fields}

    def body(self, path, **fields):
        if path in BESIDE:
            return {"projectId": self.project.project_id, **BESIDE[path], **fields}
        return self.link_body(**fields) if path == LINK else self.results_body(**fields)

    def post(self, path, body, method="POST", **extra):
        """Send a body: bytes as they are, anything else as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        extra = {"content_type": "application/json", "headers": {}, **extra}
        headers = {"X-Access-Token": self.credential, **extra.pop("headers")}
        headers = {name: value for name, value in headers.items() if value is not None}
        # generic: the client's own post would encode the body by the charset that is claimed
        return Client(raise_request_exception=False).generic(
            method, path, content, headers=headers, **extra
        )

    def read(self, path, **fields):
        """Make a call that succeeds. Return its answer, which is as the OpenAPI file says."""
        response = self.post(path, self.body(path, **fields))
        assert response.status_code == HTTPStatus.OK, response.content
        answer = json.loads(response.content)
        described = openapi()["paths"][path]["post"]["responses"]["200"]
        assert_valid(answer, described["content"]["application/json"]["schema"])
        return answer

    def link(self, **fields):
        return self.post(LINK, self.link_body(**fields))

    def results(self, **fields):
        return self.post(RESULTS, self.results_body(**fields))


def document():
    """Return the OpenAPI file, as it is served."""
    return json.loads(docs_views.openapi(RequestFactory().get("/openapi.json")).content)


@cache
def openapi():
    """Return the OpenAPI file, with the `nullable` of OpenAPI 3.0 written as JSON Schema does."""

    def as_json_schema(part):
        if isinstance(part, list):
            return [as_json_schema(each) for each in part]
        if not isinstance(part, dict):
            return part
        written = {name: as_json_schema(value) for name, value in part.items()}
        if written.pop("nullable", False):
            written["type"] = [written["type"], "null"]
        return written

    return as_json_schema(document())


def assert_valid(value, schema):
    whole = {**schema, "components": openapi()["components"]}
    formats = Draft202012Validator.FORMAT_CHECKER
    Draft202012Validator(whole, format_checker=formats).validate(value)


def assert_problem(response, status, code, errors=None, reason=""):
    """Assert the whole shape of a failure and return its body.

    `errors` are pairs of field and code; for a 400 they are required. `reason` is that of a 401.
    """
    body = json.loads(response.content)
    assert response.status_code == status, body
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Location" not in response.headers
    assert not [name for name in response.headers if name.startswith("Access-Control-")]
    assert REQUEST_ID.fullmatch(body["requestId"])
    assert response.headers["X-Request-ID"] == body["requestId"]
    assert body["type"] == f"{settings.APP_URL}/docs/#{code}"
    assert body["title"] == HTTPStatus(status).phrase
    assert body["status"] == status
    assert body["code"] == code
    if not reason and code not in SAYING_WHAT_WAS_SEEN:
        assert re.sub(r"\d+", "n", body["detail"]) == re.sub(r"\d+", "n", CODES[code].detail)
    assert body["detail"]
    assert_valid(body, PROBLEM)
    names = {"type", "title", "status", "detail", "code", "requestId"}
    if status == HTTPStatus.BAD_REQUEST and code == "invalid_request":
        names.add("errors")
        for error in body["errors"]:
            assert set(error) == {"field", "code", "detail"}
            assert error["detail"]
        found = [(error["field"], error["code"]) for error in body["errors"]]
        assert found == (errors if errors is not None else [("", "invalid")])
    if reason:
        names.add("reason")
        assert body["reason"] == reason
    assert set(body) == names
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        assert re.fullmatch(r"[1-9][0-9]*", response.headers["Retry-After"])
    if status == HTTPStatus.UNAUTHORIZED:
        assert response.headers["WWW-Authenticate"]
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        assert response.headers["Allow"] == "POST"
    return body
