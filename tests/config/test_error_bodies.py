"""Whatever fails under /partner/ is the one JSON body."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.urls("tests.config.probe_urls")


def checked(response: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """Return the body after what holds for every failure has been asserted."""
    body: dict[str, Any] = response.json()  # type: ignore[attr-defined]
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert body["type"] == f"{settings.APP_URL}/docs/#{code}"
    assert body["title"] == HTTPStatus(status).phrase
    assert body["status"] == status
    assert body["code"] == code
    assert body["detail"].endswith(".")
    assert body["requestId"] == response.headers["X-Request-ID"] != ""
    assert set(body) <= {"type", "title", "status", "detail", "code", "requestId", "errors"}
    assert ("errors" in body) == (code == "invalid_request")
    assert not [name for name in response.headers if name.lower().startswith("access-control")]
    return body


def post(client: Client, path: str, body: object = None, **headers: str) -> HttpResponse:
    return client.post(path, body or {}, content_type="application/json", **headers)


@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "options", "head"])
@pytest.mark.parametrize(
    "path", ["/partner", "/partner/", "/partner/nothing", "/partner/echo/", "/partner/assessment"]
)
def test_a_wrong_path_is_a_404_whatever_the_method(client: Client, path: str, method: str) -> None:
    response = getattr(client, method)(path)

    assert response.status_code == 404
    if method != "head":
        checked(response, 404, "not_found")


def test_a_wrong_path_is_a_404_for_a_strict_csrf_check_too() -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/partner/get-redirect-url/", {}, content_type="application/json")

    checked(response, 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_another_method_is_a_405_that_names_the_right_one(client: Client, method: str) -> None:
    response = client.generic(method, "/partner/get-redirect-url")

    checked(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == "POST"


def test_a_preflight_is_not_granted(client: Client) -> None:
    response = client.options(
        "/partner/get-redirect-url",
        HTTP_ORIGIN="https://elsewhere.example",
        HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST",
    )

    checked(response, 405, "method_not_allowed")


def test_fields_are_named_with_the_contracts_codes(client: Client) -> None:
    bodies = {
        "required": {},
        "blank": {"name": " "},
        "not_a_string": {"name": None},
        "too_long": {"name": "abcdef"},
        "invalid": {"name": {}},
    }

    for code, body in bodies.items():
        answer = checked(post(client, "/partner/checked", body), 400, "invalid_request")

        assert [(error["field"], error["code"]) for error in answer["errors"]] == [("name", code)]


def test_an_unsupported_media_type_is_a_400(client: Client) -> None:
    checked(post(client, "/partner/raising/media"), 400, "invalid_request")


def test_what_a_view_does_not_find_is_a_404(client: Client) -> None:
    checked(post(client, "/partner/raising/missing"), 404, "not_found")


def test_what_django_refuses_is_a_400(client: Client) -> None:
    body = checked(post(client, "/partner/raising/suspicious"), 400, "invalid_request")

    assert "itself refuses" not in str(body)


def test_a_missing_credential_is_a_401(client: Client) -> None:
    response = post(client, "/partner/get-redirect-url")

    checked(response, 401, "missing_credentials")
    assert response.headers["WWW-Authenticate"] == "AccessToken"


def test_too_many_requests_say_when_to_come_back(client: Client) -> None:
    response = post(client, "/partner/raising/throttled")

    checked(response, 429, "rate_limited")
    assert response.headers["Retry-After"] == "1"


def test_a_crash_is_a_500_without_a_trace(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.raise_request_exception = False

    with caplog.at_level(logging.ERROR):
        response = post(client, "/partner/raising/crash")

    body = checked(response, 500, "internal_error")
    assert response.headers["Retry-After"] == "2"
    assert "secret" not in str(body)
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize("path", ["/partner/echo", "/partner/nothing", "/partner"])
@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "testserver.evil.example", "testserver@evil.example", "[", "a b", "*"],
)
def test_a_foreign_host_is_a_400(client: Client, path: str, host: str) -> None:
    response = post(client, path, HTTP_HOST=host)

    answer = checked(response, 400, "invalid_request")
    assert answer["detail"] == "This host name is not served here. Check the base URL."
    assert [error["field"] for error in answer["errors"]] == [""]


def test_a_forwarded_host_is_not_believed(client: Client) -> None:
    response = post(client, "/partner/echo", {"a": 1}, HTTP_X_FORWARDED_HOST="evil.example")

    assert response.status_code == 200


def test_a_name_below_a_wildcard_is_let_in_and_a_foreign_one_is_not(
    client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = [".example.org"]

    ours = post(client, "/partner/echo", {"a": 1}, HTTP_HOST="host1.example.org")
    foreign = post(client, "/partner/echo", {"a": 1}, HTTP_HOST="example.com")

    assert (ours.status_code, foreign.status_code) == (200, 400)
