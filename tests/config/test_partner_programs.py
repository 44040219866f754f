"""The example programs against servers that fail: when they retry, when they stop."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from config import reference

pytestmark = pytest.mark.slow

PYTHON = reference.EXAMPLES / "partner_api.py"
NODE = reference.EXAMPLES / "partner-api.mjs"
PHP = reference.EXAMPLES / "partner_api.php"
SECRET = "sec_of_a_test"  # noqa: S105  a placeholder

# Node and PHP are no part of the tests' environment: their programs are tried where there is one.
LANGUAGES = ["python", *(language for language in ("node", "php") if shutil.which(language))]

# Ask once, with so many seconds, and print what became of it.
NODE_CALLER = """
import {{ call }} from {module};
try {{
  console.log(JSON.stringify({{ answer: await call("get-assessments-info", {{}}, {seconds}) }}));
}} catch (failure) {{
  console.log(JSON.stringify({{ status: failure.status, body: failure.body, name: failure.name }}));
}}
"""
PHP_CALLER = """
require {module};
try {{
    echo json_encode(['answer' => call('get-assessments-info', [], {seconds})]);
}} catch (CallFailed $failure) {{
    $told = ['status' => $failure->status, 'body' => $failure->body];
    echo json_encode([...$told, 'name' => $failure::class]);
}}
"""


def answer(status: str, body: str, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", body]).encode()


GOOD = answer("200 OK", "[]")
BUSY = answer("503 Service Unavailable", '{"code": "busy"}')
HTML = answer("200 OK", "<h1>Welcome to this network</h1>")
CUT_OFF = GOOD[:-1]
NO_HTTP = b"\x00\x01\x02\r\n\r\n"
SILENCE = b""


class Server:
    """Gives its answers one after the other, the last one again and again; keeps the requests."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.requests: list[bytes] = []
        self.delay = 0.0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
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

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    return {
        "BASE_URL": f"{server.url}/",
        "PROJECT_ID": "prj_of_a_test",
        "TOKEN_ID": "tok_of_a_test",
        "TOKEN_SECRET": SECRET,
    }


Call = Callable[[float], dict[str, Any]]


@pytest.fixture(params=LANGUAGES)
def call(
    request: pytest.FixtureRequest, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Give a function that makes one call and returns its answer, or status and body."""
    if request.param == "node":
        return lambda seconds: called(
            ["node", "--input-type=module", "-e"], NODE_CALLER, NODE.as_uri(), environment, seconds
        )
    if request.param == "php":
        return lambda seconds: called(["php", "-r"], PHP_CALLER, str(PHP), environment, seconds)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    program = imported()

    def call(seconds: float) -> dict[str, Any]:
        try:
            return {"answer": program.call("get-assessments-info", {}, seconds)}
        except program.CallFailed as failure:
            assert SECRET not in str(failure)
            return {"status": failure.status, "body": failure.body, "name": "CallFailed"}

    return call


def imported() -> ModuleType:
    spec = importlib.util.spec_from_file_location("partner_api", PYTHON)
    assert spec
    assert spec.loader
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def called(
    command: list[str], caller: str, module: str, environment: dict[str, str], seconds: float
) -> dict[str, Any]:
    done = subprocess.run(
        [*command, caller.format(module=json.dumps(module), seconds=seconds)],
        env={**environment, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert SECRET not in done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("first", [BUSY, HTML, CUT_OFF, NO_HTTP, SILENCE])
def test_what_may_pass_is_tried_again(call: Call, server: Server, first: bytes) -> None:
    server.answers = [first, GOOD]

    found = call(20)

    assert found == {"answer": []}
    assert len(server.requests) == 2
    assert server.requests[0].startswith(b"POST /partner/get-assessments-info ")


def test_retry_after_is_waited_for(call: Call, server: Server) -> None:
    busy = answer("429 Too Many Requests", '{"code": "rate_limited"}', "Retry-After: 3")
    server.answers = [busy, GOOD]
    begun = time.monotonic()

    found = call(20)

    assert found == {"answer": []}
    assert 3 <= time.monotonic() - begun < 6


def test_a_longer_retry_after_than_the_time_left_ends_it_at_once(
    call: Call, server: Server
) -> None:
    server.answers = [
        answer("429 Too Many Requests", '{"code": "rate_limited"}', "Retry-After: 25")
    ]
    begun = time.monotonic()

    found = call(20)

    assert found == {"status": 429, "body": {"code": "rate_limited"}, "name": "CallFailed"}
    assert len(server.requests) == 1
    assert time.monotonic() - begun < 3


def test_one_try_may_not_outlast_the_time(call: Call, server: Server) -> None:
    server.answers = [GOOD]
    server.delay = 4
    begun = time.monotonic()

    found = call(1)

    assert found["status"] is None
    assert "detail" in found["body"]
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("status", ["400 Bad Request", "401 Unauthorized", "404 Not Found"])
def test_what_cannot_pass_is_not_tried_again(call: Call, server: Server, status: str) -> None:
    server.answers = [answer(status, '{"code": "told"}')]

    found = call(20)

    assert found == {"status": int(status[:3]), "body": {"code": "told"}, "name": "CallFailed"}
    assert len(server.requests) == 1


def test_the_secret_follows_no_redirect(call: Call, server: Server) -> None:
    for status in ("302 Found", "303 See Other", "307 Temporary Redirect"):
        server.answers = [answer(status, "", f"Location: {server.url}/elsewhere")]
        server.requests.clear()

        found = call(20)

        assert found["status"] == int(status[:3])
        assert len(server.requests) == 1
