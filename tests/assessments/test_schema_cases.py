"""Calls made up from the OpenAPI file, with a good credential, a wrong one and none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assessments import schema_cases
from tests.support.server import Service
from tokens import crypto

pytestmark = pytest.mark.slow

PHASES = ["examples", "coverage", "fuzzing", "stateful"]


@pytest.fixture(scope="module")
def issued(service: Service) -> dict[str, Any]:
    """Give the ids and the credential of a project of its own."""
    printed = service.manage("onboard_partner", "Schemathesis", "--project", "Cases", "--json")
    given: dict[str, Any] = json.loads(printed)
    return given


# A thousand in all, a third each; bench/hostile.py makes ten times as many.
def test_the_service_does_what_its_openapi_file_says(
    service: Service, issued: dict[str, Any], tmp_path: Path
) -> None:
    """A8, S-1."""
    report = schema_cases.run(
        service.url,
        tmp_path,
        project_id=issued["projectId"],
        credential=f"{issued['TokenId']}:{issued['TokenSecret']}",
        examples=50,
        chains=15,
    )

    print(f"{report.cases} cases, seed {schema_cases.SEED}")
    assert not report.failures, report.text
    assert dict.fromkeys(PHASES, "success") == report.phases, report.text
    assert report.cases >= 330
    assert report.accepted >= 80


@pytest.mark.parametrize("credential", ["none", "wrong"])
def test_without_a_good_credential_nothing_is_accepted(
    service: Service, issued: dict[str, Any], tmp_path: Path, credential: str
) -> None:
    report = schema_cases.run(
        service.url,
        tmp_path,
        project_id=issued["projectId"],
        credential=f"{issued['TokenId']}:{crypto.new_secret()}" if credential == "wrong" else "",
        examples=90,
        chains=6,
    )

    assert not report.failures, report.text
    assert report.cases >= 330
    assert report.accepted == 0
