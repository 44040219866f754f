"""Staff accounts are made, given roles and ended by administrators, and by no forged form."""

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from partners.models import AuditEvent
from tests import roles
from tests.factories import UserFactory, permission_row, staff_as
from tests.staff.accounts import actions, form_of, page, role
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db

FORGED = "nine purple kettles sing"


@pytest.fixture
def administrator():
    return staff_as(roles.ADMINISTRATOR)


@pytest.fixture
def client(administrator):
    client = Client()
    client.force_login(administrator)
    return client


@pytest.fixture
def user():
    user = staff_as(roles.SUPPORT)
    user.password = "md5$seven$0123"
    user.save()
    return user


def events(user):
    found = AuditEvent.objects.about(user).order_by("pk")
    return [(event.action, event.reason, event.details) for event in found]


def stored(user):
    groups = [group.name for group in user.groups.order_by("name")]
    single = list(user.user_permissions.all())
    return {**User.objects.filter(pk=user.pk).values().get(), "groups": groups, "single": single}


def test_an_account_is_made_in_one_step_and_never_a_superusers(client, administrator):
    form = {"username": "bina", "first_name": "Bina", "last_name": "Das", "email": "b@example.com"}
    forged = {"is_superuser": "on", "is_staff": ""}
    forged["user_permissions"] = str(permission_row("auth.change_group").pk)

    answer = client.post(page("user_add"), {**form, **forged, "groups": [role(roles.SUPPORT).pk]})

    user = User.objects.get(username="bina")
    assert answer.status_code == 200
    assert 'id="password-link"' in answer.content.decode()
    assert not user.has_usable_password()
    flags = {"is_staff": True, "is_active": True, "is_superuser": False, "last_login": None}
    expected = {**form, **flags, "groups": [roles.SUPPORT], "single": []}
    found = stored(user)
    assert {name: found[name] for name in expected} == expected
    assert events(user) == [
        ("staff.added", "roles", {"roles": [[], ["Support"]]}),
        ("staff.password_link_made", "", {}),
    ]
    assert {e.actor for e in AuditEvent.objects.all()} == {f"staff:{administrator.pk}"}


def test_a_user_name_that_differs_in_case_only_is_refused(client):
    UserFactory.create(username="bina")

    answer = client.post(page("user_add"), {"username": "Bina"})

    assert set(answer.context["adminform"].form.errors) == {"username"}
    assert not User.objects.filter(username="Bina").exists()


def test_no_session_of_an_ended_account_comes_back_with_it(client, user):
    at_work, at_home, beside, theirs = Client(), Client(), Client(), Client()
    for browser, who in ((at_work, user), (at_home, user), (theirs, staff_as(roles.SUPPORT))):
        browser.force_login(who)
    assert at_work.get("/admin/").status_code == 200

    edit(client, page("user_change", user.pk), form_of(user, is_active=""))

    assert Session.objects.count() == 2  # the administrator's and the other one's
    beside.force_login(user)  # a sign-in that had looked at the account just before
    edit(client, page("user_change", user.pk), form_of(user))

    user.refresh_from_db()
    assert user.is_active
    assert [reason for _, reason, _ in events(user)] == ["is_active", "is_active"]
    for browser in (at_work, at_home, beside):
        assert browser.get("/admin/").status_code == 302
    assert Session.objects.count() == 2
    assert theirs.get("/admin/").status_code == client.get("/admin/").status_code == 200


@pytest.mark.parametrize("who", ["a colleague", "oneself"])
def test_no_forged_form_gives_rights_or_changes_ones_own_roles(client, administrator, user, who):
    target = user if who == "a colleague" else administrator
    before = stored(target)
    forged = {"is_superuser": "on", "user_permissions": [permission_row("auth.change_group").pk]}
    if who == "oneself":
        forged |= {"is_active": "", "groups": [role(roles.SUPPORT).pk]}

    answer = edit(
        client, page("user_change", target.pk), form_of(target, first_name="Io", **forged)
    )

    assert answer.status_code == 302
    assert stored(target) == {**before, "first_name": "Io"}


def test_a_superusers_account_is_closed_to_an_administrator(client):
    superuser = UserFactory.create(is_superuser=True)
    before = stored(superuser)

    seen = client.get(page("user_change", superuser.pk))
    sent = client.post(page("user_change", superuser.pk), form_of(superuser, is_active=""))
    link = client.post(page("user_password_link", superuser.pk))

    assert [answer.status_code for answer in (seen, sent, link)] == [200, 403, 403]
    assert "Superuser" in seen.content.decode()
    assert 'name="_save"' not in seen.content.decode()
    assert "password_link_made" not in actions(superuser)
    assert stored(superuser) == before


def test_no_form_changes_or_takes_the_password_of_a_colleague(client, user):
    before, where = stored(user), page("user_password_link", user.pk)
    names = ("password1", "password2", "new_password1", "new_password2")
    form = dict.fromkeys(names, FORGED) | {"usable_password": "false", "unset-password": "1"}

    answers = [client.get(where), client.post(where, form)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert not [each for each in answers if 'type="password"' in each.content.decode()]
    assert stored(user) == before


def test_ones_own_password_takes_the_old_one(client, administrator):
    link = page("user_password_link", administrator.pk)

    answer = client.post(link)

    assert link not in client.get(page("user_change", administrator.pk)).content.decode()
    assert answer.headers["Location"] == page("user_change", administrator.pk)
    assert actions(administrator) == []
