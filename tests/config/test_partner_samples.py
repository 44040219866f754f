"""The samples of docs/ and of the reference do what they say."""

import html
import json
import os
import re
import shutil
import sys

import pytest

from tests.assessments.partner import document
from tests.config.samples import EXAMPLES, INTERPRETERS, SUFFIXES
from tests.support import programs
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.server import ROOT

pytestmark = pytest.mark.slow

NAMES = ["BASE_URL", "PROJECT_ID", "TOKEN_ID", "TOKEN_SECRET"]
VALUES = ["projectId", "TokenId", "TokenSecret"]
PAGE = (ROOT / "docs" / "partner-api.md").read_text(encoding="utf-8")
FIRST, SETUP, *PASTED = re.findall(r"^```bash\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PLACEHOLDERS = ["https://assessments.example.com", *(f"your {name}" for name in VALUES)]


@pytest.fixture(scope="module")
def partner(service):
    return Partner.onboarded(service.manage)


@pytest.fixture(scope="module")
def environment(service, partner):
    """Give the variables of a partner's developer."""
    token_id, _, secret = partner.credential.partition(":")
    values = zip(NAMES, [service.url, partner.project_id, token_id, secret], strict=True)
    return {"PATH": os.environ["PATH"], **dict(values)}


@pytest.fixture
def folder(tmp_path):
    for file in EXAMPLES.glob("*.*"):
        shutil.copy(file, tmp_path)
    return tmp_path


def run(command, environment, folder=None):
    done = programs.run(command, cwd=folder, env=environment)
    assert (done.returncode, done.stderr) == (0, ""), (command, done.stderr, done.stdout)
    return done.stdout


def pasted(command, environment):
    """Run a command of the documentation as a developer does; return its JSON."""
    script = f"set -e\n{SETUP}\n{command}"
    for placeholder, name in zip(PLACEHOLDERS, NAMES, strict=True):
        script = script.replace(placeholder, environment[name])
    return json.loads(run(["bash", "-c", script], {"PATH": os.environ["PATH"]}))


def test_each_call_pasted_from_the_documentation_works(environment, service):
    checked, link, results = [pasted(each, environment) for each in (FIRST, *PASTED)]

    assert checked["Project"]
    assert list(link) == ["redirect-url"]
    assert link["redirect-url"].startswith(f"{service.url}/{environment['PROJECT_ID']}/assessment?")
    assert results == []
    links = service.rows(
        "SELECT l.name FROM assessments_assessmentlink l "
        "JOIN assessments_student s ON s.id = l.student_id "
        "JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s",
        (environment["PROJECT_ID"],),
    )
    assert [row["name"] for row in links] == ["Asha Rao"]


@pytest.fixture(scope="module")
def _completed(partner, service):
    """Let the student of the samples complete an attempt."""
    client = Client(Gate(service.port), Ledger())
    browser = RemoteBrowser(client)
    page = browser.start(partner.link(client, "asha.rao@example.com"))
    browser.finish(browser.answer_subjects(page))
    client.close()


def operations():
    """Return the operations by name, as in the OpenAPI document."""
    return {path.rpartition("/")[2]: item["post"] for path, item in document()["paths"].items()}


@pytest.mark.usefixtures("_completed")
def test_every_curl_sample_gets_the_documented_answer(client, environment):
    page = client.get("/docs/").text
    found = re.findall(r"<code>(curl -sS [^/]+/partner/([a-z-]+)&quot;.*?)</code>", page, re.DOTALL)
    samples = {name: html.unescape(text) for text, name in found}

    for name, call in operations().items():
        answer = pasted(samples[name], environment)
        described = call["responses"]["200"]["content"]["application/json"]["examples"]
        [example] = [each["value"] for each in described.values()]
        if name in {"get-assessment-detail", "cancel-links"}:  # the sample's id is nobody's
            assert answer["code"] == "not_found"
        elif isinstance(answer, list):
            assert [list(record) for record in answer] == [list(example[0])]
        else:
            assert list(answer) == list(example), name


@pytest.mark.usefixtures("_completed")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_sample_shows_what_the_student_got(suffix, folder, environment):
    program = INTERPRETERS[suffix]
    shown = {name: run([program, f"{name}.{suffix}"], environment, folder) for name in operations()}

    assert not [name for name, text in shown.items() if not text.strip()]
    assert "Completed" in shown["get-assessments-info"]
    assert "\n" in shown["get-assessment-detail"]


def test_the_first_call_has_five_lines_here_and_in_the_reference(folder):
    """It is run above."""
    assert (folder / "quickstart.sh").read_text(encoding="utf-8") == FIRST
    assert FIRST.count("\n") == 5
    assert (folder / "environment.sh").read_text(encoding="utf-8") == SETUP
    assert re.findall(r"^export (\w+)=", SETUP, re.MULTILINE) == NAMES


def test_the_integration_tests_of_a_test_project_pass(service, environment, folder):
    (folder / "courses.csv").write_text("code,name,order\nB,Botany,1\nC,Commerce,2\n")
    made = json.loads(
        service.manage(
            *("onboard_partner", "Tester", "--project", "Tests", "--test", "--json"),
            *("--courses", str(folder / "courses.csv")),
        )
    )
    values = [service.url, made["projectId"], made["TokenId"], made["TokenSecret"]]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    own = environment | dict(zip(NAMES, values, strict=True))

    shown = run([*command, "test_integration.py"], own, folder)

    assert "6 passed" in shown
