"""A Content-Type that asks for another charset: no answer of gunicorn's own, on any path."""

from __future__ import annotations

import json

import pytest

from tests.config.test_server import exchange
from tests.support.server import Service

pytestmark = pytest.mark.slow

CHARSETS = ["rot13", "hex", "unicode_escape", "utf-16", "utf-8", "idna", "undefined"]
MULTIPART = b'--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc\r\n--b--\r\n'
PAGE = "/prj_0123456789abcdef/assessment"


@pytest.fixture(scope="session")
def token(service: Service) -> str:
    """Give the header's value of a project of its own."""
    printed = service.manage("onboard_partner", "Charsets", "--project", "Words", "--json")
    issued = json.loads(printed)
    return f"{issued['TokenId']}:{issued['TokenSecret']}"


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("media_type", ["application/json", "multipart/form-data; boundary=b"])
@pytest.mark.parametrize("path", [PAGE, "/admin/login/", "/partner/nothing", "/nothing"])
def test_every_path_answers_itself(
    service: Service, path: str, media_type: str, charset: str
) -> None:
    response, body = exchange(
        service,
        "POST",
        f"{path}?a=%41&next=/%ff",
        MULTIPART,
        Content_Type=f"{media_type}; charset={charset}",
    )

    assert 400 <= response.status < 500
    assert response.headers["X-Request-ID"]
    assert b"Internal Server Error" not in body


@pytest.mark.parametrize("charset", ["rot13", "utf-16", "latin-1", "x*=nope''a"])
def test_the_api_refuses_another_charset(service: Service, token: str, charset: str) -> None:
    response, body = exchange(
        service,
        "POST",
        "/partner/get-redirect-url?a=b",
        b"{}",
        Content_Type=f"application/json; charset={charset}",
        X_Access_Token=token,
    )

    assert response.status == 400
    assert json.loads(body)["code"] == "invalid_request"
    assert "UTF-8" in json.loads(body)["detail"]


@pytest.mark.parametrize("content_type", ["text/plain; x*=nope''a", "a; x*=hex''zz", "a; *=;=*"])
def test_an_unreadable_content_type_is_no_crash(service: Service, content_type: str) -> None:
    response, _ = exchange(service, "POST", PAGE, b"a=b", Content_Type=content_type)

    assert 400 <= response.status < 500
    assert response.headers["X-Request-ID"]


def test_too_many_query_parameters_are_no_crash(service: Service) -> None:
    query = "a&" * 1001

    response, _ = exchange(
        service, "GET", f"{PAGE}?{query}", Content_Type="text/plain; charset=utf-8"
    )

    assert 400 <= response.status < 500
    assert response.headers["X-Request-ID"]
