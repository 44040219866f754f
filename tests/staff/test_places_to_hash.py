"""One password is hashed at a time in a process, and another one of a known browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.backends import ModelBackend
from django.core.cache import caches
from django.test import Client

from staff import sign_in_limits
from tests.staff.codes import (
    LOGIN,
    PASSWORD,
    actions,
    give_password,
    is_in,
    member,
    sign_in,
    with_app,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    caches["limits"].clear()
    monkeypatch.setattr(sign_in_limits, "_STAFF_WAIT", 0.1)


@pytest.fixture
def somebody_guesses() -> Iterator[None]:
    """Let another thread hash a stranger's guess for the whole test."""
    with hashing(sign_in_limits._STRANGERS):
        yield


class hashing:  # noqa: N801  used like a function
    """Hold a place from another thread."""

    def __init__(self, place: threading.Semaphore) -> None:
        self.place, self.taken, self.done = place, threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.hold)

    def hold(self) -> None:
        with self.place:
            self.taken.set()
            self.done.wait(30)

    def __enter__(self) -> None:
        self.thread.start()
        assert self.taken.wait(10)

    def __exit__(self, *of_error: Any) -> None:
        self.done.set()
        self.thread.join()


@pytest.mark.usefixtures("somebody_guesses")
def test_a_second_stranger_is_told_to_wait_a_second_and_costs_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = member()
    hashed: list[Any] = []
    monkeypatch.setattr(ModelBackend, "authenticate", lambda *args, **named: hashed.append(named))

    answers = [
        Client().post(LOGIN, {"username": user.username, "password": PASSWORD}) for _ in range(9)
    ]

    assert {answer.status_code for answer in answers} == {429}
    assert {answer["Retry-After"] for answer in answers} == {"1"}
    said = "Others are signing in at this moment. Wait 1 second, then try again."
    assert said in answers[-1].content.decode()
    assert hashed == []
    # Nothing was counted: the account's five tries are left.
    assert actions(user) == []


def test_when_the_place_is_free_again_the_next_one_gets_it() -> None:
    user, client = member(), Client()
    with hashing(sign_in_limits._STRANGERS):
        assert give_password(client, user).status_code == 429

    assert give_password(client, user).status_code == 302


def test_a_browser_that_signed_in_before_does_not_wait_for_guessers(client: Client) -> None:
    user = member()
    sign_in(client, user, with_app(user))
    assert is_in(client)
    with hashing(sign_in_limits._STRANGERS):
        assert give_password(client, user).status_code == 302


def test_the_browsers_of_staff_wait_for_each_other_and_not_for_ever(client: Client) -> None:
    user = member()
    sign_in(client, user, with_app(user))
    assert is_in(client)
    with hashing(sign_in_limits._STAFF):
        assert give_password(client, user).status_code == 429
        assert give_password(Client(), user).status_code == 302
