"""Requests that gunicorn must refuse as a whole, because a proxy may read them in another way."""

from __future__ import annotations

import re
import socket

import pytest

from tests.support.server import Service

pytestmark = pytest.mark.slow

HOST = b"Host: 127.0.0.1\r\n"
# Whoever stops reading too early takes this for a request of its own.
SMUGGLED = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
POST = b"POST /partner/get-assessments-info HTTP/1.1\r\n" + HOST
REFUSED = {
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + SMUGGLED,
    "a length and chunks": POST
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    "a space before the colon": POST + b"Content-Length : 0\r\n\r\n" + SMUGGLED,
}


@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_an_ambiguous_request_gets_one_refusal_and_no_second_answer(
    service: Service, sent: bytes
) -> None:
    received = b""
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(sent)
        while block := connection.recv(65536):
            received += block

    assert re.findall(rb"HTTP/1\.1 (\d+)", received) == [b"400"]
