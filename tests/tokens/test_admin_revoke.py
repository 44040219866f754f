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
