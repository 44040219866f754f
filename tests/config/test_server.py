"""The service as gunicorn runs it with the repository's settings, and what it loads."""

import json
import socket
from pathlib import Path

import pytest

from tests.support.clients import Partner, exchange
from tests.support.programs import until

pytestmark = pytest.mark.slow

LINK = "/partner/get-redirect-url"


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
    return Partner.onboarded(service.manage).credential


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


def test_a_charset_that_django_never_sees_is_told_as_the_fault(service, token):
    headers = {"Content_Type": "application/json; charset=iso-8859-1", "X_Access_Token": token}

    response, body = exchange(service, "POST", LINK, b"{}", **headers)

    assert response.status == 400
    assert "charset" in json.loads(body)["detail"]


HEAD = b"POST /partner/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"Content-Length: 0\r\nContent-Length: 50\r\n\r\n",
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


def test_the_log_has_nothing_of_a_request_that_cannot_be_read(service):
    raw(service, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHUNTER 2: x\r\n\r\n")

    until(lambda: "Invalid HTTP header name" in service.logs(), 5)
    assert "HUNTER" not in service.logs()


def test_the_list_of_all_static_files_is_not_served(service):
    names = json.loads((Path(service.environment["STATIC_ROOT"]) / "staticfiles.json").read_text())

    assert exchange(service, "GET", "/static/staticfiles.json")[0].status == 404
    student = f"/static/{names['paths']['student.css']}"
    assert exchange(service, "GET", student)[0].status == 200


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
