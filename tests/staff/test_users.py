"""Staff accounts: made, given roles, ended; their lists, and what a role says of itself."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from partners.models import AuditEvent
from staff import roles
from tests.factories import UserFactory, permission_row, staff_as
from tests.staff.accounts import PASSWORD, form_of, page, role
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db

FORGED = "nine purple kettles sing"
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


def test_no_session_of_an_ended_account_comes_back_with_it(client: Client) -> None:
    user, other = staff_as(roles.SUPPORT), staff_as(roles.SUPPORT)
    at_work, at_home, beside, theirs = Client(), Client(), Client(), Client()
    for browser, who in ((at_work, user), (at_home, user), (theirs, other)):
        browser.force_login(who)
    assert at_work.get("/admin/").status_code == 200

    edit(client, page("user_change", user.pk), form_of(user, is_active=""))

    assert last_event()[::2] == ("staff.changed", "deactivated")
    assert Session.objects.count() == 2  # the administrator's and the other one's
    beside.force_login(user)  # a sign-in that had looked at the account just before
    edit(client, page("user_change", user.pk), form_of(user))

    user.refresh_from_db()
    assert user.is_active
    for browser in (at_work, at_home, beside):
        assert browser.get("/admin/").status_code == 302
    assert Session.objects.count() == 2
    assert theirs.get("/admin/").status_code == client.get("/admin/").status_code == 200


# --- nobody climbs by a forged form


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_account_is_deleted(method: str) -> None:
    user = staff_as(roles.SUPPORT)
    superuser = Client()
    superuser.force_login(UserFactory.create(is_superuser=True))

    response = getattr(superuser, method)(page("user_delete", user.pk), {"post": "yes"})
    superuser.post(
        page("user_changelist"),
        {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"},
    )

    assert response.status_code == 403
    assert User.objects.filter(pk=user.pk).exists()


@pytest.mark.parametrize("who", ["a colleague", "oneself"])
def test_nobody_is_made_a_superuser_by_a_forged_form(
    client: Client, administrator: User, who: str
) -> None:
    user = staff_as(roles.SUPPORT) if who == "a colleague" else administrator
    single = permission_row("auth.change_group")
    forged = form_of(user, is_superuser="on", is_staff="on", user_permissions=[single.pk])

    response = edit(client, page("user_change", user.pk), forged)

    user.refresh_from_db()
    assert response.status_code == 302
    assert not user.is_superuser
    assert not user.user_permissions.exists()


def test_a_superuser_s_account_is_closed_to_an_administrator(client: Client) -> None:
    superuser = UserFactory.create(is_superuser=True, username="root")
    superuser.set_password(PASSWORD)
    superuser.save()
    before = User.objects.filter(pk=superuser.pk).values().get()

    seen = client.get(page("user_change", superuser.pk))
    sent = edit(client, page("user_change", superuser.pk), form_of(superuser, is_active=""))
    link = client.post(page("user_password_change", superuser.pk))

    assert seen.status_code == 200
    assert "Superuser" in seen.content.decode()
    assert 'name="_save"' not in seen.content.decode()
    assert (sent.status_code, link.status_code) == (403, 403)
    assert not AuditEvent.objects.filter(action="staff.password_link_made").exists()
    assert User.objects.filter(pk=superuser.pk).values().get() == before


def test_nobody_changes_their_own_roles_or_ends_their_own_account(
    client: Client, administrator: User
) -> None:
    forged = form_of(administrator, is_active="", groups=[role(roles.SUPPORT).pk], first_name="Io")

    edit(client, page("user_change", administrator.pk), forged)

    administrator.refresh_from_db()
    assert administrator.first_name == "Io"
    assert administrator.is_active
    assert [group.name for group in administrator.groups.all()] == [roles.ADMINISTRATOR]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"password1": FORGED, "password2": FORGED},
        {"new_password1": FORGED, "new_password2": FORGED},
        {"usable_password": "false"},
    ],
)
def test_no_form_changes_or_takes_the_password_of_a_colleague(
    client: Client, form: dict[str, str]
) -> None:
    user = staff_as(roles.SUPPORT)
    user.set_password(PASSWORD)
    user.save()

    before = User.objects.filter(pk=user.pk).values().get()

    asked = client.get(page("user_password_change", user.pk)).content.decode()
    response = client.post(page("user_password_change", user.pk), {**form, "unset-password": "1"})

    assert 'type="password"' not in asked + response.content.decode()
    assert response.status_code == 200
    assert User.objects.filter(pk=user.pk).values().get() == before


def test_a_new_account_is_not_born_a_superuser(client: Client) -> None:
    single = permission_row("auth.change_group")
    forged = {"is_superuser": "on", "user_permissions": [single.pk], "is_staff": ""}

    client.post(page("user_add"), {"username": "bina", **forged})

    user = User.objects.get(username="bina")
    assert not user.is_superuser
    assert user.is_staff
    assert not user.user_permissions.exists()


def test_one_s_own_password_takes_the_old_one(client: Client, administrator: User) -> None:
    shown = client.get(page("user_change", administrator.pk)).content.decode()
    response = client.post(page("user_password_change", administrator.pk))

    assert page("user_password_change", administrator.pk) not in shown
    assert response.headers["Location"] == reverse("admin:password_change")
    assert not AuditEvent.objects.filter(action="staff.password_link_made").exists()
