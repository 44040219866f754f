"""Nobody climbs by a forged form: not to superuser, not past the four roles, not past oneself."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from partners.models import AuditEvent
from staff import roles
from tests.factories import UserFactory, permission_row, staff_as
from tests.staff.accounts import PASSWORD, form_of, page, role
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db
FORGED = "nine purple kettles sing"


@pytest.fixture
def administrator() -> User:
    return staff_as(roles.ADMINISTRATOR)


@pytest.fixture
def client(administrator: User) -> Client:
    client = Client()
    client.force_login(administrator)
    return client


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


def test_a_new_account_is_not_born_a_superuser(client: Client) -> None:
    single = permission_row("auth.change_group")
    forged = {"is_superuser": "on", "user_permissions": [single.pk], "is_staff": ""}

    client.post(page("user_add"), {"username": "bina", **forged})

    user = User.objects.get(username="bina")
    assert not user.is_superuser
    assert user.is_staff
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


def test_no_other_group_can_be_given(client: Client) -> None:
    other = Group.objects.create(name="All powers")
    other.permissions.add(permission_row("auth.change_group"))
    user = staff_as(roles.SUPPORT)

    response = edit(client, page("user_change", user.pk), form_of(user, groups=[other.pk]))

    assert "Select a valid choice" in response.content.decode()
    assert [group.name for group in user.groups.all()] == [roles.SUPPORT]


def test_a_group_of_another_making_is_kept(client: Client) -> None:
    other = Group.objects.create(name="Readers of logs")
    user = staff_as(roles.SUPPORT)
    user.groups.add(other)

    edit(client, page("user_change", user.pk), form_of(user, groups=[role(roles.CONTENT).pk]))

    assert {group.name for group in user.groups.all()} == {"Readers of logs", roles.CONTENT}


@pytest.mark.parametrize("name", [roles.SUPPORT, roles.CONTENT, roles.AUDITOR])
def test_other_roles_change_no_account(name: str) -> None:
    user, actor = staff_as(roles.SUPPORT), Client()
    actor.force_login(staff_as(name))
    wanted = form_of(user, groups=[role(roles.ADMINISTRATOR).pk])

    answers = [
        actor.post(page("user_change", user.pk), wanted),
        actor.post(page("user_add"), {"username": "x"}),
        actor.get(page("user_password_change", user.pk)),
        actor.post(page("user_password_change", user.pk)),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403, 403]
    assert not AuditEvent.objects.filter(action="staff.password_link_made").exists()
    assert [group.name for group in user.groups.all()] == [roles.SUPPORT]


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


def test_one_s_own_password_takes_the_old_one(client: Client, administrator: User) -> None:
    shown = client.get(page("user_change", administrator.pk)).content.decode()
    response = client.post(page("user_password_change", administrator.pk))

    assert page("user_password_change", administrator.pk) not in shown
    assert response.headers["Location"] == reverse("admin:password_change")
    assert not AuditEvent.objects.filter(action="staff.password_link_made").exists()


def test_a_role_is_not_changed_here(client: Client) -> None:
    support = role(roles.SUPPORT)

    answers = [
        client.post(page("group_change", support.pk), {"name": "x", "permissions": []}),
        client.post(page("group_add"), {"name": "x"}),
        client.post(page("group_delete", support.pk), {"post": "yes"}),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert Group.objects.filter(name=roles.SUPPORT).exists()
    assert not LogEntry.objects.exists()
