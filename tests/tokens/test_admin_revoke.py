from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from partners.models import AuditEvent
from tests.factories import UserFactory, issued_token, staff_with
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> User:
    return staff_with("tokens.revoke_token", "tokens.view_accesstoken")


@pytest.fixture
def admin(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def token() -> AccessToken:
    return issued_token()[0]


def url(token: AccessToken, what: str = "revoke") -> str:
    return f"/admin/tokens/accesstoken/{token.pk}/{what}/"


def test_the_page_asks_and_changes_nothing(admin: Client, token: AccessToken) -> None:
    page = admin.get(url(token))

    token.refresh_from_db()
    assert "cannot be undone" in page.content.decode()
    assert token.revoked_at is None


def test_it_ends_now_with_the_reason(admin: Client, staff: User, token: AccessToken) -> None:
    answer = admin.post(url(token), {"reason": "leaked"}, follow=True)

    token.refresh_from_db()
    event = AuditEvent.objects.about(token).newest_first()[0]
    assert f"{token.token_id} is revoked." in answer.content.decode()
    assert token.revoked_at is not None
    assert token.revoke_reason == "leaked"
    assert (event.action, event.actor) == ("token.revoked", f"staff:{staff.pk}")


def test_without_a_reason_it_asks_again(admin: Client, token: AccessToken) -> None:
    answer = admin.post(url(token), {"reason": " "})

    token.refresh_from_db()
    assert "errornote" in answer.content.decode()
    assert token.revoked_at is None


def test_a_second_revocation_shows_who_did_it_and_why(admin: Client, token: AccessToken) -> None:
    priya = UserFactory.create(username="priya")
    token.revoke(reason="leaked", actor=f"staff:{priya.pk}")

    answer = admin.post(url(token), {"reason": "again"}, follow=True)

    token.refresh_from_db()
    assert re.search(
        rf"{token} was revoked today \d\d:\d\d IST by priya. Reason given: leaked",
        answer.content.decode(),
    )
    assert token.revoke_reason == "leaked"


def test_a_revoked_token_has_no_button(admin: Client, token: AccessToken) -> None:
    before = admin.get(url(token, "change")).content.decode()
    token.revoke(actor="staff:0")
    after = admin.get(url(token, "change")).content.decode()

    assert f'href="{url(token)}"' in before
    assert url(token) not in after


def test_without_the_right_there_is_neither_button_nor_page(token: AccessToken) -> None:
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken", "tokens.rotate_token"))

    page = client.get(url(token, "change"))

    token.refresh_from_db()
    assert url(token) not in page.content.decode()
    assert client.get(url(token)).status_code == 403
    assert client.post(url(token), {"reason": "x"}).status_code == 403
    assert token.revoked_at is None


def test_the_page_of_a_rotated_token_names_its_successor(admin: Client, token: AccessToken) -> None:
    successor, _ = token.rotate(actor="staff:0")

    page = admin.get(url(token)).content.decode()

    assert f"Its successor is {successor}, last use: never." in page
    assert "rotate it instead" not in page


def test_the_page_of_a_revoked_token_leads_back(admin: Client, token: AccessToken) -> None:
    token.revoke(actor="staff:0")

    page = admin.get(url(token), follow=True).content.decode()

    assert f"{token.token_id} was revoked today" in page
    assert 'name="reason"' not in page


def test_a_rotation_since_the_page_was_opened_is_said(admin: Client, token: AccessToken) -> None:
    admin.get(url(token))
    successor, _ = token.rotate(actor="staff:0")

    answer = admin.post(url(token), {"reason": "leaked"}, follow=True)

    token.refresh_from_db()
    text = answer.content.decode()
    assert f"{token} is revoked. Its successor is {successor}, last use: never." in text
    assert token.revoked_at is not None
    assert successor.is_live()
