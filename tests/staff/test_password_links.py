"""The link with which a colleague chooses a password: who makes it, and when it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from partners.models import AuditEvent
from staff import roles
from tests.factories import staff_as
from tests.staff.accounts import form_of, page
from tests.staff.codes import LOGIN, PASSWORD, actions, give_password, is_in, member
from tests.staff.password_links import (
    CHOOSE,
    NEW,
    assert_dead,
    choose,
    make_link,
    shown_link,
    token_of,
)
from tests.support.admin_forms import edit, opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]


@pytest.fixture
def administrator() -> Client:
    client = Client()
    client.force_login(staff_as(roles.ADMINISTRATOR))
    return client


@pytest.fixture
def user() -> User:
    return member(username="bina")


def test_a_new_colleague_chooses_a_password_and_signs_in(administrator: Client) -> None:
    link = shown_link(administrator.post(page("user_add"), {"username": "chitra"}))
    user = User.objects.get(username="chitra")

    answer = choose(link.removeprefix(settings.APP_URL))

    user.refresh_from_db()
    assert answer["Location"] == f"{LOGIN}?ended=password"
    assert "Your password is set." in Client().get(answer["Location"]).content.decode()
    assert user.check_password(NEW)
    browser = Client()
    give_password(browser, user, NEW)
    assert is_in(browser)
    assert actions(user) == ["added", "password_link_made", "password_chosen", "signed_in"]
    chosen = AuditEvent.objects.get(action="staff.password_chosen")
    assert (chosen.actor, chosen.address) == ("unknown", "127.0.0.1")


def test_a_link_works_once(administrator: Client, user: User) -> None:
    link = make_link(administrator, user)
    late = Client()
    form = opened(late, link)  # open in another window

    choose(link)

    again = late.post(
        form.action, form.sent({"new_password1": "y" * 20, "new_password2": "y" * 20})
    )
    assert again.status_code == 410
    assert_dead(link, user, NEW)
    assert actions(user) == ["password_link_made", "password_chosen"]


def test_a_link_works_for_a_day_and_no_longer(
    administrator: Client, user: User, still: time_machine.Traveller
) -> None:
    link = make_link(administrator, user)

    still.shift(timedelta(hours=24))
    assert Client().get(link).status_code == 200

    still.shift(timedelta(seconds=1))
    assert_dead(link, user)


def test_a_link_ends_with_a_password_that_was_changed_otherwise(
    administrator: Client, user: User
) -> None:
    link = make_link(administrator, user)
    theirs = Client()
    theirs.force_login(user)
    user.refresh_from_db()
    link_since = make_link(administrator, user)

    theirs.post(
        "/admin/password_change/",
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW},
    )

    assert_dead(link, user, NEW)
    assert_dead(link_since, user, NEW)


def test_a_link_ends_with_a_sign_in_and_with_another_address(
    administrator: Client, user: User
) -> None:
    link = make_link(administrator, user)
    give_password(Client(), user)
    assert_dead(link, user)

    user.refresh_from_db()
    link = make_link(administrator, user)
    edit(
        administrator, page("user_change", user.pk), form_of(user, email="b@example.com", groups=[])
    )
    assert_dead(link, user)


def test_two_links_end_with_the_first_that_is_used(administrator: Client, user: User) -> None:
    one, other = make_link(administrator, user), make_link(administrator, user)

    choose(other)

    assert_dead(one, user, NEW)


@pytest.mark.parametrize("values", [{"is_active": False}, {"is_staff": False}])
def test_an_account_that_cannot_sign_in_has_no_link(
    administrator: Client, user: User, values: dict[str, bool]
) -> None:
    link = make_link(administrator, user)
    User.objects.filter(pk=user.pk).update(**values)

    asked = administrator.get(page("user_password_change", user.pk))
    pressed = administrator.post(page("user_password_change", user.pk), follow=True)

    assert asked.status_code == 302
    assert "no link for this account" in pressed.content.decode()
    assert page("user_password_change", user.pk) not in pressed.content.decode()
    assert actions(user) == ["password_link_made"]
    assert_dead(link, user)


@pytest.mark.parametrize("role", [roles.SUPPORT, roles.CONTENT, roles.AUDITOR])
def test_other_roles_make_no_link(user: User, role: str) -> None:
    actor = Client()
    actor.force_login(staff_as(role))

    answer = actor.post(page("user_password_change", user.pk))

    assert answer.status_code == 403
    assert "password-link" not in answer.content.decode()
    assert actions(user) == []


def test_a_token_fits_its_own_account_only(administrator: Client, user: User) -> None:
    other = member()
    token = token_of(make_link(administrator, other)).partition("-")[2]

    assert_dead(f"{CHOOSE}?token={user.pk}-{token}", user)


def test_the_link_is_shown_once_and_names_our_host(
    administrator: Client, user: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.APP_URL = "https://assess.example.com"

    answer = administrator.post(
        page("user_password_change", user.pk), headers={"host": "evil.example"}
    )

    link = shown_link(answer)
    assert link.startswith("https://assess.example.com/admin/choose-password/?token=")
    assert "evil.example" not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert "data-copy" in answer.content.decode()
    for path in (page("user_change", user.pk), page("user_password_change", user.pk)):
        assert "choose-password" not in administrator.get(path).content.decode()


def test_the_account_s_page_says_whether_a_password_was_chosen(administrator: Client) -> None:
    administrator.post(page("user_add"), {"username": "chitra"})
    user = User.objects.get(username="chitra")

    before = administrator.get(page("user_change", user.pk)).content.decode()
    choose(make_link(administrator, user))
    after = administrator.get(page("user_change", user.pk)).content.decode()

    assert "Not chosen yet." in before
    assert "Chosen." in after
    assert "Make a link to choose a password" in before
