"""With an https APP_URL: pages are redirected, API calls are refused, probes are answered."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.urls("tests.config.probe_urls")


@pytest.fixture
def on_https(settings: Settings) -> Settings:
    settings.SECURE_COOKIES = True
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 60
    settings.TRUSTED_PROXY_COUNT = 1
    return settings


@pytest.mark.parametrize("path", ["/partner/echo", "/partner/nothing"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_the_api_over_http_is_refused_not_redirected(
    on_https: Settings, client: Client, path: str, method: str
) -> None:
    response = getattr(client, method)(path, content_type="application/json")

    assert response.status_code == 400
    assert response.json()["code"] == "https_required"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Location" not in response.headers


def test_the_api_behind_a_trusted_proxy_is_served(on_https: Settings, client: Client) -> None:
    response = client.post(
        "/partner/echo", {"a": 1}, content_type="application/json", HTTP_X_FORWARDED_PROTO="https"
    )

    assert response.status_code == 200
    assert response.headers["Strict-Transport-Security"].startswith("max-age=60")


def test_a_forged_scheme_is_not_believed(on_https: Settings, client: Client) -> None:
    on_https.TRUSTED_PROXY_COUNT = 0

    response = client.post(
        "/partner/echo", {"a": 1}, content_type="application/json", HTTP_X_FORWARDED_PROTO="https"
    )

    assert response.json()["code"] == "https_required"


def test_a_page_over_http_is_redirected(on_https: Settings, client: Client) -> None:
    response = client.get("/form")

    assert response.status_code == 301
    assert response.headers["Location"] == "https://testserver/form"


def test_a_probe_needs_neither_https_nor_a_known_host(on_https: Settings, client: Client) -> None:
    response = client.get("/healthz", HTTP_HOST="10.1.2.3")

    assert response.status_code == 200


def test_on_http_nothing_is_refused(client: Client) -> None:
    response = client.post("/partner/echo", {"a": 1}, content_type="application/json")

    assert response.status_code == 200
    assert "Strict-Transport-Security" not in response.headers
