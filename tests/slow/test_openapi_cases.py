"""Calls that Schemathesis makes up from the service's own OpenAPI file, right and wrong ones.

Every check of its own is on: no 5xx, no status, header or body that the file does not describe,
nothing accepted that the file forbids or refused that it allows, no way around the credential.
"""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from assessments.api.schema import PROJECT_ID
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import ROOT
from tokens import crypto

pytestmark = pytest.mark.slow

SEED = 20261121
# NUL is refused anywhere in a body, also in a field that the file does not know, so that no schema
# can say it: tests/assessments has it.
CONFIGURATION = """
seed = {seed}
base-url = "{url}"
continue-on-failure = true
hooks = "{hooks}"
{headers}
[generation]
mode = "all"
max-examples = {examples}
allow-x00 = false
no-shrink = true
database = "none"
[checks]
enabled = true
[phases]
enabled = true
[phases.stateful.generation]
max-examples = {chains}
[reports.json]
path = "report.json"
"""


def document(url, known):
    """Return the service's OpenAPI file as a partner reads it: who they are, what follows what.

    With any other project each right call would be a 401, with any other cursor a 400.
    """
    with urllib.request.urlopen(f"{url}/openapi.json", timeout=10) as response:
        text = response.read().decode()
    made = json.loads(text.replace(PROJECT_ID, known["projectId"]))
    for name, schema in made["components"]["schemas"].items():
        if name.endswith("Request"):
            for field in known.keys() & schema["properties"]:
                schema["properties"][field]["enum"] = [known[field]]
    # In the file itself this is said in words: client generators make no use of it, or a muddle.
    one_of = [{"required": ["LinkId"]}, {"required": ["email"]}]
    made["components"]["schemas"]["CancelRequest"]["oneOf"] = one_of
    issued = made["paths"]["/partner/get-redirect-url"]["post"]["responses"]["200"]
    body = {name: f"$request.body#/{name}" for name in ("projectId", "email")}
    issued["links"] = {"results": {"operationId": "getAssessmentsInfo", "requestBody": body}}
    return made


@pytest.fixture(scope="module")
def partner(service):
    """Give a test project, with one completed assessment."""
    options = ("--project", "Cases", "--test", "--json")
    printed = service.manage("onboard_partner", "Schemathesis", *options)
    return PartnerBackend.from_onboarding(service.url, printed)


@pytest.fixture
def run(service, partner, tmp_path, times):
    """Give a function that runs all phases with a credential, or one made up for each call.

    It returns what came of it: `cases`, `accepted` right calls, `phases`, and `text` as printed.
    """

    def run(known, credential, chains):
        (tmp_path / "openapi.json").write_text(json.dumps(document(service.url, known)))
        headers = 'headers = { "X-Access-Token" = "${CREDENTIAL}" }' if credential else ""
        (tmp_path / "schemathesis.toml").write_text(
            CONFIGURATION.format(
                seed=SEED,
                url=service.url,
                hooks=Path(__file__).with_name("schema_hooks.py"),
                headers=headers,
                examples=50 * times,
                chains=chains * times,
            )
        )
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", "openapi.json"],
            cwd=tmp_path,
            # the credential is no argument: those are for everybody on the machine to read
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "PYTHONPATH": str(ROOT),  # of the hooks
                "CREDENTIAL": credential,
            },
            capture_output=True,
            text=True,
        )
        text = done.stdout + done.stderr
        assert done.returncode in (0, 1), text
        report = json.loads((tmp_path / "report.json").read_text())
        assert not report["test_cases"]["with_failures"] + len(report["errors"]), text
        rates = [rate for phases in report["valid_rates"].values() for rate in phases.values()]
        return {
            "cases": report["test_cases"]["generated"],
            "accepted": sum(rate["accepted"] for rate in rates),
            "phases": {name: phase["status"] for name, phase in report["phases"].items()},
            "text": text,
        }

    return run


def test_the_service_does_what_its_openapi_file_says(partner, run, times):
    email = "completed@example.com"
    partner.redirect_url(Applicant("Asha Rao", email, "+91 98765 43210"))
    known = {
        "projectId": partner.project_id,
        "cursor": partner.call("list-assessments", {})["NextCursor"],
        "AssessmentId": partner.assessments(email)[0]["AssessmentId"],
    }

    report = run(known, f"{partner.token_id}:{partner.token_secret}", chains=15)

    phases = dict.fromkeys(["examples", "coverage", "fuzzing", "stateful"], "success")
    assert report["phases"] == phases, report["text"]
    assert report["cases"] >= 200 * times
    assert report["accepted"] >= 60


@pytest.mark.parametrize("is_wrong", [False, True], ids=["none", "wrong"])
def test_without_a_good_credential_nothing_is_accepted(partner, run, times, is_wrong):
    credential = f"{partner.token_id}:{crypto.new_secret()}" if is_wrong else ""

    report = run({"projectId": partner.project_id}, credential, chains=2)

    # the examples of both operations, and those that come in any number of runs
    assert report["cases"] >= 2 * 50 * times + 100
    assert report["accepted"] == 0
