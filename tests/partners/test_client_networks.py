"""Limits by address count a home as one client."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from partners.client_networks import counted_as
from tests.factories import issued_token
from tokens import crypto


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
        ("2001:db8:0:1::1", "2001:db8::/56"),
        ("2001:db8:0:ff:ffff::9", "2001:db8::/56"),
        ("2001:db8:0:100::1", "2001:db8:0:100::/56"),
    ],
)
def test_a_home_of_ipv6_is_one_client(address: str, counted: str) -> None:
    assert counted_as(address) == counted


@pytest.mark.django_db
def test_guesses_from_one_home_are_counted_together(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 3
    caches["limits"].clear()

    token, _ = issued_token()
    credential = f"{token.token_id}:{crypto.new_secret()}"

    def status(network: int) -> int:
        answer = Client(REMOTE_ADDR=f"2001:db8:0:{network:x}::9").post(
            "/partner/get-redirect-url",
            {},
            content_type="application/json",
            headers={"X-Access-Token": credential, "Accept": "application/json"},
        )
        return answer.status_code

    statuses = [status(network) for network in range(5)]

    assert statuses == [401, 401, 401, 429, 429]
    assert status(0x100) == 401  # another home
