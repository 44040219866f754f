"""docs/partner-api.md is true: what one pastes works, and what it shows is what one gets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config import reference
from tests.support.server import ROOT, Service

PAGE = (ROOT / "docs" / "partner-api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SETUP, *COMMANDS = [text for language, text in BLOCKS if language == "bash"]

NAMES = ["BASE_URL", "PROJECT_ID", "TOKEN_ID", "TOKEN_SECRET"]
PROBLEM = ["type", "title", "status", "detail", "code", "requestId"]


@pytest.fixture
def variables(service: Service) -> dict[str, str]:
    """Onboard a partner and give what a partner's developer then holds."""
    name = f"Partner {service.rows('SELECT count(*) AS n FROM partners_partner')[0]['n']}"
    made = json.loads(service.manage("onboard_partner", name, "--project", "College", "--json"))
    values = [service.url, made["projectId"], made["TokenId"], made["TokenSecret"]]
    return dict(zip(NAMES, values, strict=True))


def filled_in(variables: dict[str, str]) -> str:
    """Return the set-up block with the developer's own values."""
    lines = []
    for line in SETUP.splitlines():
        name = line.removeprefix("export ").partition("=")[0]
        lines.append(f"export {name}={shlex.quote(variables[name])}")
    return "\n".join(lines)


def pasted(command: str, variables: dict[str, str]) -> Any:
    """Run a block of the page in a shell and return the JSON that it prints."""
    done = subprocess.run(
        ["bash", "-c", f"set -e\n{filled_in(variables)}\n{command}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert not done.stderr
    return json.loads(done.stdout)


def test_each_pasted_call_works(variables: dict[str, str], service: Service) -> None:
    checked, link, results = [pasted(each, variables) for each in COMMANDS]

    assert checked["Project"] == "College"
    assert list(link) == ["redirect-url"]
    assert link["redirect-url"].startswith(f"{service.url}/{variables['PROJECT_ID']}/assessment?")
    assert results == []
    links = service.rows(
        "SELECT l.name FROM assessments_assessmentlink l "
        "JOIN assessments_student s ON s.id = l.student_id "
        "JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s",
        (variables["PROJECT_ID"],),
    )
    assert [row["name"] for row in links] == ["Asha Rao"]


def test_a_pasted_call_with_a_cut_secret_says_so(variables: dict[str, str]) -> None:
    cut = {**variables, "TOKEN_SECRET": variables["TOKEN_SECRET"][:-1]}

    answer = pasted(COMMANDS[0], cut)

    assert list(answer) == PROBLEM
    assert answer["code"] == "malformed_credentials"


@pytest.mark.slow
def test_the_tests_for_a_test_project_pass(service: Service, tmp_path: Path) -> None:
    courses = tmp_path / "courses.csv"
    courses.write_text("code,name,order\nB,Botany,1\nC,Commerce,2\n")
    made = json.loads(
        service.manage(
            *("onboard_partner", "Tester", "--project", "Tests", "--test", "--json"),
            *("--courses", str(courses)),
        )
    )
    (tmp_path / "test_integration.py").write_text(example("test_integration.py"), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=0"],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "BASE_URL": service.url,
            "PROJECT_ID": made["projectId"],
            "TOKEN_ID": made["TokenId"],
            "TOKEN_SECRET": made["TokenSecret"],
        },
        capture_output=True,
        text=True,
        timeout=60,
    )

    print(done.stdout)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


def example(name: str) -> str:
    """Return an example program as the reference page shows it."""
    return (reference.EXAMPLES / name).read_text(encoding="utf-8")
