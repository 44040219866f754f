"""docs/partner-api.md is true: what one pastes works, and what it shows is what one gets."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assessments.api.codes import CODES, FIELD_CODES
from config import env, reference
from partners.models import projects as partners
from tests.assessments.partner import BESIDE
from tests.support.server import ROOT, Service
from tokens import models as tokens

PAGE = (ROOT / "docs" / "partner-api.md").read_text(encoding="utf-8")
CLIENTS = ROOT / "templates" / "docs" / "clients"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FIRST, *COMMANDS = [text for language, text in BLOCKS if language == "bash"]
*SETUP, CHECK = FIRST.splitlines()
EXAMPLES = [json.loads(text) for language, text in BLOCKS if language == "json"]

NAMES = ["BASE_URL", "PROJECT_ID", "TOKEN_ID", "TOKEN_SECRET"]
RECORD = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]
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
    for line in SETUP:
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


def test_the_set_up_names_the_four_values() -> None:
    assert [line.partition("=")[0] for line in SETUP] == [f"export {name}" for name in NAMES]


def test_each_pasted_call_works(variables: dict[str, str], service: Service) -> None:
    checked, link, results = [pasted(each, variables) for each in (CHECK, *COMMANDS[:2])]

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


def test_each_pasted_call_of_the_operations_beside_works(variables: dict[str, str]) -> None:
    pasted(COMMANDS[0], variables)
    answers = {
        command.partition("/partner/")[2].partition('"')[0]: pasted(command, variables)
        for command in COMMANDS[2:]
    }

    assert {f"/partner/{name}" for name in answers} == set(BESIDE)
    # The example's id is nobody's.
    assert answers.pop("get-assessment-detail")["code"] == "not_found"
    for answer in answers.values():
        assert "code" not in answer, answer


def test_a_pasted_call_with_a_cut_secret_says_so(variables: dict[str, str]) -> None:
    cut = {**variables, "TOKEN_SECRET": variables["TOKEN_SECRET"][:-1]}

    answer = pasted(COMMANDS[0], cut)

    assert list(answer) == PROBLEM
    assert answer["code"] == "malformed_credentials"


# Node and PHP are no part of the tests' environment: their programs run where there is one.
PROGRAMS = [
    [sys.executable, "partner_api.py"],
    ["node", "partner-api.mjs"],
    ["php", "partner_api.php"],
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [program for program in PROGRAMS if shutil.which(program[0])], ids=lambda c: c[1]
)
def test_the_program_makes_both_calls(
    command: list[str], variables: dict[str, str], service: Service, tmp_path: Path
) -> None:
    program, name = command
    (tmp_path / name).write_text(example(name), encoding="utf-8")

    done = subprocess.run(
        [program, name], cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{service.url}/{variables['PROJECT_ID']}/assessment?token=")


@pytest.mark.slow
def test_the_tests_for_a_test_project_pass(service: Service, tmp_path: Path) -> None:
    courses = tmp_path / "courses.csv"
    header = "code,name,order,realistic,investigative,artistic,social,enterprising,conventional"
    courses.write_text(f"{header}\nB,Botany,1,1,3,0,1,0,1\nC,Commerce,2,0,1,0,1,3,3\n")
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


@pytest.mark.parametrize(
    "file", sorted(reference.EXAMPLES.glob("*.sh")), ids=lambda file: file.name
)
def test_the_page_shows_every_curl_sample_of_the_reference(file: Path) -> None:
    assert file.read_text(encoding="utf-8") in [text for _, text in BLOCKS]


@pytest.mark.parametrize("name", reference.PROGRAMS)
def test_the_page_links_every_program_of_the_reference(name: str) -> None:
    assert f"](../templates/docs/examples/{name})" in PAGE


@pytest.mark.parametrize("file", sorted(CLIENTS.glob("*.txt")), ids=lambda file: file.stem)
def test_the_page_has_both_lines_of_every_client_generator(file: Path) -> None:
    command, client = file.read_text(encoding="utf-8").splitlines()
    shown = [text.removesuffix("\n") for _, text in BLOCKS]

    assert command in shown
    assert client in shown


def test_the_example_answers_have_the_exact_keys() -> None:
    link, results, nothing, invalid, unauthorized, *beside = EXAMPLES

    assert list(link) == ["redirect-url"]
    assert [list(record) for record in results] == [RECORD, RECORD]
    assert nothing == []
    assert list(invalid) == [*PROBLEM, "errors"]
    assert [list(error) for error in invalid["errors"]] == [["field", "code", "detail"]] * 2
    assert list(unauthorized) == [*PROBLEM, "reason"]
    described = [
        next(iter(content["examples"].values()))["value"]
        for path, item in reference.document()["paths"].items()
        if path in BESIDE
        for content in [item["post"]["responses"]["200"]["content"]["application/json"]]
    ]
    assert all(example in [*described, reference.EVENT] for example in beside)


def test_the_page_explains_every_code_with_its_status() -> None:
    rows = re.findall(r"^\| (\d{3}) \| `(\w+)` \|", PAGE, re.MULTILINE)

    assert rows == [(str(code.status), code.code) for code in CODES]
    for field_code in FIELD_CODES:
        assert f"| `{field_code.code}` |" in PAGE


def test_the_page_names_the_numbers_in_force() -> None:
    rates = {setting.name: setting.default for setting in env.TABLE}
    project = partners.Project()

    links, results = rates["LINK_RATE_PER_MINUTE"], rates["RESULTS_RATE_PER_MINUTE"]
    assert f"{links} link calls and {results} results calls a minute" in PAGE
    assert f"More than {rates['FAILED_CREDENTIALS_PER_MINUTE']} refused credentials" in PAGE
    assert f"| {project.start_by_minutes // 60} hours | 15 minutes to 30 days |" in PAGE
    assert f"| {project.finish_by_hours} hours | 20 hours to 30 days |" in PAGE
    assert (partners.START_BY_MINUTES, partners.FINISH_BY_HOURS) == ((15, 43_200), (20, 720))
    assert tokens.MAX_LIVE_TOKENS == 5
    assert tokens.DEFAULT_OVERLAP.days == 7
