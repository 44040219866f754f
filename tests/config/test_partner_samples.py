"""Every sample of the reference does what it says, run as it stands in each language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config import reference
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.server import Service

pytestmark = pytest.mark.slow

STUDENT = "asha.rao@example.com"  # of the samples
INTERPRETERS = {"sh": "bash", "py": sys.executable, "mjs": "node", "php": "php"}
# Node and PHP are no part of the tests' environment: their samples run where there is one.
PROGRAMS = [suffix for suffix in ("py", "mjs", "php") if shutil.which(INTERPRETERS[suffix])]


def operations() -> dict[str, Any]:
    """Return the operations by name, as in the OpenAPI document."""
    paths = reference.document()["paths"]
    return {path.rpartition("/")[2]: item["post"] for path, item in paths.items()}


@pytest.fixture(scope="module")
def environment(service: Service) -> Iterator[dict[str, str]]:
    """Onboard a partner whose student has completed an attempt; give a developer's variables."""
    partner = Partner.onboarded(service.manage)
    client = Client(Gate(service.port), Ledger())
    browser = RemoteBrowser(client)
    page = browser.start(partner.link(client, STUDENT))
    browser.finish(browser.answer_subjects(page))
    client.close()
    token_id, _, secret = partner.credential.partition(":")
    yield {
        "PATH": os.environ["PATH"],
        "BASE_URL": service.url,
        "PROJECT_ID": partner.project_id,
        "TOKEN_ID": token_id,
        "TOKEN_SECRET": secret,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with all samples, as the reference shows them."""
    for file in reference.EXAMPLES.glob("*.*"):
        shutil.copy(file, tmp_path)
    return tmp_path


def run(name: str, folder: Path, environment: dict[str, str]) -> str:
    interpreter = INTERPRETERS[name.rpartition(".")[2]]
    done = subprocess.run(
        [interpreter, name], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), (name, done.stderr, done.stdout)
    return done.stdout


def test_every_curl_sample_gets_the_documented_answer(
    folder: Path, environment: dict[str, str]
) -> None:
    for name, call in operations().items():
        answer = json.loads(run(f"{name}.sh", folder, environment))
        described = call["responses"]["200"]["content"]["application/json"]["examples"]
        [example] = [each["value"] for each in described.values()]
        if name == "get-assessment-detail":  # the sample's id is nobody's
            assert answer["code"] == "not_found"
        elif isinstance(answer, list):
            assert [list(record) for record in answer] == [list(example[0])]
        else:
            assert list(answer) == list(example), name


@pytest.mark.parametrize("suffix", PROGRAMS)
def test_every_sample_prints_something(
    suffix: str, folder: Path, environment: dict[str, str]
) -> None:
    for name in operations():
        assert run(f"{name}.{suffix}", folder, environment).strip(), name


@pytest.mark.parametrize("suffix", PROGRAMS)
def test_a_sample_shows_what_the_student_got(
    suffix: str, folder: Path, environment: dict[str, str]
) -> None:
    assert "Completed" in run(f"get-assessments-info.{suffix}", folder, environment)
    assert run(f"get-assessment-detail.{suffix}", folder, environment).count("\n") >= 1


def test_the_quickstart_works_with_the_developer_s_values(
    folder: Path, environment: dict[str, str]
) -> None:
    *exports, call = (folder / "quickstart.sh").read_text(encoding="utf-8").splitlines()
    (folder / "call.sh").write_text(call, encoding="utf-8")

    answer = json.loads(run("call.sh", folder, environment))

    assert [line.partition("=")[0] for line in exports] == [
        f"export {name}" for name in ("BASE_URL", "PROJECT_ID", "TOKEN_ID", "TOKEN_SECRET")
    ]
    assert answer["Project"]
    assert answer["TokenExpiresAt"] is None
