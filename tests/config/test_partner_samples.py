"""The samples of docs/ and of the reference do what they say, also against servers that fail."""

import base64
import hmac
import html
import json
import os
import re
import shutil
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from assessments.webhooks.sender import headers_of
from tests.assessments.partner import document
from tests.support import programs
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.databases import free_port
from tests.support.ledger import Ledger
from tests.support.programs import Program
from tests.support.server import ROOT

pytestmark = pytest.mark.slow

INTERPRETERS = {"py": sys.executable, "mjs": "node", "php": "php"}
# Node and PHP are no part of the tests' environment: their samples run where there is one.
SUFFIXES = [suffix for suffix in ("py", "mjs", "php") if shutil.which(INTERPRETERS[suffix])]
NAMES = ["BASE_URL", "PROJECT_ID", "TOKEN_ID", "TOKEN_SECRET"]
VALUES = ["projectId", "TokenId", "TokenSecret"]
EXAMPLES = ROOT / ".ci" / "reference" / "examples"
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


SECRET, OTHER = (
    f"whsec_{base64.b64encode(key).decode()}"
    for key in (b"a key of a test, of 32 characters", b"the next key")
)
EVENT = (
    b'{"type": "assessment.completed", "data": {"AssessmentId": "asm_x", "Status": "Completed"}}'
)


