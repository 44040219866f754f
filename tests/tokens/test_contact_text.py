"""A text for the partner's contact, so that nobody gets a token unnoticed."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

from tests.factories import ProjectFactory, issued_token, staff_as
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("expires_in", "end"), [("", "It has no end."), ("90d", "It ends on 22 February 2027.")]
)
def test_it_names_the_token_and_its_end_but_no_secret(expires_in: str, end: str) -> None:
    project = ProjectFactory.create(name="Sahyadri & Sons", time_zone="Asia/Kolkata")
    client = Client()
    client.force_login(staff_as("Support"))
    page = "/admin/tokens/accesstoken/issue/"
    once = client.get(page).context["form"]["once"].value()
    values = {"project": project.pk, "expires_in": expires_in, "reason": "asked", "once": once}

    with time_machine.travel(datetime(2026, 11, 23, 20, tzinfo=UTC)):
        answer = client.post(page, values)

    assert contact_text(answer.content) == [
        f"We issued an access token for Sahyadri & Sons ({project.project_id}) on "
        "24 November 2026.",
        f"TokenId: {AccessToken.objects.get().token_id}",
        end,
        "Its secret is handed over separately, never by e-mail.",
        "If you did not ask for it, tell us at once, and we revoke it.",
    ]


def test_it_stands_on_the_page_that_rotates_too() -> None:
    token, _ = issued_token()
    client = Client()
    client.force_login(staff_as("Support"))
    page = f"/admin/tokens/accesstoken/{token.pk}/rotate/"
    form = client.get(page).context["form"]

    answer = client.post(page, {name: form[name].value() or "" for name in form.fields})

    successor = AccessToken.objects.get(replaces=token)
    assert f"TokenId: {successor.token_id}" in contact_text(answer.content)


def contact_text(page: bytes) -> list[str]:
    found = re.search(r'id="for-contact"[^>]*>(.*?)</pre>', page.decode(), re.DOTALL)
    assert found
    return html.unescape(found[1]).split("\n")
