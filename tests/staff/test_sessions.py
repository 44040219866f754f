"""How long one stays signed in, what the sign-in page says afterwards, and one's own password."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from partners.models import AuditEvent
from staff.sign_in_limits import MAX_FAILURES
from tests.staff.accounts import LOGIN, PASSWORD, actions, give_password, is_in, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

PAGE = "/admin/account/?tab=1"
NEW = "a-new-and-longer-password"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def user():
    return member()


@pytest.fixture
def client(still, user):
    """Give a browser in which the user has signed in."""
    client = Client()
    give_password(client, user)
    return client


@pytest.mark.parametrize("method", ["get", "post"])
def test_after_half_an_hour_without_a_click_one_is_signed_out(client, user, still, method):
    still.shift(30 * MINUTE)
    answer = getattr(client, method)(PAGE)

    address, unsaved = urlsplit(answer["Location"]), {"unsaved": ["1"]} if method == "post" else {}
    page = client.get(answer["Location"])
    assert address.path == LOGIN
    assert parse_qs(address.query) == {"ended": ["idle"], "next": [PAGE], **unsaved}
    assert (page.context["ended"], page.context["is_unsaved"]) == (
        "You were signed out after 30 minutes without activity.",
        method == "post",
    )
    assert ("Your last change was not saved." in page.content.decode()) is (method == "post")
    assert not Session.objects.exists()
    assert actions(user) == ["signed_in", "signed_out"]
    assert AuditEvent.objects.about(user).newest_first()[0].reason == "idle"


def test_a_click_every_29_minutes_keeps_one_in_for_twelve_hours(client, still):
    for _ in range(24):
        still.shift(29 * MINUTE)
        assert is_in(client)
    still.shift(23 * MINUTE)
    assert is_in(client)

    still.shift(MINUTE)
    answer = client.get("/admin/", follow=True)

    assert "12 hours after signing in" in answer.context["ended"]
    assert not is_in(client)


def test_a_click_writes_at_most_once_a_minute(client, still):
    written = []

    for _ in range(6):
        still.shift(timedelta(seconds=20))
        with CaptureQueriesContext(connection) as queries:
            client.get("/admin/account/")
        written.append("UPDATE" in str(queries.captured_queries))

    assert written == [False, False, True, False, False, True]


def change_password(client, old=PASSWORD):
    form = {"old_password": old, "new_password1": NEW, "new_password2": NEW}
    return client.post("/admin/password_change/", form, follow=True).content.decode()


def test_a_new_password_ends_other_sessions_and_is_audited(client, user):
    elsewhere = Client()
    give_password(elsewhere, user)

    change_password(client)

    user.refresh_from_db()
    assert user.check_password(NEW)
    assert (is_in(client), is_in(elsewhere)) == (True, False)
    assert actions(user)[-1] == "password_changed"


def test_the_old_password_is_not_guessed_by_a_session_that_was_stolen(client, user):
    for number in range(MAX_FAILURES):
        assert "Too many tries" not in change_password(client, old=f"a guess, number {number}")

    refused = change_password(client)

    user.refresh_from_db()
    assert "Too many tries" in refused
    assert user.check_password(PASSWORD)
