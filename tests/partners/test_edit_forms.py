"""Two edits of one project: what one user did not change is left to the other."""

import html
from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from partners.back_office.edit_forms import CONFLICT
from partners.models import AuditEvent
from tests.factories import BY, ProjectFactory, UserFactory
from tests.support.admin_forms import edit, forms_of, opened
from tests.support.threads import race

SAVE = {"_save": "Save"}


@pytest.fixture
def project(db):
    return ProjectFactory.create(name="Riverside", retention_months=24)


def editor():
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    return client


def page(project):
    return f"/admin/partners/project/{project.pk}/change/"


def reasons():
    events = AuditEvent.objects.filter(action="project.changed").order_by("pk")
    return [event.reason for event in events]


@pytest.mark.sqlite
def test_a_save_writes_only_what_its_user_changed(project, admin_client):
    form = opened(admin_client, page(project))
    edit(editor(), page(project), {"retention_months": "6", "consent_mode": "ask"})
    project.close(by=BY)

    answer = admin_client.post(page(project), form.sent({"name": "Lakeside", **SAVE}))

    project.refresh_from_db()
    assert answer.status_code == 302
    assert (project.name, project.retention_months, project.consent_mode) == ("Lakeside", 6, "ask")
    assert project.is_closed
    assert reasons()[1:] == ["name"]


@pytest.mark.sqlite
def test_what_both_changed_is_shown_with_both_values_and_saved_when_sent_again(
    project, admin_client
):
    form = opened(admin_client, page(project))
    edit(editor(), page(project), {"retention_months": "6", "accent": "plum"})
    changes = {"retention_months": "12", "accent": "rose", "name": "Lakeside"}

    refused = admin_client.post(page(project), form.sent({**changes, **SAVE}))

    text = html.unescape(refused.content.decode())
    project.refresh_from_db()
    assert (project.retention_months, project.accent, project.name) == (6, "plum", "Riverside")
    assert CONFLICT.format("6", "12") in text
    assert CONFLICT.format("Plum", "Rose") in text
    assert text.count("A colleague saved") == 2

    [again] = forms_of(refused)
    # one value is taken from the colleague, the other one is insisted on
    admin_client.post(page(project), again.sent({"retention_months": "6", **SAVE}))

    project.refresh_from_db()
    assert (project.retention_months, project.accent, project.name) == (6, "rose", "Lakeside")
    assert reasons()[-1] == "name, accent"


@pytest.mark.parametrize("shown", [None, "", "x"])
def test_a_page_that_does_not_say_what_it_showed_saves_nothing_and_loses_nothing(
    project, admin_client, shown
):
    form = opened(admin_client, page(project))

    changes = {"name": "Lakeside", "initial-name": shown, **SAVE}
    refused = admin_client.post(page(project), form.sent(changes))

    project.refresh_from_db()
    assert project.name == "Riverside"
    assert CONFLICT.format("Riverside", "Lakeside") in html.unescape(refused.content.decode())
    [again] = forms_of(refused)
    assert admin_client.post(page(project), again.sent(SAVE)).status_code == 302
    project.refresh_from_db()
    assert project.name == "Lakeside"


def test_a_list_that_was_shown_empty_is_saved_after_an_error(admin_client):
    user = UserFactory.create(username="priya")
    role = Group.objects.create(name="Readers").pk
    address = f"/admin/auth/user/{user.pk}/change/"
    changes = {"groups": [str(role)], "username": "", **SAVE}

    refused = admin_client.post(address, opened(admin_client, address).sent(changes))
    [again] = forms_of(refused)
    saved = admin_client.post(address, again.sent({"username": "asha", **SAVE}))

    assert saved.status_code == 302
    assert [group.pk for group in user.groups.all()] == [role]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_saves_at_the_same_moment_keep_both_changes():
    clients = [editor(), editor()]
    for number in range(5):
        project = ProjectFactory.create(name="Riverside")
        changes = [{"retention_months": str(3 + number)}, {"name": f"Lakeside {number}"}]
        forms = [opened(client, page(project)) for client in clients]

        posts = [
            partial(client.post, page(project), form.sent({**change, **SAVE}))
            for client, form, change in zip(clients, forms, changes, strict=True)
        ]
        answers = race(posts)

        project.refresh_from_db()
        assert [answer.status_code for answer in answers] == [302, 302]
        assert (project.retention_months, project.name) == (3 + number, f"Lakeside {number}")
