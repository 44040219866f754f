"""The headers of every answer: nothing cached, nothing framed, a request id, one CSP."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.urls("tests.config.probe_urls")

PATHS = ["/form", "/nothing", "/crash", "/partner/nothing", "/healthz", "/admin/login/"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_no_answer_is_kept_in_a_cache(client: Client, path: str) -> None:
    client.raise_request_exception = False

    response = client.get(path)

    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/healthz", {}, 200),
        ("POST", "/healthz", {}, 405),
        ("GET", "/readyz", {}, 200),
        ("POST", "/partner/echo", {}, 400),
        ("POST", "/partner/nothing", {}, 400),
        ("POST", "/partner/nothing", {"HTTP_X_FORWARDED_PROTO": "https"}, 404),
        ("GET", "/form", {}, 301),
        ("GET", "/form", {"HTTP_HOST": "evil.example"}, 400),
        ("GET", "/form", {"HTTP_HOST": "evil.example", "HTTP_X_FORWARDED_PROTO": "https"}, 400),
        ("GET", "/admin/?a=%00", {}, 400),
        ("POST", "/form", {"CONTENT_LENGTH": "1048577"}, 400),
        ("POST", "/form", {"HTTP_X_FORWARDED_PROTO": "https"}, 403),
        ("GET", "/nothing", {"HTTP_X_FORWARDED_PROTO": "https"}, 404),
        ("GET", "/crash", {"HTTP_X_FORWARDED_PROTO": "https"}, 500),
        ("GET", "/forbidden", {"HTTP_X_FORWARDED_PROTO": "https"}, 403),
        ("GET", "/docs/", {"HTTP_X_FORWARDED_PROTO": "https"}, 200),
        ("GET", "/openapi.json", {"HTTP_X_FORWARDED_PROTO": "https"}, 200),
        ("GET", "/admin/", {"HTTP_X_FORWARDED_PROTO": "https"}, 302),
        ("GET", "/static/student.css", {"HTTP_X_FORWARDED_PROTO": "https"}, 200),
    ],
)
def test_every_kind_of_answer_has_every_header(
    settings: Settings, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    settings.SECURE_COOKIES = True
    settings.SECURE_SSL_REDIRECT = True
    settings.TRUSTED_PROXY_COUNT = 1
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)

    response = client.generic(method, path, **headers)  # type: ignore[arg-type]

    assert response.status_code == status
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "strict-origin"
    assert response.headers["Cache-Control"]
    assert response.headers["X-Request-ID"]


def test_static_files_may_be_kept(client: Client) -> None:
    response = client.get("/static/student.css")

    assert response.status_code == 200
    assert "max-age" in response.headers["Cache-Control"]
    assert "no-store" not in response.headers["Cache-Control"]


def test_a_request_gets_an_id(client: Client) -> None:
    first = client.get("/form").headers["X-Request-ID"]

    second = client.get("/form").headers["X-Request-ID"]

    assert len(first) == len(second) == 32
    assert first != second


def test_a_callers_request_id_is_kept(client: Client) -> None:
    response = client.get("/partner/nothing", HTTP_X_REQUEST_ID="order-4711.a_b")

    assert response.headers["X-Request-ID"] == "order-4711.a_b"
    assert response.json()["requestId"] == "order-4711.a_b"


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "a b c d e f", "<script>1", "añadidos1"])
def test_an_unsuitable_request_id_is_replaced(client: Client, given: str) -> None:
    response = client.get("/form", HTTP_X_REQUEST_ID=given)

    assert response.headers["X-Request-ID"] != given
    assert len(response.headers["X-Request-ID"]) == 32
