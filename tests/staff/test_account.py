"""One's own account: what stands of it, and the password."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from staff.sign_in_limits import FAILURES_OF_ADDRESS
from tests.staff.codes import (
    PASSWORD,
    actions,
    give_password,
    is_in,
    member,
    set_up,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

NEW = "a-new-and-longer-password"


def change_password(client: Client, new: str = NEW, old: str = PASSWORD) -> str:
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/admin/password_change/", form, follow=True).content.decode()


def test_the_header_of_every_page_leads_to_the_account(client: Client) -> None:
    give_password(client, member())

    for path in ("/admin/", "/admin/password_change/", "/admin/account/"):
        page = client.get(path).content.decode()
        assert 'href="/admin/account/"' in page
        assert "Sign out" in page


@pytest.mark.usefixtures("required")
def test_the_page_says_what_stands(client: Client) -> None:
    user = member()
    user.groups.add(Group.objects.get_or_create(name="Support")[0])
    give_password(client, user)
    device, _ = set_up(client)

    page = client.get("/admin/account/").content.decode()

    assert "Support" in page
    assert "10 of 10 left" in page
    assert f"{device.created_at:%Y, %H:%M} UTC" in page
    assert device.key not in page


def test_where_no_second_factor_is_asked_the_page_says_so(client: Client) -> None:
    give_password(client, member())

    page = client.get("/admin/account/").content.decode()

    assert "This installation does not require one." in page
    assert client.get("/admin/account/recovery-codes/")["Location"] == "/admin/account/"


def test_a_new_password_ends_other_sessions_and_is_audited(client: Client) -> None:
    user = member()
    elsewhere = Client()
    give_password(elsewhere, user)
    give_password(client, user)

    page = change_password(client)

    user.refresh_from_db()
    assert "Your password was changed." in page
    assert user.check_password(NEW)
    assert is_in(client)
    assert not is_in(elsewhere)
    assert actions(user)[-1] == "password_changed"


@pytest.mark.parametrize(
    ("new", "old"),
    [("short-pass-12", PASSWORD), ("123456789987654321", PASSWORD), (NEW, "not-the-old-one")],
)
def test_a_poor_password_changes_nothing(client: Client, new: str, old: str) -> None:
    user = member()
    give_password(client, user)

    page = change_password(client, new, old)

    user.refresh_from_db()
    assert "errorlist" in page
    assert user.check_password(PASSWORD)
    assert "password_changed" not in actions(user)


def test_the_old_password_is_not_guessed_by_a_session_that_was_stolen(client: Client) -> None:
    user = member()
    give_password(client, user)
    for number in range(FAILURES_OF_ADDRESS):
        change_password(client, old=f"a guess, number {number}")

    refused = change_password(client)

    user.refresh_from_db()
    assert "Too many tries. Wait" in refused
    assert user.check_password(PASSWORD)
