"""Staff accounts: made, given roles, ended; their lists, and what a role says of itself."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from partners.models import AuditEvent
from staff import roles
from tests.factories import UserFactory, staff_as
from tests.staff.accounts import PASSWORD, form_of, page, role
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db

PERSON = {"first_name": "Bina", "last_name": "Das", "email": "bina@example.com"}


@pytest.fixture
def administrator() -> User:
    return staff_as(roles.ADMINISTRATOR)


@pytest.fixture
def client(administrator: User) -> Client:
    client = Client()
    client.force_login(administrator)
    return client


def last_event() -> tuple[str, str, str]:
    event = AuditEvent.objects.latest("pk")
    return event.action, event.object_id, event.reason


def test_an_account_is_made_in_one_step(client: Client, administrator: User) -> None:
    form = {"username": "bina", **PERSON, "groups": [role(roles.SUPPORT).pk]}

    response = client.post(page("user_add"), form)

    user = User.objects.get(username="bina")
    assert response.status_code == 200
    assert 'id="password-link"' in response.content.decode()
    assert user.is_staff
    assert user.is_active
    assert not user.is_superuser
    assert not user.has_usable_password()
    assert [group.name for group in user.groups.all()] == [roles.SUPPORT]
    events = AuditEvent.objects.about(user).order_by("pk")
    assert [(event.action, event.reason) for event in events] == [
        ("staff.added", "gave Support"),
        ("staff.password_link_made", ""),
    ]
    assert {event.actor for event in events} == {f"staff:{administrator.pk}"}


def test_no_password_is_asked_for_and_a_forged_one_is_not_set(client: Client) -> None:
    shown = client.get(page("user_add")).content.decode()
    client.post(
        page("user_add"), {"username": "bina", "password1": PASSWORD, "password2": PASSWORD}
    )

    assert 'type="password"' not in shown
    assert shown.count('type="submit"') == 2  # adds the account, signs out
    user = User.objects.get(username="bina")
    assert not user.has_usable_password()
    assert not user.check_password(PASSWORD)


def test_one_user_name_is_added_once(client: Client) -> None:
    client.post(page("user_add"), {"username": "bina"})

    again = client.post(page("user_add"), {"username": "bina"})  # the page was reloaded

    assert "already exists" in again.content.decode()
    assert "password-link" not in again.content.decode()
    assert AuditEvent.objects.filter(action="staff.password_link_made").count() == 1


def test_a_user_name_that_differs_in_case_only_is_refused(client: Client) -> None:
    UserFactory.create(username="bina")

    response = client.post(page("user_add"), {"username": "Bina"})

    assert "already exists" in response.content.decode()
    assert not User.objects.filter(username="Bina").exists()


def test_roles_are_given_and_taken(client: Client) -> None:
    user = staff_as(roles.SUPPORT, roles.CONTENT)
    wanted = [role(roles.CONTENT).pk, role(roles.AUDITOR).pk]

    edit(client, page("user_change", user.pk), form_of(user, groups=wanted, email="b@example.com"))

    assert {group.name for group in user.groups.all()} == {roles.CONTENT, roles.AUDITOR}
    assert last_event() == (
        "staff.changed",
        f"user-{user.pk}",
        "email, gave Auditor, took Support",
    )


def test_an_account_is_ended_and_opened_again(client: Client) -> None:
    user = staff_as(roles.SUPPORT)
    theirs = Client()
    theirs.force_login(user)

    edit(client, page("user_change", user.pk), form_of(user, is_active=""))

    assert last_event()[::2] == ("staff.changed", "deactivated")
    assert theirs.get("/admin/").status_code == 302

    edit(client, page("user_change", user.pk), form_of(user))

    user.refresh_from_db()
    assert user.is_active
    assert last_event()[::2] == ("staff.changed", "reactivated")


def test_no_session_of_an_ended_account_comes_back_with_it(client: Client) -> None:
    user, other = staff_as(roles.SUPPORT), staff_as(roles.SUPPORT)
    at_work, at_home, beside, theirs = Client(), Client(), Client(), Client()
    for browser, who in ((at_work, user), (at_home, user), (theirs, other)):
        browser.force_login(who)
    assert at_work.get("/admin/").status_code == 200

    edit(client, page("user_change", user.pk), form_of(user, is_active=""))

    assert Session.objects.count() == 2  # the administrator's and the other one's
    beside.force_login(user)  # a sign-in that had looked at the account just before
    edit(client, page("user_change", user.pk), form_of(user))

    user.refresh_from_db()
    assert user.is_active
    for browser in (at_work, at_home, beside):
        assert browser.get("/admin/").status_code == 302
    assert Session.objects.count() == 2
    assert theirs.get("/admin/").status_code == client.get("/admin/").status_code == 200


def test_the_list_shows_roles_state_and_last_sign_in(client: Client) -> None:
    staff_as(roles.SUPPORT, roles.CONTENT)
    UserFactory.create(is_active=False)

    shown = client.get(page("user_changelist")).content.decode()

    assert "Support, Content" in shown or "Content, Support" in shown
    assert "deactivated" in shown
    assert "Last login" in shown


def test_a_role_says_in_words_what_it_may(client: Client) -> None:
    support = role(roles.SUPPORT)
    member = User.objects.filter(groups=support).get()

    shown = client.get(page("group_change", support.pk)).content.decode()

    assert "issue, rotate and revoke access tokens" in shown
    assert "assessments.view_answer" not in shown
    assert member.username in shown
