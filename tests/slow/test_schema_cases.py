"""Calls made up from the OpenAPI file, with a good credential, a wrong one and none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.slow import schema_cases
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tokens import crypto

pytestmark = pytest.mark.slow

PHASES = ["examples", "coverage", "fuzzing", "stateful"]


@pytest.fixture(scope="module")
def issued(service: Service) -> dict[str, Any]:
    """Give the ids and the credential of a test project, with one completed assessment."""
    return onboarded(service, "Schemathesis", "--test")


def onboarded(service: Service, partner: str, *options: str) -> dict[str, Any]:
    printed = service.manage("onboard_partner", partner, "--project", "Cases", *options, "--json")
    given: dict[str, Any] = json.loads(printed)
    return given


def known_to(service: Service, issued: dict[str, Any]) -> dict[str, str]:
    """Return the values that only this project's own answers give."""
    caller = PartnerBackend.from_onboarding(service.url, json.dumps(issued))
    email = "completed@example.com"
    caller.redirect_url(Applicant("Asha Rao", email, "+91 98765 43210"))
    return {
        "projectId": issued["projectId"],
        "cursor": caller.call("list-assessments", {})["NextCursor"],
        "AssessmentId": caller.assessments(email)[0]["AssessmentId"],
    }


def test_the_service_does_what_its_openapi_file_says(
    service: Service, issued: dict[str, Any], tmp_path: Path, times: int
) -> None:
    """A8, S-1."""
    report = schema_cases.run(
        service.url,
        tmp_path,
        known=known_to(service, issued),
        credential=f"{issued['TokenId']}:{issued['TokenSecret']}",
        examples=50 * times,
        chains=15 * times,
    )

    print(f"{report.cases} cases, seed {schema_cases.SEED}")
    assert not report.failures, report.text
    assert dict.fromkeys(PHASES, "success") == report.phases, report.text
    assert report.cases >= 200 * times
    assert report.accepted >= 60


@pytest.mark.parametrize("credential", ["none", "wrong"])
def test_without_a_good_credential_nothing_is_accepted(
    service: Service, issued: dict[str, Any], tmp_path: Path, times: int, credential: str
) -> None:
    report = schema_cases.run(
        service.url,
        tmp_path,
        known={"projectId": issued["projectId"]},
        credential=f"{issued['TokenId']}:{crypto.new_secret()}" if credential == "wrong" else "",
        examples=50 * times,
        chains=2 * times,
    )

    assert not report.failures, report.text
    # the examples of both operations, and those that come in any number of runs
    assert report.cases >= 2 * 50 * times + 100
    assert report.accepted == 0
