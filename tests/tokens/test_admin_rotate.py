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


def test_the_page_asks_and_changes_nothing(admin: Client, token: AccessToken) -> None:
    page = admin.get(url(token))

    assert f"{token.token_id} of" in page.content.decode()
    assert '<option value="7d" selected>' in page.content.decode()
    assert AccessToken.objects.count() == 1


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


def test_without_the_right_there_is_neither_button_nor_page(token: AccessToken) -> None:
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken", "tokens.issue_token"))

    page = client.get(url(token, "change"))

    assert url(token) not in page.content.decode()
    assert client.get(url(token)).status_code == 403
    assert client.post(url(token), {"overlap": "0"}).status_code == 403
    assert AccessToken.objects.count() == 1


def test_only_a_live_token_has_the_button(admin: Client, token: AccessToken) -> None:
    live = admin.get(url(token, "change")).content.decode()
    token.rotate(actor="staff:1")
    ending = admin.get(url(token, "change")).content.decode()
    token.successor.project.close(actor="staff:1")
    closed = admin.get(url(token.successor, "change")).content.decode()

    assert f'href="{url(token)}"' in live
    assert url(token) not in ending
    assert url(token.successor) not in closed


def test_the_page_of_a_token_that_cannot_be_rotated_says_why(
    admin: Client, token: AccessToken
) -> None:
    token.project.close(actor="staff:0")
    closed = admin.get(url(token), follow=True).content.decode()
    token.revoke(actor="staff:0")
    revoked = admin.get(url(token), follow=True).content.decode()

    assert f"Project {token.project.project_id} is closed." in closed
    assert f"{token.token_id} was revoked today" in revoked
    assert 'name="once"' not in closed + revoked


def test_the_page_brings_the_script_against_a_second_click(
    admin: Client, token: AccessToken
) -> None:
    page = admin.get(url(token)).content.decode()

    assert 'once.js" defer></script>' in page
