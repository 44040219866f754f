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


@pytest.mark.usefixtures("required")
def test_the_page_shows_the_current_state(client: Client) -> None:
    user = member()
    user.groups.add(Group.objects.get_or_create(name="Support")[0])
    give_password(client, user)
    device, _ = set_up(client)

    page = client.get("/admin/account/").content.decode()

    assert "Support" in page
    assert "10 of 10 left" in page
    assert f"{device.created_at:%Y, %H:%M} UTC" in page
    assert device.key not in page


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


@pytest.mark.usefixtures("still")  # tries are counted by the minute
def test_the_old_password_is_not_guessed_by_a_session_that_was_stolen(client: Client) -> None:
    user = member()
    give_password(client, user)
    for number in range(FAILURES_OF_ADDRESS):
        change_password(client, old=f"a guess, number {number}")

    refused = change_password(client)

    user.refresh_from_db()
    assert "Too many tries. Wait" in refused
    assert user.check_password(PASSWORD)
