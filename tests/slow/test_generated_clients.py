"""Clients that generators make from /openapi.json, used as their users would.

The generators come from npm and PyPI when the tests run; without them, or without a network, these
tests are skipped. Each runs the lines that the documentation names for its generator.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.programs import ROOT

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "generated_clients"
NAMES = ["José", "आशा राव", "O'Brien"]
STUDENT = "done@example.com"
NPM = "npm install --no-audit --no-fund --ignore-scripts"
PIP = f"{sys.executable} -m venv venv && venv/bin/pip install -q"
STRICT = "npx tsc --strict --module nodenext --target es2022 --types node"
NAME = "partner-assessment-service"
PACKAGES = "openapi-typescript@7 openapi-fetch@0 typescript@5 @types/node@20"
# What is needed, how the generator is installed, its client's folder, how the program is run.
GENERATORS = {
    "typescript": (["npm"], f"{NPM} {PACKAGES}", "", f"{STRICT} program.mts && node program.mjs"),
    "python": ([], f"{PIP} openapi-python-client", f"{NAME}-client", "python program.py"),
    "php": (["java", "php"], f"{PIP} openapi-generator-cli", "partner-api-php", "php program.php"),
}


@pytest.fixture(scope="module")
def partner(service):
    """Onboard a partner with one student, who has completed an attempt and left another."""
    partner = Partner.onboarded(service.manage)
    client = Client(Gate(service.port), Ledger())
    browser = RemoteBrowser(client)
    page = browser.start(partner.link(client, STUDENT))
    browser.finish(browser.answer_subjects(page))
    page = browser.start(partner.link(client, STUDENT))
    browser.press(browser.open(f"{partner.path}/leave"))
    client.close()
    return partner


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generated_client_makes_links_reads_results_and_meets_a_refusal(
    service, partner, tmp_path, generator
):
    needed, install, place, program = GENERATORS[generator]
    if missing := [each for each in needed if not shutil.which(each)]:
        pytest.skip(f"needs {missing}")
    token_id, _, secret = partner.credential.partition(":")
    environment = {
        **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
        "PATH": f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "BASE_URL": service.url,
        "PROJECT_ID": partner.project_id,
        "TOKEN_ID": token_id,
        "TOKEN_SECRET": secret,
    }

    def run(command, folder=tmp_path):
        line = ["bash", "-ec", command]
        return subprocess.run(
            line, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )

    if (installed := run(install)).returncode:
        pytest.skip(f"cannot install the generator: {installed.stderr[-300:]}")
    lines = ROOT / "templates" / "docs" / "clients" / f"{generator}.txt"
    command, client_line = lines.read_text(encoding="utf-8").splitlines()
    generated = run(command)
    assert generated.returncode == 0, generated.stderr
    [source] = PROGRAMS.glob(f"{generator}.*.txt")
    text = source.read_text(encoding="utf-8").replace("DOCUMENTED_LINE", client_line)
    written = tmp_path / place / f"program{source.with_suffix('').suffix}"
    written.write_text(text, encoding="utf-8")
    done = run(program, tmp_path / place)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)

    stored = service.rows(
        "SELECT l.name FROM assessments_assessmentlink l "
        "JOIN assessments_student s ON s.id = l.student_id "
        "JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s "
        "ORDER BY l.id DESC LIMIT 3",
        (partner.project_id,),
    )
    assert [row["name"] for row in reversed(stored)] == NAMES
    assert len(set(found["links"])) == len(NAMES)
    start = f"{service.url}/{partner.project_id}/assessment?token="
    assert all(link.startswith(start) for link in found["links"])
    abandoned, record = found["results"]
    assert (abandoned["Status"], record["Status"]) == ("Abandoned", "Completed")
    assert record["Recommendations"]
    assert record["AssessmentDuration"].endswith("s")
    assert found["refused"] == {"status": 401, "code": "invalid_credentials"}
