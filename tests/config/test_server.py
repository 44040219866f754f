"""The service as gunicorn runs it with the repository's settings."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.conftest import RedisServer
from tests.support.server import ROOT, Service


def exchange(
    service: Service, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.request(
            method, path, body, {name.replace("_", "-"): text for name, text in headers.items()}
        )
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def raw(service: Service, request: bytes) -> bytes:
    """Send bytes as they are; return what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as peer:
        peer.sendall(request)
        answer = b""
        while block := peer.recv(65536):
            answer += block
    return answer


@pytest.mark.sqlite
def test_the_probes_answer(service: Service) -> None:
    for path in ("/healthz", "/readyz"):
        response, body = exchange(service, "GET", path, Host="10.9.8.7")

        assert response.status == 200
        assert json.loads(body)["status"] == "ok"


def test_a_hashed_static_file_is_served_compressed_and_for_ever(service: Service) -> None:
    _, page = exchange(service, "GET", "/nothing")
    address = page.decode().split('rel="stylesheet" href="')[1].split('"')[0]

    response, _ = exchange(service, "GET", address, Accept_Encoding="br")

    assert response.status == 200
    assert response.headers["Content-Encoding"] == "br"
    assert "immutable" in response.headers["Cache-Control"]


@pytest.fixture(scope="session")
def credentials(service: Service) -> bytes:
    """Give the header of a project of its own."""
    printed = service.manage("onboard_partner", "Raw", "--project", "Bytes", "--json")
    issued = json.loads(printed)
    return f"X-Access-Token: {issued['TokenId']}:{issued['TokenSecret']}\r\n".encode()


def in_chunks(credentials: bytes, *chunks: bytes) -> bytes:
    """Return a link request whose body comes in chunks, without a length."""
    return (
        b"POST /partner/get-redirect-url HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        + credentials
        + b"\r\n"
        + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
        + b"0\r\n\r\n"
    )


def test_a_body_in_chunks_is_read(service: Service, credentials: bytes) -> None:
    answer = raw(service, in_chunks(credentials, b'{"name": "As', b'ha"}'))

    missing = [error["field"] for error in json.loads(answer.split(b"\r\n\r\n")[1])["errors"]]
    assert b" 400 " in answer.splitlines()[0]
    assert sorted(missing) == ["email", "mobile", "projectId"]


def test_a_body_in_chunks_may_not_be_longer_either(service: Service, credentials: bytes) -> None:
    answer = raw(service, in_chunks(credentials, *[b" " * 5000] * 4))

    assert b" 400 " in answer.splitlines()[0]
    assert b"longer than 16384 bytes" in answer


def test_the_log_has_nothing_of_a_request_that_cannot_be_read(service: Service) -> None:
    raw(service, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHUNTER 2: x\r\n\r\n")

    for _ in range(100):
        if "Invalid HTTP header name" in service.logs():
            break
        time.sleep(0.05)
    assert "Invalid HTTP header name" in service.logs()
    assert "HUNTER" not in service.logs()


def test_an_oversize_body_is_answered_without_being_read(
    service: Service, credentials: bytes
) -> None:
    answer = raw(
        service,
        b"POST /partner/get-redirect-url HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nContent-Length: 999999999999\r\n"
        + credentials
        + b"\r\n{",
    )

    assert b" 400 " in answer.splitlines()[0]
    assert b"longer than 16384 bytes" in answer


HEAD = b"POST /partner/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        HEAD + b"Content-Length: 0\r\nContent-Length: 50\r\n\r\n" + SMUGGLED,
        HEAD + b"Content-Length: 0, 50\r\n\r\n" + SMUGGLED,
        HEAD + b"Content-Length: +0\r\n\r\n" + SMUGGLED,
        HEAD + b"Content-Length : 0\r\n\r\n" + SMUGGLED,
        HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + SMUGGLED,
        HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SMUGGLED,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + SMUGGLED,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
        HEAD + b"Host: evil.example\r\n\r\n" + SMUGGLED,
        HEAD + b"X: y\r\n Transfer-Encoding: chunked\r\n\r\n" + SMUGGLED,
    ],
)
def test_one_request_never_gets_two_answers(service: Service, request_bytes: bytes) -> None:
    answer = raw(service, request_bytes)

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"status": "ok"' not in answer


def test_a_hostile_host_gets_the_json_body(service: Service) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "127.0.0.1:evil", "[::1"):
        response, body = exchange(service, "POST", "/partner/get-redirect-url", Host=host)

        assert response.status == 400
        assert json.loads(body)["code"] == "invalid_request"


def test_the_scheme_and_the_address_of_a_stranger_are_not_believed(service: Service) -> None:
    response, _ = exchange(
        service,
        "GET",
        "/probe-of-address",
        X_Forwarded_For="6.6.6.6",
        X_Forwarded_Proto="https",
        X_Request_ID="probe-of-address",
    )

    assert response.status == 404
    entry = access_line(service, "probe-of-address")
    assert entry["address"] == "127.0.0.1"


def test_the_access_line_has_no_query(service: Service) -> None:
    exchange(service, "GET", "/probe-of-log?token=AbC-123_x", X_Request_ID="probe-of-log")

    entry = access_line(service, "probe-of-log")
    assert entry["path"] == "/probe-of-log"
    assert "AbC-123_x" not in service.logs()


def access_line(service: Service, request_id: str) -> dict[str, object]:
    """Return gunicorn's line for a request; it is written just after the answer."""
    for _ in range(50):
        for text in service.logs().splitlines():
            if "gunicorn.access" in text and request_id in text:
                entry: dict[str, object] = json.loads(text)
                return entry
        time.sleep(0.05)
    raise AssertionError(f"no access line for {request_id}")


@pytest.mark.slow
def test_two_workers_share_a_redis_and_report_when_it_hangs(
    start_service: Callable[..., Service], redis_url: str, redis_server: RedisServer
) -> None:
    service = start_service(REDIS_URL=redis_url)
    before, _ = exchange(service, "GET", "/readyz")

    redis_server.pause()
    try:
        after, body = exchange(service, "GET", "/readyz")
    finally:
        redis_server.resume()

    assert service.logs().count("Booting worker") == 2
    assert before.status == 200
    assert after.status == 200
    assert json.loads(body)["status"] == "degraded"
    assert json.loads(body)["limiter"] == "failed"


@pytest.mark.slow
def test_a_signal_cannot_add_a_worker_without_redis(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("sqlite")

    service.signal(signal.SIGTTIN)

    for _ in range(100):
        if "More than one worker needs REDIS_URL" in service.logs():
            break
        time.sleep(0.05)
    assert "More than one worker needs REDIS_URL" in service.logs()
    assert service.logs().count("Booting worker") == 1


def test_production_settings_pass_the_deployment_check(service: Service) -> None:
    environment = service.environment | {"APP_URL": "https://127.0.0.1"}

    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
