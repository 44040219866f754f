"""Unused links that a token issued are cancelled when the token ends, if staff want it."""

import json

import pytest

from assessments.models import AssessmentLink
from assessments.models.links import CANCELLED
from partners.models import AuditEvent
from tests.assessments.attempts import DETAILS, use
from tests.factories import BY, issued_token
from tests.support.commands import run
from tests.tokens.test_token_commands import Terminal
from tokens import crypto

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]


@pytest.fixture
def token():
    """A token that issued two unused links and one that was started."""
    token, _ = issued_token()
    for _ in range(2):
        issue(token)
    use(issue(token))
    return token


def issue(token):
    return AssessmentLink.objects.issue(token.project, **DETAILS, access_token=token)[0]


def cancelled():
    return AssessmentLink.objects.exclude(cancelled_at=None).count()


def events(action):
    found = AuditEvent.objects.filter(action=action).order_by("pk")
    return list(found.values_list("object_id", "reason"))


def test_only_the_unused_links_of_this_token_are_cancelled(token):
    other = issue(issued_token(token.project)[0])
    assert token.unused_links() == 2

    assert token.cancel_links(by=BY) == 2
    assert token.cancel_links(by=BY) == 0

    other.refresh_from_db()
    assert (token.unused_links(), cancelled(), other.cancelled_at) == (0, 2, None)
    assert events(CANCELLED) == [(token.token_id, "2 links")]


@pytest.mark.parametrize(
    ("arguments", "is_revoked", "gone"),
    [(["--yes", "--cancel-links"], False, 2), (["--yes"], False, 0), (["--cancel-links"], True, 2)],
)
def test_a_command_cancels_them_only_if_asked_also_if_the_token_was_revoked_before(
    token, arguments, is_revoked, gone
):
    if is_revoked:
        token.revoke(reason="leaked", by=BY)

    out, said = run("revoke_token", *arguments, "--reason", "lost", token.token_id, "--json")

    token.refresh_from_db()
    printed = json.loads(out)
    assert list(printed) == ["TokenId", "revokedAt", "linksCancelled"]
    assert (printed["TokenId"], bool(printed["revokedAt"])) == (token.token_id, True)
    assert (f"revoke_token {token} --cancel-links" in said) is (gone == 0)
    assert printed["linksCancelled"] == cancelled() == gone
    assert token.revoked_at
    assert token.revoke_reason == ("leaked" if is_revoked else "lost")


@pytest.mark.parametrize(
    ("overlap", "answer", "gone"), [("0", "y\n", 2), ("0", "\n", 0), ("1h", "y\n", 0)]
)
def test_a_rotation_without_overlap_asks_at_a_terminal(token, monkeypatch, overlap, answer, gone):
    monkeypatch.setattr("sys.stdin", Terminal(answer))

    printed, said = run("rotate_token", "--overlap", overlap, token.token_id)

    assert crypto.split_header(printed.strip())
    assert ("Cancel its unused links?" in said) is (overlap == "0")
    assert ("Unused links cancelled: 2." in said) is bool(gone)
    assert (f"revoke_token {token} --cancel-links" in said) is (answer == "\n")
    assert cancelled() == gone


def url(token, what):
    return f"/admin/tokens/accesstoken/{token.pk}/{what}/"


@pytest.mark.parametrize(("overlap", "offers"), [("0", True), ("1h", False)])
def test_the_page_of_a_new_secret_offers_to_cancel_the_links_of_a_token_that_ended(
    staff, token, overlap, offers
):
    admin = staff("tokens.revoke_token", "tokens.rotate_token", "tokens.view_accesstoken")
    answer = admin.post(url(token, "rotate"), {"overlap": overlap, "reason": "leaked"})

    assert crypto.SECRET.search(answer.content.decode())
    assert (url(token, "cancel-links") in answer.content.decode()) is offers
    assert cancelled() == 0


def test_links_are_cancelled_later_once_their_token_has_ended(staff, token):
    admin = staff("tokens.revoke_token", "tokens.rotate_token", "tokens.view_accesstoken")
    address, button = url(token, "cancel-links"), "Cancel its unused links"
    assert button not in admin.get(url(token, "change")).content.decode()
    refused = admin.post(address, follow=True).content.decode()
    assert "still works, and issues more links. Revoke it first." in refused
    answer = admin.post(url(token, "revoke"), {"reason": "leaked"}, follow=True).content.decode()
    assert "Links that can still be started: 2." in answer
    assert button in admin.get(url(token, "change")).content.decode()
    admin.get(address)
    assert cancelled() == 0

    answer = admin.post(address, follow=True).content.decode()

    assert cancelled() == 2
    assert button not in answer
