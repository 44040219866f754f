"""A text for the partner's contact, so that nobody gets a token unnoticed."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from tests.factories import ProjectFactory, issued_token, staff_as
from tokens.contact_text import contact_text
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db


def test_it_names_the_token_and_its_end_but_no_secret() -> None:
    project = ProjectFactory.create(name="Sahyadri College", time_zone="Asia/Kolkata")
    token, secret = issued_token(project)
    token.issued_at = datetime(2026, 11, 23, 20, tzinfo=UTC)
    assert "It has no end." in contact_text(token)

    token.expires_at = token.issued_at + timedelta(days=90)

    assert contact_text(token).split("\n") == [
        f"We issued an access token for Sahyadri College ({project.project_id}) on "
        "24 November 2026.",
        f"TokenId: {token.token_id}",
        "It ends on 22 February 2027.",
        "Its secret is handed over separately, never by e-mail.",
        "If you did not ask for it, tell us at once, and we revoke it.",
    ]
    assert secret not in contact_text(token)


def test_it_stands_on_the_page_that_shows_the_secret() -> None:
    token, _ = issued_token()
    client = Client()
    client.force_login(staff_as("Support"))
    page = f"/admin/tokens/accesstoken/{token.pk}/rotate/"
    form = client.get(page).context["form"]

    answer = client.post(page, {name: form[name].value() or "" for name in form.fields})

    successor = AccessToken.objects.get(replaces=token)
    assert contact_text(successor) in html.unescape(answer.content.decode())
