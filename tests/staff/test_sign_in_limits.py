"""How often one may try to sign in, and that a stranger locks nobody out for long."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.staff.codes import LOGIN, PASSWORD, actions, give_password, is_in, member
from tokens import limit_store

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

OFFICE, STRANGER = "192.0.2.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def still() -> Iterator[time_machine.Traveller]:
    """Let no minute end during a test, unless it says so."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        caches["limits"].clear()
        yield traveller


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the user names whose passwords were looked at."""
    names: list[str] = []
    authenticate = ModelBackend.authenticate

    def noted(self: Any, request: Any, username: Any = None, **kwargs: Any) -> Any:
        names.append(username)
        return authenticate(self, request, username=username, **kwargs)

    monkeypatch.setattr(ModelBackend, "authenticate", noted)
    return names


def guess(name: str, address: str = STRANGER, times: int = 1) -> Any:
    """Try a wrong password from a browser without cookies; return the last answer."""
    form = {"username": name, "password": "a-wrong-guess"}
    return [Client().post(LOGIN, form, REMOTE_ADDR=address) for _ in range(times)][-1]


@pytest.mark.parametrize("exists", [True, False])
def test_the_sixth_try_of_an_account_waits_unhashed(exists: bool, hashed: list[str]) -> None:
    user = member() if exists else User(username="nobody")
    guess(user.username, times=5)

    answer = guess(user.username)

    wait = int(answer["Retry-After"])
    assert answer.status_code == 429
    assert 1 <= wait <= 60
    assert f"Too many tries. Wait {wait} second" in answer.content.decode()
    assert len(hashed) == 5
    assert actions(user) == (["sign_in_refused"] * 5 if exists else [])


def test_another_spelling_of_the_name_is_the_same_account(hashed: list[str]) -> None:
    guess("Support", times=3)
    guess("support", times=2)

    assert guess("SUPPORT").status_code == 429
    assert len(hashed) == 5


def test_even_the_right_password_waits(client: Client, still: time_machine.Traveller) -> None:
    user = member()
    guess(user.username, times=5)

    refused = give_password(client, user)
    still.shift(timedelta(minutes=1))
    taken = give_password(client, user)

    assert refused.status_code == 429
    assert taken["Location"] == "/admin/"


def test_ten_failures_of_an_address_are_enough(hashed: list[str]) -> None:
    for number in range(10):
        guess(f"name-{number}")

    assert guess("somebody").status_code == 429
    assert guess("somebody", address=OFFICE).status_code == 200
    assert len(hashed) == 11


def test_good_sign_ins_do_not_count_against_an_office() -> None:
    for _ in range(12):
        answer = give_password(Client(), member(), REMOTE_ADDR=OFFICE)
        assert answer["Location"] == "/admin/"


def test_a_stranger_keeps_nobody_out_of_a_browser_they_know(client: Client) -> None:
    user = member()
    give_password(client, user, REMOTE_ADDR=OFFICE)
    client.post("/admin/logout/")

    assert guess(user.username, times=6).status_code == 429
    give_password(client, user, REMOTE_ADDR=OFFICE)

    assert is_in(client)


def test_a_known_browser_has_its_own_five_tries(client: Client) -> None:
    user = member()
    give_password(client, user)

    answers = [give_password(client, user, "a-wrong-guess").status_code for _ in range(6)]

    assert answers == [200] * 5 + [429]


@pytest.mark.parametrize("cookie", ["", "forged", "{}", "eyJ4Ijoxfq:1tEst:AAAA", "\0", "é"])
def test_a_made_up_cookie_helps_nobody(cookie: str) -> None:
    user = member()
    guess(user.username, times=5)
    stranger = Client()
    stranger.cookies["known_browser"] = cookie

    answer = give_password(stranger, user)

    assert answer.status_code == 429


def test_the_cookie_of_one_account_is_no_help_with_another(client: Client) -> None:
    give_password(client, member())
    other = member()
    guess(other.username, times=5)

    assert give_password(client, other).status_code == 429


def test_the_cookie_is_given_only_after_the_second_factor(
    client: Client, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True

    give_password(client, member())

    assert "known_browser" not in client.cookies


def test_the_cookie_names_nobody_and_no_script_reads_it(client: Client) -> None:
    user = member(username="meenakshi")

    give_password(client, user)

    cookie = client.cookies["known_browser"]
    assert "meenakshi" not in cookie.value
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"


def test_signing_in_goes_on_without_redis(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit_store, "_redis_counters", {})
    gone = {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {**settings.CACHES, "limits": gone}
    user = member()

    taken = client.post(LOGIN, {"username": user.username, "password": PASSWORD})
    refused = guess(user.username, times=6)

    assert taken["Location"] == "/admin/"
    assert refused.status_code == 429
