"""The service as gunicorn runs it with the repository's settings, and what it loads."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.support.programs import until
from tests.support.server import ROOT

PAGE = "/prj_0123456789abcdef/assessment"
LINK = "/partner/get-redirect-url"


def exchange(service, method, path, body=b"", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.request(
            method, path, body, {name.replace("_", "-"): text for name, text in headers.items()}
        )
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def raw(service, request):
    """Send bytes as they are; return what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as peer:
        peer.sendall(request)
        answer = b""
        while block := peer.recv(65536):
            answer += block
    return answer


@pytest.fixture(scope="session")
def token(service):
    """Give the header's value of a project of its own."""
    issued = json.loads(service.manage("onboard_partner", "Raw", "--project", "Bytes", "--json"))
    return f"{issued['TokenId']}:{issued['TokenSecret']}"


@pytest.mark.sqlite
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_the_probes_answer_whatever_the_host(service, path):
    response, body = exchange(service, "GET", path, Host="10.9.8.7")

    assert (response.status, json.loads(body)["status"]) == (200, "ok")


def test_a_hashed_static_file_is_served_compressed_and_for_ever(service):
    _, page = exchange(service, "GET", "/nothing")
    address = page.decode().split('rel="stylesheet" href="')[1].split('"')[0]

    response, _ = exchange(service, "GET", address, Accept_Encoding="br")

    assert (response.status, response.headers["Content-Encoding"]) == (200, "br")
    assert "immutable" in response.headers["Cache-Control"]


def chunks(*parts):
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (*parts, b""))


CHUNKED = b"Transfer-Encoding: chunked"


@pytest.mark.parametrize(
    ("length", "body", "says"),
    [
        (CHUNKED, chunks(b'{"name": "As', b'ha"}'), b'"field": "email"'),
        (CHUNKED, chunks(b"{}".ljust(5000), b" " * 11384), b'"field": "name"'),
        (CHUNKED, chunks(b"{}".ljust(5000), b" " * 11385), b"longer than 16384 bytes"),
        (b"Content-Length: 999999999999", b"{", b"longer than 16384 bytes"),
    ],
    ids=["chunks", "the longest chunks", "longer chunks", "a length that never comes"],
)
def test_a_body_in_chunks_is_read_and_an_oversize_one_refused(service, token, length, body, says):
    head = [
        f"POST {LINK} HTTP/1.1".encode(),
        *(b"Host: 127.0.0.1", b"Connection: close", b"Content-Type: application/json", length),
        f"X-Access-Token: {token}".encode(),
    ]

    answer = raw(service, b"\r\n".join([*head, b"", body]))

    assert b" 400 " in answer.splitlines()[0]
    assert says in answer
    assert (b'"field": "name"' in answer) == (says == b'"field": "name"')


HEAD = b"POST /partner/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"Content-Length: 0\r\nContent-Length: 50\r\n\r\n",
        b"Content-Length: 0, 50\r\n\r\n",
        b"Content-Length: +0\r\n\r\n",
        b"Content-Length : 0\r\n\r\n",
        b"Transfer-Encoding: xchunked\r\n\r\n",
        b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"Host: evil.example\r\n\r\n",
        b"X: y\r\n Transfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_one_request_never_gets_two_answers(service, rest):
    answer = raw(service, HEAD + rest + SMUGGLED)

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"status": "ok"' not in answer


MULTIPART = b'--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc\r\n--b--\r\n'
CHARSETS = ["rot13", "hex", "unicode_escape", "utf-16", "utf-8", "idna", "undefined"]
FORMS = ["application/json", "multipart/form-data; boundary=b"]
TYPES = [f"{form}; charset={charset}" for form in FORMS for charset in CHARSETS]
TYPES += ["text/plain; x*=nope''a", "a; x*=hex''zz", "a; *=;=*"]


@pytest.mark.slow
@pytest.mark.parametrize("content_type", TYPES)
def test_a_hostile_content_type_is_no_crash_on_any_path(service, content_type):
    for path in (PAGE, "/admin/login/", "/partner/nothing", "/nothing"):
        for query in ("a=%41&next=/%ff", "a&" * 1001):
            response, body = exchange(
                service, "POST", f"{path}?{query}", MULTIPART, Content_Type=content_type
            )

            assert 400 <= response.status < 500
            assert response.headers["X-Request-ID"]
            assert b"Internal Server Error" not in body


@pytest.mark.slow
@pytest.mark.parametrize("charset", ["rot13", "utf-16", "latin-1", "x*=nope''a"])
def test_the_api_refuses_another_charset(service, token, charset):
    named = {"Content_Type": f"application/json; charset={charset}", "X_Access_Token": token}

    response, body = exchange(service, "POST", f"{LINK}?a=b", b"{}", **named)

    assert (response.status, json.loads(body)["code"]) == (400, "invalid_request")
    assert "UTF-8" in json.loads(body)["detail"]


def test_the_log_has_nothing_of_a_request_that_cannot_be_read(service):
    raw(service, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHUNTER 2: x\r\n\r\n")

    until(lambda: "Invalid HTTP header name" in service.logs(), 5)
    assert "HUNTER" not in service.logs()


def test_the_access_line_has_no_query_and_believes_no_strangers_headers(service):
    response, _ = exchange(
        service,
        "GET",
        "/probe-of-log?token=AbC-123_x",
        X_Forwarded_For="6.6.6.6",
        X_Forwarded_Proto="https",
        X_Request_ID="probe-of-log",
    )

    def written():
        lines = service.logs().splitlines()
        return [line for line in lines if "gunicorn.access" in line and "probe-of-log" in line]

    until(written, 5)  # just after the answer
    entry = json.loads(written()[0])
    assert response.status == 404
    assert (entry["path"], entry["address"]) == ("/probe-of-log", "127.0.0.1")
    assert "AbC-123_x" not in service.logs()


@pytest.mark.slow
def test_two_workers_share_a_redis_and_report_when_it_hangs(start_service, redis_url, redis_server):
    service = start_service(REDIS_URL=redis_url)
    before = service.readiness()

    redis_server.pause()
    try:
        after, body = exchange(service, "GET", "/readyz")
    finally:
        redis_server.resume()

    assert service.logs().count("Booting worker") == 2
    assert before["status"] == "ok"
    assert after.status == 200
    assert json.loads(body) == {**before, "status": "degraded", "limiter": "failed"}


@pytest.mark.slow
def test_a_signal_cannot_add_a_worker_without_redis(start_service):
    service = start_service("sqlite")

    service.signal(signal.SIGTTIN)

    until(lambda: "More than one worker needs REDIS_URL" in service.logs(), 5)
    assert service.logs().count("Booting worker") == 1


def test_production_settings_pass_the_deployment_check(service):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=service.environment | {"APP_URL": "https://127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr


# Every module of the service: models, pages, API, admin and commands.
EVERYTHING = """
import sys
import config.wsgi
from importlib import import_module
from pathlib import Path

for app in ("partners", "tokens", "assessments", "staff", "config"):
    for file in Path(app).rglob("*.py"):
        import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_the_service_loads_neither_numpy_nor_the_lab():
    environment = os.environ | {"MODE": "test", "DJANGO_SETTINGS_MODULE": "config.settings"}

    loaded = subprocess.check_output(
        [sys.executable, "-c", EVERYTHING], cwd=ROOT, env=environment, text=True
    ).split()

    assert "assessments" in loaded
    assert {"numpy", "lab"}.isdisjoint(loaded)