class Receiver(Program):
    url = ""

    def send(self, body, headers):
        request = urllib.request.Request(self.url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return int(response.status)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code


@pytest.fixture(params=SUFFIXES, scope="module")
def receiver(request, tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("receiver"), free_port()
    name = f"webhook_receiver.{request.param}"
    shutil.copy(EXAMPLES / name, folder)
    server = ["-S", f"127.0.0.1:{port}"] if request.param == "php" else []
    receiver = Receiver(folder / "log")
    receiver.url = f"http://127.0.0.1:{port}/webhooks"
    environment = {"WEBHOOK_SECRET": SECRET, "PORT": str(port), "TMPDIR": str(folder)}
    receiver.run(
        [INTERPRETERS[request.param], *server, name],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
    )
    receiver.wait_for_port(port)
    yield receiver
    receiver.stop()


def signed(name, *secrets, later=0, body=EVENT):
    moment = datetime.fromtimestamp(time.time() + later, UTC)
    return headers_of(f"msg_{name}", body.decode(), list(secrets or (SECRET,)), moment)


def test_the_example_of_a_signature_is_what_we_and_the_library_make_of_its_text():
    example = (EXAMPLES / "webhook_signature.txt").read_text(encoding="utf-8")
    setting, headers, body, signed = example.strip().split("\n\n")
    secret = setting.removeprefix("WEBHOOK_SECRET=")
    sent = dict(line.split(": ") for line in headers.splitlines())
    event_id, timestamp, signature = sent.values()
    moment = datetime.fromtimestamp(int(timestamp), UTC)

    assert headers_of(event_id, body, [secret], moment) == sent
    assert Webhook(secret).sign(event_id, moment, body) == signature
    text = signed.partition("\n")[2]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, text.encode(), "sha256")
    assert text == f"{event_id}.{timestamp}.{body}"
    assert signature == f"v1,{base64.b64encode(digest).decode()}"
    assert json.loads(body) == json.loads((EXAMPLES / "webhook_event.json").read_text())


def test_a_receiver_takes_a_signed_event_once(receiver):
    body = EVENT.replace(b"asm_x", b"asm_once")
    headers = signed("once", body=body)

    assert {receiver.send(body, headers) for _ in range(2)} <= {200, 204}
    assert receiver.logs().count("asm_once") == 1
    # Either signature is enough while the secret changes.
    assert receiver.send(EVENT, signed("both", OTHER, SECRET)) in {200, 204}


def test_a_receiver_refuses_every_other_event(receiver):
    good = signed("other")
    refused = [
        (EVENT.replace(b"Completed", b"Abandoned"), good),
        (EVENT, signed("other", OTHER)),
        (EVENT, signed("other", later=-3600)),
        (EVENT, signed("other", later=3600)),
        (EVENT, {**good, "webhook-id": "msg_another"}),
        (EVENT, {}),
    ]

    assert [receiver.send(body, headers) for body, headers in refused] == [400] * len(refused)


PLACEHOLDER = "sec_of_a_test"  # noqa: S105  a placeholder
# Programs that make a call once, with so many seconds, and print what became of it.
PYTHON = """
import json
from partner_api import CallFailed, call
try:
    found = {{"answer": call("get-assessments-info", {{}}, {seconds})}}
except CallFailed as failure:
    assert "sec_of_a_test" not in str(failure)
    found = {{"status": failure.status, "body": failure.body, "name": "CallFailed"}}
print(json.dumps(found))
"""
NODE = """
import {{ call }} from "./partner-api.mjs";
let found;
try {{
  found = {{ answer: await call("get-assessments-info", {{}}, {seconds}) }};
}} catch (failure) {{
  found = {{ status: failure.status, body: failure.body, name: failure.name }};
}}
console.log(JSON.stringify(found));
"""
PHP = """
require "partner_api.php";
try {{
    $found = ['answer' => call('get-assessments-info', [], {seconds})];
}} catch (CallFailed $failure) {{
    $found = ['status' => $failure->status, 'body' => $failure->body, 'name' => $failure::class];
}}
echo json_encode($found);
"""
LANGUAGES = {
    "python": ([sys.executable, "-c"], PYTHON),
    "node": (["node", "--input-type=module", "-e"], NODE),
    "php": (["php", "-r"], PHP),
}


def answer(status, body, *headers):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", body]).encode()


def limited(retry_after):
    headers = f"Retry-After: {retry_after}"
    return answer("429 Too Many Requests", '{"code": "rate_limited"}', headers)


GOOD = answer("200 OK", "[]")
BUSY = answer("503 Service Unavailable", '{"code": "busy"}')
HTML = answer("200 OK", "<h1>Welcome to this network</h1>")
NO_HTTP = b"\x00\x01\x02\r\n\r\n"


class Server:
    """Gives its answers one after the other, the last one again and again; keeps the requests."""

    def __init__(self):
        self.answers = []
        self.requests = []
        self.delay = 0.0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                request = b""
                while b"}" not in request:
                    request += connection.recv(65536)
                self.requests.append(request)
                time.sleep(self.delay)
                connection.sendall(self.answers.pop(0) if self.answers[1:] else self.answers[0])

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


# Node and PHP are no part of the tests' environment: their programs are tried where there is one.
FOUND = [name for name in LANGUAGES if shutil.which(LANGUAGES[name][0][0])]
GIVEN = {
    "BASE_URL": "http://127.0.0.1:9",
    "PROJECT_ID": "prj_of_a_test",
    "TOKEN_ID": "tok_of_a_test",
    "TOKEN_SECRET": PLACEHOLDER,
}


def run_program(command, program, seconds, **changed):
    """Return what a program prints, and check that the secret is not in it."""
    begun = time.monotonic()
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"} | GIVEN | changed
    asked = [*command, program.format(seconds=seconds)]
    done = programs.run(asked, cwd=EXAMPLES, env=environment)
    assert PLACEHOLDER.removeprefix("sec_") not in done.stdout + done.stderr
    return done, time.monotonic() - begun


@pytest.fixture(params=FOUND)
def call(request, server):
    """Give a function that makes one call and returns its answer, or status and body."""

    def call(seconds, **changed):
        values = {"BASE_URL": f"{server.url}/"} | changed
        done, _ = run_program(*LANGUAGES[request.param], seconds, **values)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return call


@pytest.mark.parametrize(
    ("first", "least"),
    [(BUSY, 0), (HTML, 0), (GOOD[:-1], 0), (NO_HTTP, 0), (b"", 0), (limited(3), 3)],
    ids=["busy", "html", "cut off", "no http", "silence", "retry after"],
)
def test_what_may_pass_is_tried_again_after_the_seconds_that_it_asks_for(
    call, server, first, least
):
    server.answers = [first, GOOD]
    begun = time.monotonic()

    assert call(20) == {"answer": []}

    assert len(server.requests) == 2
    assert server.requests[0].startswith(b"POST /partner/get-assessments-info ")
    assert not least or least <= time.monotonic() - begun < least + 3


@pytest.mark.parametrize(
    "status",
    [
        *("400 Bad Request", "401 Unauthorized", "404 Not Found"),
        *("302 Found", "303 See Other", "307 Temporary Redirect"),
    ],
)
def test_what_cannot_pass_is_not_tried_again_and_the_secret_follows_no_redirect(
    call, server, status
):
    server.answers = [answer(status, '{"code": "told"}', f"Location: {server.url}/elsewhere")]

    found = call(20)

    assert (found["status"], found["name"]) == (int(status[:3]), "CallFailed")
    assert status < "4" or found["body"] == {"code": "told"}
    assert len(server.requests) == 1


NO_ADDRESSES = ["assessments.example.com", "ftp://assessments.example.com", "https://"]


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("language", FOUND)
def test_a_damaged_value_is_named_at_once_and_the_secret_never_shown(language, name):
    whole = GIVEN[name]
    damaged = [f"{whole[:8]}{damage}{whole[8:]}" for damage in ("\r", "\n", " ", '"', "'")]
    others = NO_ADDRESSES if name == "BASE_URL" else []
    for value in (*damaged, "  ", f'"{whole}"', "", *others):
        done, seconds = run_program(*LANGUAGES[language], 20, **{name: value})

        assert done.returncode != 0
        assert name in done.stderr + done.stdout
        assert seconds < 2


@pytest.mark.parametrize("damage", ["\r\n", "\n", " ", "\t"], ids=repr)
def test_what_a_file_left_at_the_ends_of_the_values_is_trimmed(call, server, damage):
    server.answers = [GOOD]
    values = GIVEN | {"BASE_URL": server.url}

    assert call(20, **{name: f"{damage}{value}{damage}" for name, value in values.items()}) == {
        "answer": []
    }
    assert b"tok_of_a_test:sec_of_a_test\r\n" in server.requests[0]
