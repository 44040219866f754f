"""The check that runs after every real service finds what it is there to find."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from tests import hygiene
from tests.server import Service
from tokens import crypto


def test_what_was_handed_out_is_found_wherever_it_stands() -> None:
    token = secrets.token_urlsafe(32)

    hygiene.remember(f"https://assess.example.com/prj_x/assessment?token={token}")

    assert hygiene.leaks(f"cookie={token};") == [token]


def test_what_is_shaped_like_a_secret_is_found_unannounced() -> None:
    secret = crypto.new_secret()

    assert hygiene.leaks(f"X-Access-Token: tok_1:{secret}") == [secret]
    assert hygiene.leaks(f"digest {crypto.digest(secret)}") == []


@pytest.mark.one_database
def test_a_secret_in_a_table_fails_the_run(start_service: Callable[..., Service]) -> None:
    service = start_service()
    service.rows(
        "INSERT INTO django_session (session_key, session_data, expire_date)"
        " VALUES ('k', %s, '2030-01-01')",
        (crypto.new_secret(),),
    )

    with pytest.raises(AssertionError, match="a secret in django_session"):
        hygiene.check(service)
    service.rows("DELETE FROM django_session")
