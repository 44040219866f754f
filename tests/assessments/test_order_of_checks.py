"""Path, method, credential, limit, body, project: of several faults the first one answers."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from assessments.models import AssessmentLink, Student
from partners.models import Project
from tests.assessments.partner import EVERY_OPERATION, NO_STUDENT, Backend, assert_problem
from tests.factories import ProjectFactory
from tests.support.rates import OPERATION_RATES
from tokens import crypto

# of each check: what is right, and what is wrong with it
WRONG_PATHS = ["{path}/", "{path}x", "/partner", "/partner/", "/partner//", "/partner/x.json"]
WRONG_METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LINK"]
CHECKS = ("path", "method", "credential", "limit", "body", "project")
EXPECTED = {
    "path": (404, "not_found"),
    "method": (405, "method_not_allowed"),
    "credential": (401, "invalid_credentials"),
    "limit": (429, "rate_limited"),
    "body": (400, "invalid_request"),
    "project": (401, "invalid_credentials"),
}

pytestmark = pytest.mark.django_db


@dataclass
class Call:
    """A call in which each check can be made to fail."""

    api: Backend
    path: str
    settings: Settings

    def send(self, faults: frozenset[str]) -> HttpResponse:
        credential = self.api.credential
        if "limit" in faults:
            for setting in OPERATION_RATES:
                setattr(self.settings, setting, 1)
            self.api.post(self.path, self.api.body(self.path))
        if "credential" in faults:
            credential = f"{credential.partition(':')[0]}:{crypto.new_secret()}"
        body: Any = self.api.body(self.path)
        if "project" in faults:
            body["projectId"] = "prj_AAAAAAAAAAAAAAAA"
        if "body" in faults:
            body["projectId"] = 5
        return Client().generic(
            "PUT" if "method" in faults else "POST",
            f"{self.path}/" if "path" in faults else self.path,
            data=json.dumps(body),
            content_type="application/json",
            headers={"X-Access-Token": credential},
        )


@pytest.mark.parametrize("path", EVERY_OPERATION)
@pytest.mark.parametrize(
    "faults",
    [frozenset(chosen) for size in range(3) for chosen in itertools.combinations(CHECKS, size)],
    ids=lambda faults: "+".join(check for check in CHECKS if check in faults) or "none",
)
def test_the_first_fault_answers(
    api: Backend, path: str, faults: frozenset[str], settings: Settings
) -> None:
    call = Call(api, path, settings)

    response = call.send(faults)

    if not faults:
        assert response.status_code == NO_STUDENT.get(path, 200)
        return
    first = next(check for check in CHECKS if check in faults)
    errors = [("projectId", "not_a_string")] if first == "body" else None
    reason = "wrong_project" if first == "project" else ""
    assert_problem(response, *EXPECTED[first], errors, reason)
    if "limit" not in faults:
        assert not Student.objects.exists()


@pytest.mark.parametrize("template", WRONG_PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "DELETE"])
@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_wrong_path_is_a_404_for_every_method(
    api: Backend, path: str, method: str, template: str
) -> None:
    """A9: also with a good credential and body; never a redirect."""
    response = Client().generic(
        method, template.format(path=path), headers={"X-Access-Token": api.credential}
    )

    assert_problem(response, 404, "not_found")


@pytest.mark.parametrize("method", WRONG_METHODS)
@pytest.mark.parametrize("path", EVERY_OPERATION)
@pytest.mark.parametrize("credential", [True, False])
def test_a_wrong_method_is_a_405_with_allow(
    api: Backend, path: str, method: str, credential: bool
) -> None:
    headers = {"X-Access-Token": api.credential} if credential else {}

    response = Client().generic(method, path, headers=headers)

    if method == "HEAD":
        assert response.status_code == 405
        assert response.headers["Allow"] == "POST"
        return
    assert_problem(response, 405, "method_not_allowed")


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_cross_origin_call_gets_no_permission_to_read(api: Backend, path: str) -> None:
    response = api.post(path, api.body(path), headers={"Origin": "https://crm.example"})

    assert response.status_code == NO_STUDENT.get(path, 200)
    assert not [name for name in response.headers if name.startswith("Access-Control-")]


def test_a_refused_project_costs_the_limit_of_the_token_s_own(api: Backend) -> None:
    """The limit is counted before the body is looked at."""
    api.project.link_rate_per_minute = 2
    api.project.save()
    stranger: Project = ProjectFactory.create()

    statuses = [api.link(projectId=stranger.project_id).status_code for _ in range(3)]

    assert statuses == [401, 401, 429]
    assert not AssessmentLink.objects.exists()
