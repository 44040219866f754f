from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.factories import AccessTokenFactory, UserFactory, issued_token, staff_with
from tokens.models import AccessToken, TokenState

pytestmark = pytest.mark.django_db
LIST = "/admin/tokens/accesstoken/"
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(staff_with("tokens.view_accesstoken"))
    return client


@pytest.mark.parametrize("state", list(TokenState))
def test_the_list_can_be_narrowed_to_a_state(admin: Client, state: TokenState) -> None:
    tokens: dict[TokenState, AccessToken] = {
        TokenState.LIVE: AccessTokenFactory.create(),
        TokenState.EXPIRED: AccessTokenFactory.create(expires_at=NOON),
        TokenState.REVOKED: AccessTokenFactory.create(revoked_at=NOON),
        TokenState.ENDING: issued_token()[0],
    }
    successor, _ = tokens[TokenState.ENDING].rotate(actor="staff:1")

    text = admin.get(LIST, {"state": state.value}).content.decode()

    found = {each for each, token in tokens.items() if f">{token}</a>" in text}
    assert found == {state}
    assert (f">{successor}</a>" in text) is (state is TokenState.LIVE)


def test_it_is_found_by_id_label_and_project(admin: Client) -> None:
    token, other = issued_token(label="CRM")[0], AccessTokenFactory.create()

    for query in (token.token_id, "CRM", token.project.project_id, token.project.name):
        text = admin.get(LIST, {"q": query}).content.decode()
        assert token.token_id in text
        assert other.token_id not in text


def test_the_list_asks_no_more_for_more_tokens(
    admin: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(10):
        issued_token()

    with django_assert_max_num_queries(12):
        admin.get(LIST)


def test_the_page_of_a_token_shows_its_history(admin: Client) -> None:
    token, secret = issued_token()
    successor, _ = token.rotate(actor="staff:0")
    token.revoke(reason="leaked after all", actor="staff:0")

    text = admin.get(reverse("admin:tokens_accesstoken_change", args=[token.pk])).content.decode()

    for words in ("token.issued", "token.rotated", "token.revoked", "leaked after all", "staff:0"):
        assert words in text
    assert successor.token_id in text
    assert secret not in text
    assert token.secret_digest not in text


def test_a_forged_change_of_every_field_changes_nothing() -> None:
    client = Client()
    client.force_login(UserFactory.create(is_superuser=True))
    token, other = AccessTokenFactory.create_batch(2)
    before = AccessToken.objects.values().get(pk=token.pk)
    forged: dict[str, Any] = dict.fromkeys(before, "2026-01-01") | {
        "secret_digest": other.secret_digest,
        "project": other.project.pk,
        "project_id": other.project.pk,
        "token_id": "tok_0000000000000000",
        "_save": "Save",
    }

    answer = client.post(f"{LIST}{token.pk}/change/", forged)
    listing = client.post(
        LIST,
        {f"form-0-{name}": str(value) for name, value in forged.items()}
        | {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "_save": "Save"},
    )
    deleting = client.post(LIST, {"action": "delete_selected", "_selected_action": token.pk})

    assert answer.status_code == 403
    assert {listing.status_code, deleting.status_code} <= {200, 302, 403}
    assert AccessToken.objects.values().get(pk=token.pk) == before
    assert AccessToken.objects.count() == 2


def test_an_unknown_token_is_a_404(admin: Client) -> None:
    assert admin.get(f"{LIST}1234567/change/").status_code == 404


def test_a_closed_projects_token_is_not_called_live(admin: Client) -> None:
    token, _ = issued_token()
    token.project.close(actor="staff:0")

    page = admin.get(f"{LIST}{token.pk}/change/").content.decode()
    live = admin.get(LIST, {"state": "live"}).content.decode()
    closed = admin.get(LIST, {"state": "project-closed"}).content.decode()

    assert '<span class="state closed">project closed</span>' in page
    assert token.token_id not in live
    assert ">Live</a>" in live
    assert ">Project closed</a>" in live
    assert '<span class="state closed">project closed</span>' in closed
