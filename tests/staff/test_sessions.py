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
from staff.sign_in import FAILURES_OF_ADDRESS
from tests.staff.codes import LOGIN, PASSWORD, actions, give_password, is_in, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

PAGE = "/admin/account/?tab=1"
NEW = "a-new-and-longer-password"


def change_password(client: Client, new: str = NEW, old: str = PASSWORD) -> str:
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/admin/password_change/", form, follow=True).content.decode()


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


# --- one's own password


def test_a_new_password_ends_other_sessions_and_is_audited(client: Client) -> None:
    user = member()
    elsewhere = Client()
    give_password(elsewhere, user)
    give_password(client, user)

    change_password(client)

    user.refresh_from_db()
    assert user.check_password(NEW)
    assert is_in(client)
    assert not is_in(elsewhere)
    assert actions(user)[-1] == "password_changed"


def test_the_old_password_is_not_guessed_by_a_session_that_was_stolen(client: Client) -> None:
    user = member()
    give_password(client, user)
    for number in range(FAILURES_OF_ADDRESS):
        change_password(client, old=f"a guess, number {number}")

    refused = change_password(client)

    user.refresh_from_db()
    assert "Too many tries" in refused
    assert user.check_password(PASSWORD)
