"""Calls that Schemathesis makes up from the service's own OpenAPI file, right and wrong ones.

Every check of its own is on: no 5xx, no status, header or body that the file does not describe,
nothing accepted that the file forbids or refused that it allows, no way around the credential.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assessments.api.schema import PROJECT_ID

SEED = 20261121
HOOKS = Path(__file__).with_name("schema_hooks.py")
ROOT = HOOKS.parents[2]
# NUL is refused anywhere in a body, also in a field that the file does not know, so that no schema
# can say it: tests/assessments/test_api_fields.py has it.
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


@dataclass(frozen=True)
class Report:
    """What came of a run."""

    cases: int
    accepted: int  # right calls that were answered as such, not refused
    phases: dict[str, str]
    failures: int
    text: str  # what Schemathesis printed: with a failure, how to make it again


def run(
    url: str,
    folder: Path,
    *,
    known: Mapping[str, str],
    credential: str = "",
    examples: int,
    chains: int,
    seed: int = SEED,
) -> Report:
    """Run all phases against a service and return what came of it.

    `examples` are made for each operation, `chains` are of a link call and the results call that
    follows it. Without a `credential` one is made up for each call. `known` gives the right values
    of fields that no schema can describe: `projectId` at least.
    """
    folder.mkdir(exist_ok=True)
    (folder / "openapi.json").write_text(json.dumps(document(url, known)))
    headers = 'headers = { "X-Access-Token" = "${CREDENTIAL}" }' if credential else ""
    (folder / "schemathesis.toml").write_text(
        CONFIGURATION.format(
            seed=seed, url=url, hooks=HOOKS, headers=headers, examples=examples, chains=chains
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", "openapi.json"],
        cwd=folder,
        # the credential is no argument: those are for everybody on the machine to read
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),  # of the hooks
            "CREDENTIAL": credential,
        },
        capture_output=True,
        text=True,
    )
    text = done.stdout + done.stderr
    if done.returncode not in (0, 1):
        raise AssertionError(text)
    return _read(json.loads((folder / "report.json").read_text()), text)


def document(url: str, known: Mapping[str, str]) -> dict[str, Any]:
    """Return the service's OpenAPI file as a partner reads it: who they are, what follows what.

    With any other project each right call would be a 401, with any other cursor a 400.
    """
    with urllib.request.urlopen(f"{url}/openapi.json", timeout=10) as response:
        text: str = response.read().decode()
    made: dict[str, Any] = json.loads(text.replace(PROJECT_ID, known["projectId"]))
    for name, schema in made["components"]["schemas"].items():
        if name.endswith("Request"):
            for field in known.keys() & schema["properties"]:
                schema["properties"][field]["enum"] = [known[field]]
    # In the file itself this is said in words: client generators make no use of it, or a muddle.
    made["components"]["schemas"]["CancelRequest"]["oneOf"] = [
        {"required": ["LinkId"]},
        {"required": ["email"]},
    ]
    issued = made["paths"]["/partner/get-redirect-url"]["post"]["responses"]["200"]
    issued["links"] = {
        "results": {
            "operationId": "getAssessmentsInfo",
            "requestBody": {
                "projectId": "$request.body#/projectId",
                "email": "$request.body#/email",
            },
        }
    }
    return made


def _read(report: dict[str, Any], text: str) -> Report:
    rates = [phase for phases in report["valid_rates"].values() for phase in phases.values()]
    return Report(
        cases=report["test_cases"]["generated"],
        accepted=sum(rate["accepted"] for rate in rates),
        phases={name: phase["status"] for name, phase in report["phases"].items()},
        failures=report["test_cases"]["with_failures"] + len(report["errors"]),
        text=text,
    )
