"""The list and the page of tokens: who may open them, and what they show. Neither edits."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import AccessTokenFactory, UserFactory, issued_token
from tokens.models import AccessToken, TokenState

pytestmark = pytest.mark.django_db
LIST = "/admin/tokens/accesstoken/"
VIEW, REVOKE = "tokens.view_accesstoken", "tokens.revoke_token"
DAY = timedelta(days=1)
PAGES = {
    "list": "",
    "change": "{pk}/change/",
    "issue": "issue/",
    "rotate": "{pk}/rotate/",
    "revoke": "{pk}/revoke/",
    "add": "add/",
    "delete": "{pk}/delete/",
}


@pytest.fixture
def admin(staff):
    return staff(VIEW, REVOKE)


def page_of(token, act="change"):
    return f"{LIST}{token.pk}/{act}/"


def text_of(client, address, **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    return re.sub(r"\s*\n\s*", "", answer.content.decode())


@pytest.mark.parametrize(
    ("visitor", "opens"),
    [
        ("no staff", None),
        (VIEW, {"list", "change"}),
        ("tokens.issue_token", {"issue"}),
        ("tokens.rotate_token", {"rotate"}),
        (REVOKE, {"revoke"}),
    ],
)
def test_each_right_opens_its_pages_and_no_other(staff, rows, visitor, opens):
    token, _ = issued_token()
    client = staff(visitor) if opens else Client()
    if opens is None:
        client.force_login(UserFactory.create(is_staff=False))
    before = rows(AccessToken)

    for page, path in PAGES.items():
        url = LIST + path.format(pk=token.pk)
        seen, sent = client.get(url), client.post(url, {"post": "yes"})
        found = (seen.status_code, sent.status_code)
        if opens is None:
            assert found == (302, 302), page
            assert seen.headers["Location"].startswith("/admin/login/")
        elif page in opens:
            assert found in {(200, 200), (200, 403)}, page  # no form, or the same form again
        else:
            assert found == (403, 403), page
    assert rows(AccessToken) == before


@pytest.mark.parametrize("state", [state.value for state in TokenState])
def test_the_list_is_narrowed_to_a_state(admin, state):
    past = timezone.now() - DAY
    closed, ending = issued_token()[0], issued_token()[0]
    closed.project.close(actor="staff:1")
    successor, _ = ending.rotate(actor="staff:1")
    of_closed_too = issued_token()[0]
    of_closed_too.rotate(actor="staff:1")
    of_closed_too.project.close(actor="staff:1")
    tokens = {
        "live": {AccessTokenFactory.create(), successor, closed, of_closed_too.successor},
        "ending": {ending, of_closed_too},
        "expired": {AccessTokenFactory.create(expires_at=past)},
        "revoked": {AccessTokenFactory.create(revoked_at=past)},
    }

    text = text_of(admin, LIST, state=state)

    found = set(re.findall(r">(tok_\w+)</a></th>", text))
    assert found == {token.token_id for token in tokens[state]}
    assert ('<span class="state closed">project closed</span>' in text) is (
        state in {"live", "ending"}
    )
    assert '<span class="state closed">project closed</span>' in text_of(admin, page_of(closed))


def test_the_page_of_a_token_shows_its_history_and_no_secret(admin):
    token, secret = issued_token()
    successor, _ = token.rotate(actor="staff:0")
    token.revoke(reason="leaked after all", actor="staff:0")

    text = text_of(admin, page_of(token))

    shown = ("token.issued", "token.rotated", "token.revoked", "leaked after all", "staff:0")
    assert not [words for words in (*shown, successor.token_id) if words not in text]
    assert not [words for words in (secret, token.secret_digest) if words in text]
    assert admin.get(f"{LIST}1234567/change/").status_code == 404


def test_the_page_of_an_ending_token_shows_when_it_and_its_successor_were_used(staff):
    token, _ = issued_token(at=timezone.now() - 10 * DAY)
    token.rotate(actor="staff:0")

    text = text_of(staff(VIEW), page_of(token))

    assert "Last call with it: never; with its successor: never." in text
