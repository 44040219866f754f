from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from partners.models import AuditEvent
from partners.times import moment_in_words
from tests.factories import issued_token, staff_with
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
SECRET = re.compile(crypto.SECRET.pattern)


@pytest.fixture
def staff() -> User:
    return staff_with("tokens.rotate_token", "tokens.view_accesstoken")


@pytest.fixture
def admin(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def token() -> AccessToken:
    return issued_token(label="CRM")[0]


def url(token: AccessToken, what: str = "rotate") -> str:
    return f"/admin/tokens/accesstoken/{token.pk}/{what}/"


def form(admin: Client, token: AccessToken, overlap: str = "7d") -> dict[str, str]:
    page = admin.get(url(token)).content.decode()
    once = re.search(r'name="once" value="([^"]+)"', page)
    assert once
    return {"once": once[1], "overlap": overlap}


@pytest.mark.parametrize(
    ("overlap", "duration"), [("0", timedelta(0)), ("1d", timedelta(1)), ("30d", timedelta(30))]
)
def test_the_successors_secret_is_in_the_answer(
    admin: Client, staff: User, token: AccessToken, overlap: str, duration: timedelta
) -> None:
    answer = admin.post(url(token), form(admin, token, overlap))

    token.refresh_from_db()
    text = answer.content.decode()
    secret = SECRET.search(text)
    assert secret
    assert crypto.matches(secret[0], token.successor.secret_digest)
    ends = moment_in_words(token.expires_at, token.project.time_zone)
    assert f"{token.token_id}, which ends {ends}" in text
    assert "no-store" in answer.headers["Cache-Control"]
    assert token.rotated_at is not None
    assert token.expires_at == token.rotated_at + duration
    assert AuditEvent.objects.about(token).newest_first()[0].actor == f"staff:{staff.pk}"


def test_the_same_form_again_makes_no_second_successor(admin: Client, token: AccessToken) -> None:
    sent = form(admin, token)
    admin.post(url(token), sent)

    answers = [admin.post(url(token), sent) for _ in range(5)]

    assert AccessToken.objects.count() == 2
    for answer in answers:
        assert answer.status_code == 409
        assert not SECRET.search(answer.content.decode())
        assert token.successor.token_id in answer.content.decode()


def test_a_second_rotation_shows_the_successor(admin: Client, token: AccessToken) -> None:
    sent = form(admin, token)
    successor, _ = token.rotate(actor="staff:0")

    answer = admin.post(url(token), sent, follow=True)

    text = answer.content.decode()
    assert f"{token} was already rotated, today" in text
    assert "by staff:0." in text
    assert f"Its successor is {successor}." in text
    assert not SECRET.search(answer.content.decode())
    assert AccessToken.objects.count() == 2


def test_an_overlap_that_is_not_offered_is_refused(admin: Client, token: AccessToken) -> None:
    answer = admin.post(url(token), form(admin, token, "99d"))

    assert "errornote" in answer.content.decode()
    assert AccessToken.objects.count() == 1


def test_an_unknown_token_is_a_404(admin: Client, token: AccessToken) -> None:
    assert admin.get(f"/admin/tokens/accesstoken/{token.pk + 1}/rotate/").status_code == 404
