from __future__ import annotations

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from tests.factories import issued_token
from tokens import crypto
from tokens.limits import count_failure

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.tokens.probe_urls")]


def post(header: str, address: str = "192.0.2.1") -> int:
    response = Client(REMOTE_ADDR=address).post(
        "/partner/links", headers={"X-Access-Token": header}
    )
    return response.status_code


def unknown() -> str:
    return f"{crypto.new_token_id()}:{crypto.new_secret()}"


def test_beyond_the_limit_of_an_address_it_is_429(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 3

    with time_machine.travel(1_780_000_000, tick=False):
        statuses = [post(unknown()) for _ in range(5)]

    assert statuses == [401, 401, 401, 429, 429]


def test_the_429_says_when_to_come_back(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 1

    with time_machine.travel(1_780_000_000, tick=False):
        post(unknown())
        response = Client(REMOTE_ADDR="192.0.2.1").post(
            "/partner/links", headers={"X-Access-Token": unknown()}
        )

    assert response.status_code == 429
    assert response.json()["code"] == "rate_limited"
    assert 1 <= int(response.headers["Retry-After"]) <= 60


def test_a_good_token_is_never_affected(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 1
    token, secret = issued_token()
    for _ in range(3):
        post(unknown())
        post(f"{token}:{crypto.new_secret()}")

    assert post(f"{token}:{secret}") == 200
    assert post(f"{token}:{secret}", address="192.0.2.2") == 200


def test_malformed_headers_are_not_counted(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 1

    statuses = [*(post("tok_:sec_") for _ in range(5)), post(unknown())]

    assert statuses == [401] * 6


def test_another_address_has_its_own_count(settings: Settings) -> None:
    settings.FAILED_CREDENTIALS_PER_MINUTE = 1

    with time_machine.travel(1_780_000_000, tick=False):
        statuses = [post(unknown(), f"192.0.2.{last}") for last in (1, 1, 2)]

    assert statuses == [401, 429, 401]


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:ff:ffff::9", True),
        ("2001:db8::1", "2001:db8:0:100::1", False),
        ("unknown", "unknown", True),
    ],
)
def test_an_ipv6_network_shares_a_count(one: str, other: str, is_shared: bool) -> None:
    with time_machine.travel(1_780_000_000, tick=False):
        first, second = (
            count_failure(one, "links-unknown", 1),
            count_failure(other, "links-unknown", 1),
        )

    assert first == 0
    assert (second > 0) is is_shared


def test_each_group_has_its_own_count() -> None:
    with time_machine.travel(1_780_000_000, tick=False):
        waits = [count_failure("192.0.2.1", group, 1) for group in ("a", "b", "a")]

    assert waits[:2] == [0, 0]
    assert waits[2] > 0
