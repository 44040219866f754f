"""/metrics opens for who has the METRICS_TOKEN, and is nothing at all where there is none."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

TOKEN = "a-token-of-the-tests-and-of-nothing-else"


@pytest.fixture
def token(settings: Settings) -> str:
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


@pytest.mark.django_db
def test_the_token_opens_it(token: str, client: Client) -> None:
    response = client.get("/metrics", headers={"Authorization": f"Bearer {token}"})

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    names = {family.name for family in text_string_to_metric_families(response.text)}
    assert {"assess_build_info", "assess_component_up", "assess_attempts"} <= names


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        TOKEN,
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN.upper()}",
        "Bearer ключ",
        "Bearer \ud800",
    ],
)
def test_nothing_else_does(token: str, client: Client, header: str | None) -> None:
    response = client.get("/metrics", headers={"Authorization": header} if header else {})

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.content == b""


@pytest.mark.django_db
def test_a_scraper_comes_by_the_address_of_the_machine_and_over_http(
    token: str, client: Client, settings: Settings
) -> None:
    settings.SECURE_COOKIES = settings.SECURE_SSL_REDIRECT = True

    response = client.get(
        "/metrics", headers={"Authorization": f"bearer {token}", "Host": "10.1.2.3:8000"}
    )

    assert response.status_code == 200


@pytest.mark.parametrize("header", ["Bearer ", "Bearer x"])
def test_without_a_token_it_is_an_unknown_address(client: Client, header: str) -> None:
    response = client.get("/metrics", headers={"Authorization": header})
    unknown = client.get("/no-such-address", headers={"Authorization": header})

    assert response.status_code == unknown.status_code == 404
    assert _without_differences(response.text) == _without_differences(unknown.text)
    assert response.headers.keys() == unknown.headers.keys()


def _without_differences(page: str) -> str:
    """Return a page without what is new in each: the request's id."""
    return re.sub(r"[0-9a-f]{32}", "", page)
