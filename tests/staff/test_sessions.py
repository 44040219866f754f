"""How long one stays signed in, and what the sign-in page says afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from partners.models import AuditEvent
from staff import sessions
from tests.staff.codes import LOGIN, PASSWORD, actions, give_password, is_in, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

PAGE = "/admin/account/?tab=1"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def test_after_half_an_hour_without_a_click_one_is_signed_out(
    client: Client, clock: time_machine.Traveller
) -> None:
    user = member()
    give_password(client, user)

    clock.shift(timedelta(minutes=30))
    answer = client.get(PAGE)

    address = urlsplit(answer["Location"])
    assert address.path == LOGIN
    assert parse_qs(address.query) == {"ended": ["idle"], "next": [PAGE]}
    assert "after 30 minutes without activity" in client.get(answer["Location"]).content.decode()
    assert not Session.objects.exists()
    assert actions(user) == ["signed_in", "signed_out"]
    assert AuditEvent.objects.about(user).newest_first()[0].reason == "idle"


def test_one_comes_back_to_where_one_was(client: Client, clock: time_machine.Traveller) -> None:
    user = member()
    give_password(client, user)
    clock.shift(timedelta(minutes=31))

    again = client.get(PAGE)["Location"]
    answer = client.post(again, {"username": user.username, "password": PASSWORD})

    assert answer["Location"] == PAGE


def test_what_was_sent_too_late_is_not_done_and_said(
    client: Client, clock: time_machine.Traveller
) -> None:
    user = member()
    give_password(client, user)
    clock.shift(timedelta(minutes=31))

    answer = client.post("/admin/password_change/", {"old_password": PASSWORD}, follow=True)

    assert "Your last change was not saved." in answer.content.decode()


def test_a_click_every_29_minutes_keeps_one_in(
    client: Client, clock: time_machine.Traveller
) -> None:
    give_password(client, member())

    for _ in range(10):
        clock.shift(timedelta(minutes=29))
        assert is_in(client)


def test_after_twelve_hours_one_is_signed_out_all_the_same(
    client: Client, clock: time_machine.Traveller
) -> None:
    give_password(client, member())
    for _ in range(35):
        clock.shift(timedelta(minutes=20))
        assert is_in(client)

    clock.shift(timedelta(minutes=20))
    answer = client.get("/admin/", follow=True)

    assert "12 hours after signing in" in answer.content.decode()
    assert not is_in(client)


def test_a_click_writes_at_most_once_a_minute(
    client: Client, clock: time_machine.Traveller
) -> None:
    give_password(client, member())
    written = []

    for _ in range(6):
        clock.shift(timedelta(seconds=20))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get("/admin/account/")
        written.append(any("UPDATE" in query["sql"] for query in queries))

    assert written == [False, False, True, False, False, True]


def test_elsewhere_the_session_is_not_looked_at(client: Client) -> None:
    give_password(client, member())

    with CaptureQueriesContext(connection) as queries:
        client.get("/docs/")

    assert not any("django_session" in query["sql"] for query in queries)


def test_ending_the_sessions_of_an_account_leaves_others(client: Client) -> None:
    user, colleague = member(), member()
    others = Client()
    give_password(others, colleague)
    give_password(client, user)
    give_password(Client(), user)

    ended = sessions.end_all(user)

    assert ended == 2
    assert not is_in(client)
    assert is_in(others)
