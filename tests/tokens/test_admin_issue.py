from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from partners.models import AuditEvent, Project
from tests.factories import AccessTokenFactory, ProjectFactory, staff_with
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken

pytestmark = pytest.mark.django_db
URL = "/admin/tokens/accesstoken/issue/"
SECRET = re.compile(crypto.SECRET.pattern)


@pytest.fixture
def staff() -> User:
    return staff_with("tokens.issue_token", "tokens.view_accesstoken")


@pytest.fixture
def admin(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def project() -> Project:
    return ProjectFactory.create(name="St. Xavier’s")


def form(admin: Client, project: Project, **fields: str) -> dict[str, str]:
    """Open the page as a browser does and return what its form would send."""
    page = admin.get(URL, {"project": project.pk})
    once = re.search(r'name="once" value="([^"]+)"', page.content.decode())
    assert once
    fixed = {"project": str(project.pk), "label": "", "expires_in": "", "reason": "asked for"}
    return {"once": once[1], **fixed, **fields}


def test_the_secret_is_in_the_answer_and_nowhere_else(
    admin: Client, staff: User, project: Project
) -> None:
    answer = admin.post(URL, form(admin, project, label="CRM", expires_in="90d"))

    token = AccessToken.objects.get()
    text = answer.content.decode()
    secret = SECRET.search(text)
    assert answer.status_code == 200
    assert secret
    assert crypto.matches(secret[0], token.secret_digest)
    assert token.token_id in text
    assert f"X-Access-Token: {token.token_id}:{secret[0]}" in text
    assert "You won't see this secret again." in text
    assert "no-store" in answer.headers["Cache-Control"]
    assert (token.label, token.project) == ("CRM", project)
    assert token.lifetime == timedelta(days=90)
    assert "messages" not in admin.cookies
    assert secret[0] not in str(admin.session.items())


def test_it_is_recorded_for_the_one_who_pressed(
    admin: Client, staff: User, project: Project
) -> None:
    admin.post(URL, form(admin, project, reason="second system"), REMOTE_ADDR="192.0.2.7")

    event = AuditEvent.objects.get()
    assert (event.action, event.actor) == ("token.issued", f"staff:{staff.pk}")
    assert event.reason == "second system"
    assert event.address == "192.0.2.7"
    assert event.request_id


def test_the_same_form_again_makes_no_second_token(admin: Client, project: Project) -> None:
    sent = form(admin, project)
    admin.post(URL, sent)

    answers = [admin.post(URL, sent) for _ in range(5)]

    token = AccessToken.objects.get()
    for answer in answers:
        text = answer.content.decode()
        assert answer.status_code == 409
        assert not SECRET.search(text)
        assert token.token_id in text
        assert "cannot be shown again" in text


@pytest.mark.parametrize("once", ["", "x", "tok_aaaaaaaaaaaaaaaa", "x:y:z"])
def test_a_made_up_form_makes_nothing(admin: Client, project: Project, once: str) -> None:
    answer = admin.post(URL, {**form(admin, project), "once": once})

    assert answer.status_code == 200
    assert not SECRET.search(answer.content.decode())
    assert not AccessToken.objects.exists()


def test_a_colleagues_form_makes_nothing(admin: Client, project: Project) -> None:
    colleague = Client()
    colleague.force_login(staff_with("tokens.issue_token"))

    colleague.post(URL, form(admin, project))

    assert not AccessToken.objects.exists()


def test_a_page_that_lay_open_for_days_asks_again(
    admin: Client, staff: User, project: Project
) -> None:
    with time_machine.travel("2026-06-01T12:00Z") as clock:
        sent = form(admin, project, label="CRM")
        clock.shift(timedelta(days=4))
        admin.force_login(staff)
        answer = admin.post(URL, sent)
        made = AccessToken.objects.count()
        once = re.search(r'name="once" value="([^"]+)"', answer.content.decode())
        assert once
        again = admin.post(URL, {**sent, "once": once[1]})

    assert "was open for too long" in answer.content.decode()
    assert 'value="CRM"' in answer.content.decode()
    assert made == 0
    assert SECRET.search(again.content.decode())
    assert AccessToken.objects.count() == 1


def test_the_cap_is_said_and_the_form_can_be_sent_later(admin: Client, project: Project) -> None:
    tokens = AccessTokenFactory.create_batch(MAX_LIVE_TOKENS, project=project)
    sent = form(admin, project)

    refused = admin.post(URL, sent)
    tokens[0].revoke(actor="staff:1")
    accepted = admin.post(URL, sent)

    assert "has 5 live tokens" in refused.content.decode()
    assert not SECRET.search(refused.content.decode())
    assert SECRET.search(accepted.content.decode())


def test_a_closed_project_is_not_offered(admin: Client, project: Project) -> None:
    sent = form(admin, project)
    project.close(actor="staff:1")

    page, answer = admin.get(URL), admin.post(URL, sent)

    assert project.project_id not in page.content.decode()
    assert answer.status_code == 200
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"expires_in": "1d"},
        {"label": "x" * 101},
        {"project": "0"},
        {"reason": ""},
        {"reason": "x" * 201},
    ],
)
def test_what_the_form_does_not_offer_is_refused(
    admin: Client, project: Project, fields: dict[str, Any]
) -> None:
    answer = admin.post(URL, {**form(admin, project), **fields})

    assert "errornote" in answer.content.decode()
    assert not AccessToken.objects.exists()
