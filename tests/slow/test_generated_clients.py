"""Clients that four generators make from /openapi.json, used as their users would.

The generators come from npm and PyPI when the tests run; without them, or without a network, these
tests are skipped. Each runs the lines that the documentation names for its generator.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.programs import ROOT
from tests.support.server import Service

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "generated_clients"
LINES = ROOT / "templates" / "docs" / "clients"
NAMES = ["José", "आशा राव", "O'Brien"]
STUDENT = "done@example.com"
GUZZLE = Path("/usr/share/php/GuzzleHttp/autoload.php")


def installed(what: str, command: list[str], folder: Path) -> None:
    """Install a generator, or skip the test."""
    if not shutil.which(command[0]):
        pytest.skip(f"{what} needs {command[0]}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"cannot install {what}: {done.stderr[-300:]}")


def lines(generator: str) -> tuple[str, str]:
    """Return the documented lines: the command, and the one that makes a client."""
    command, client = (LINES / f"{generator}.txt").read_text(encoding="utf-8").splitlines()
    return command, client


def run(command: str | list[str], folder: Path, environment: Mapping[str, str]) -> str:
    shell = ["bash", "-ec", command] if isinstance(command, str) else command
    done = subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def program(name: str, client: str, folder: Path) -> Path:
    """Write a client program with the documented line in its place."""
    text = (PROGRAMS / name).read_text(encoding="utf-8")
    file = folder / name.removesuffix(".txt")
    file.write_text(text.replace("DOCUMENTED_LINE", client), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def partner(service: Service) -> Partner:
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


@pytest.fixture
def environment(service: Service, partner: Partner, tmp_path: Path) -> dict[str, str]:
    """Give the variables that the documentation tells developers to set."""
    token_id, _, secret = partner.credential.partition(":")
    return {
        **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
        "PATH": f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "BASE_URL": service.url,
        "PROJECT_ID": partner.project_id,
        "TOKEN_ID": token_id,
        "TOKEN_SECRET": secret,
    }


@pytest.fixture
def pip(tmp_path: Path) -> Callable[[str], None]:
    """Give a function that installs a package for Python into a new environment."""

    def install(package: str) -> None:
        venv = tmp_path / "venv"
        installed(package, [sys.executable, "-m", "venv", str(venv)], tmp_path)
        installed(package, [str(venv / "bin" / "pip"), "install", "-q", package], tmp_path)

    return install


def check(printed: str, service: Service, partner: Partner) -> None:
    """Compare what a program printed with the service: links, results, a refused call."""
    found: dict[str, Any] = json.loads(printed)
    names = service.rows(
        "SELECT l.name FROM assessments_assessmentlink l "
        "JOIN assessments_student s ON s.id = l.student_id "
        "JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s "
        "ORDER BY l.id DESC LIMIT 3",
        (partner.project_id,),
    )

    assert [row["name"] for row in reversed(names)] == NAMES
    assert len(set(found["links"])) == len(NAMES)
    for link in found["links"]:
        assert link.startswith(f"{service.url}/{partner.project_id}/assessment?token=")
    abandoned, record = found["results"]
    assert (abandoned["Status"], record["Status"]) == ("Abandoned", "Completed")
    assert record["Recommendations"]
    assert record["AssessmentDuration"].endswith("s")
    assert found["efforts"] == [None, "low"]  # the first choice each time
    assert found["states"] == ["started", "started"]
    assert found["refused"] == {"status": 401, "code": "invalid_credentials"}


def test_typescript(
    service: Service, partner: Partner, environment: dict[str, str], tmp_path: Path
) -> None:
    packages = ["openapi-typescript@7", "openapi-fetch@0", "typescript@5", "@types/node@20"]
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    installed("openapi-typescript", command, tmp_path)
    command_line, client = lines("typescript")

    run(command_line, tmp_path, environment)
    written = program("typescript.mts.txt", client, tmp_path)
    strict = "--strict --module nodenext --target es2022 --types node"
    run(f"npx tsc {strict} {written.name}", tmp_path, environment)
    printed = run(["node", "typescript.mjs"], tmp_path, environment)

    check(printed, service, partner)


def test_python(
    service: Service,
    partner: Partner,
    environment: dict[str, str],
    pip: Callable[[str], None],
    tmp_path: Path,
) -> None:
    pip("openapi-python-client")
    command, client = lines("python")

    run(command, tmp_path, environment)
    folder = tmp_path / "partner-assessment-service-client"
    printed = run(["python", str(program("python.py.txt", client, folder))], folder, environment)

    check(printed, service, partner)


def test_php(
    service: Service,
    partner: Partner,
    environment: dict[str, str],
    pip: Callable[[str], None],
    tmp_path: Path,
) -> None:
    if not (shutil.which("java") and shutil.which("php") and GUZZLE.exists()):
        pytest.skip("needs java, php-cli, php-mbstring and php-guzzlehttp-guzzle")
    pip("openapi-generator-cli")
    command, client = lines("php")

    run(command, tmp_path, environment)
    folder = tmp_path / "partner-api-php"
    printed = run(["php", str(program("php.php.txt", client, folder))], folder, environment)

    check(printed, service, partner)


def test_java(environment: dict[str, str], pip: Callable[[str], None], tmp_path: Path) -> None:
    if not shutil.which("java"):
        pytest.skip("needs java")
    pip("openapi-generator-cli")
    command, client = lines("java")

    run(command, tmp_path, environment)
    made = tmp_path / "partner-api-java" / "src" / "main" / "java" / "org" / "openapitools"
    call = client.partition("(")[0].removeprefix("client.")

    assert "public RedirectUrl getRedirectUrl(" in (
        made / "client" / "api" / "PartnerApi.java"
    ).read_text(encoding="utf-8")
    assert f"public void {call}(String" in (made / "client" / "ApiClient.java").read_text(
        encoding="utf-8"
    )
