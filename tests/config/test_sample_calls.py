"""The clients of the reference, against servers that fail: what they try again, and never show."""

import json
import os
import time

import pytest

from tests.config.samples import EXAMPLES, INTERPRETERS, SUFFIXES
from tests.support import programs
from tests.support.receiver import listening

pytestmark = pytest.mark.slow

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
PROGRAMS = {
    "py": (["-c"], PYTHON),
    "mjs": (["--input-type=module", "-e"], NODE),
    "php": (["-r"], PHP),
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


@pytest.fixture
def server():
    """Give a receiver that sends its `answers` one after the other, the last one ever again."""

    def give(handler):
        answers = receiver.answers
        handler.wfile.write(answers.pop(0) if answers[1:] else answers[0])

    with listening() as receiver:
        receiver.answer = give
        yield receiver


GIVEN = {
    "BASE_URL": "http://127.0.0.1:9",
    "PROJECT_ID": "prj_of_a_test",
    "TOKEN_ID": "tok_of_a_test",
    "TOKEN_SECRET": PLACEHOLDER,
}


def run_program(suffix, seconds, **changed):
    """Return what a program prints, and check that the secret is not in it."""
    begun, (options, program) = time.monotonic(), PROGRAMS[suffix]
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"} | GIVEN | changed
    asked = [INTERPRETERS[suffix], *options, program.format(seconds=seconds)]
    done = programs.run(asked, cwd=EXAMPLES, env=environment)
    assert PLACEHOLDER.removeprefix("sec_") not in done.stdout + done.stderr
    return done, time.monotonic() - begun


@pytest.fixture(params=SUFFIXES)
def call(request, server):
    """Give a function that makes one call and returns its answer, or status and body."""

    def call(seconds, **changed):
        values = {"BASE_URL": server.url.replace("hook", "")} | changed
        done, _ = run_program(request.param, seconds, **values)
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

    assert [call.path for call in server.calls] == ["/partner/get-assessments-info"] * 2
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
    assert len(server.calls) == 1


NO_ADDRESSES = ["assessments.example.com", "ftp://assessments.example.com", "https://"]


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_damaged_value_is_named_at_once_and_the_secret_never_shown(suffix, name):
    whole = GIVEN[name]
    damaged = [f"{whole[:8]}{damage}{whole[8:]}" for damage in ("\r", "\n", " ", '"', "'")]
    others = NO_ADDRESSES if name == "BASE_URL" else []
    for value in (*damaged, "  ", f'"{whole}"', "", *others):
        done, seconds = run_program(suffix, 20, **{name: value})

        assert done.returncode != 0
        assert name in done.stderr + done.stdout
        assert seconds < 2


@pytest.mark.parametrize("damage", ["\r\n", "\n", " ", "\t"], ids=repr)
def test_what_a_file_left_at_the_ends_of_the_values_is_trimmed(call, server, damage):
    server.answers = [GOOD]
    values = GIVEN | {"BASE_URL": server.url.removesuffix("/hook")}

    assert call(20, **{name: f"{damage}{value}{damage}" for name, value in values.items()}) == {
        "answer": []
    }
    assert server.calls[0].headers["x-access-token"] == "tok_of_a_test:sec_of_a_test"
