"""Every page of the tokens' admin against every kind of visitor."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import UserFactory, issued_token, staff_with
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db

ROLES: dict[str, set[str]] = {
    "nobody": set(),
    "someone without staff": set(),
    "staff": set(),
    "viewer": {"list", "change"},
    "issuer": {"list", "change", "issue"},
    "rotator": {"list", "change", "rotate"},
    "revoker": {"list", "change", "revoke"},
    "superuser": {"list", "change", "issue", "rotate", "revoke"},
}
PAGES = {
    "list": "",
    "change": "{pk}/change/",
    "issue": "issue/",
    "rotate": "{pk}/rotate/",
    "revoke": "{pk}/revoke/",
    "add": "add/",
    "delete": "{pk}/delete/",
}
RIGHTS = {
    "viewer": "tokens.view_accesstoken",
    "issuer": "tokens.issue_token",
    "rotator": "tokens.rotate_token",
    "revoker": "tokens.revoke_token",
}


def client_of(role: str) -> Client:
    client = Client()
    if role == "someone without staff":
        client.force_login(UserFactory.create(is_staff=False))
    elif role == "superuser":
        client.force_login(UserFactory.create(is_superuser=True))
    elif role != "nobody":
        client.force_login(staff_with(*([RIGHTS[role]] if role in RIGHTS else [])))
    return client


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", PAGES)
def test_who_gets_which_page(role: str, page: str) -> None:
    token, _ = issued_token()
    before = AccessToken.objects.values().get()
    client = client_of(role)
    url = "/admin/tokens/accesstoken/" + PAGES[page].format(pk=token.pk)

    seen = client.get(url)
    sent = client.post(url, {"post": "yes"})

    if page in ROLES[role]:
        assert seen.status_code == 200
        assert sent.status_code in {200, 403}  # the form again; nothing to send to a view
    elif role in {"nobody", "someone without staff"}:
        assert {seen.status_code, sent.status_code} == {302}
        assert seen.headers["Location"].startswith("/admin/login/")
    else:
        assert {seen.status_code, sent.status_code} == {403}
    assert AccessToken.objects.values().get() == before
