"""/.well-known/security.txt, as RFC 9116 has it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import time_machine
from django.test import Client

ADDRESS = "/.well-known/security.txt"


def fields(client: Client) -> dict[str, str]:
    lines = client.get(ADDRESS).content.decode().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def test_it_names_the_contact_and_its_own_address(client: Client, settings: Any) -> None:
    settings.APP_URL = "https://assess.example.org"

    response = client.get(ADDRESS)
    found = fields(client)

    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert list(found) == ["Contact", "Expires", "Preferred-Languages", "Canonical"]
    assert found["Contact"] == f"mailto:{settings.SUPPORT_EMAIL}"
    assert found["Preferred-Languages"] == "en"
    assert found["Canonical"] == f"https://assess.example.org{ADDRESS}"


def test_it_never_expires_soon_and_is_valid_for_less_than_a_year(client: Client) -> None:
    for now in (datetime(2026, 11, 23, 9, tzinfo=UTC), datetime(2031, 2, 28, 23, tzinfo=UTC)):
        with time_machine.travel(now, tick=False):
            expires = datetime.fromisoformat(fields(client)["Expires"])
        assert timedelta(days=90) < expires - now < timedelta(days=365)


def test_it_is_only_read(client: Client) -> None:
    assert client.post(ADDRESS).status_code == 405
