"""Unused links that a token issued are cancelled when the token ends, if staff want it."""

import io
import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from assessments.models import AssessmentLink
from assessments.models.links import CANCELLED
from partners.models import AuditEvent
from tests.assessments.attempts import DETAILS, use
from tests.factories import issued_token
from tests.tokens.test_token_commands import Terminal
from tokens import crypto
from tokens.models import AccessToken

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


def fail(*_, **__):
    raise OperationalError("deadlock detected")


def test_only_the_unused_links_of_this_token_are_cancelled(token):
    other = issue(issued_token(token.project)[0])
    assert token.unused_links() == 2

    assert token.cancel_links(actor="command:tests") == 2
    assert token.cancel_links(actor="command:tests") == 0

    other.refresh_from_db()
    assert (token.unused_links(), cancelled(), other.cancelled_at) == (0, 2, None)
    assert events(CANCELLED) == [(token.token_id, "2 links")]


def run(*arguments):
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()


@pytest.mark.parametrize(
    ("arguments", "is_revoked", "gone"),
    [
        (["revoke_token", "--yes", "--cancel-links"], False, 2),
        (["revoke_token", "--yes"], False, 0),
        (["revoke_token", "--cancel-links"], True, 2),
        (["rotate_token", "--overlap", "0", "--cancel-links"], False, 2),
        (["rotate_token", "--overlap", "0"], False, 0),
    ],
)
def test_a_command_cancels_them_only_if_asked_also_if_the_token_was_revoked_before(
    token, arguments, is_revoked, gone
):
    if is_revoked:
        token.revoke(reason="leaked", actor="command:tests")

    out, said = run(*arguments, token.token_id, "--json")

    token.refresh_from_db()
    printed = json.loads(out)
    if arguments[0] == "revoke_token":
        assert list(printed) == ["TokenId", "revokedAt", "linksCancelled"]
        assert (f"revoke_token {token} --cancel-links" in said) is (gone == 0)
        assert token.revoked_at
    assert printed["linksCancelled"] == cancelled() == gone
    assert token.revoke_reason == ("leaked" if is_revoked else "")


@pytest.mark.parametrize(("answer", "gone"), [("y\n", 2), ("\n", 0)])
def test_rotate_without_overlap_asks_at_a_terminal(token, monkeypatch, answer, gone):
    monkeypatch.setattr("sys.stdin", Terminal(answer))

    printed, said = run("rotate_token", "--overlap", "0", token.token_id)

    token.refresh_from_db()
    assert f"Cancel the 2 unused links that {token} issued as well?" in said
    assert crypto.split_header(printed.strip())
    assert ("2 unused links cancelled." in said) is bool(gone)
    assert cancelled() == gone


def test_rotate_with_an_overlap_cancels_none(token, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))

    with pytest.raises(CommandError, match="issues more links"):
        run("rotate_token", token.token_id, "--cancel-links")
    assert not events("token.rotated")

    _, said = run("rotate_token", token.token_id)
    assert "unused" not in said
    assert cancelled() == 0


def test_a_rotation_prints_its_secret_though_the_links_could_not_be_cancelled(token, monkeypatch):
    monkeypatch.setattr(AccessToken, "cancel_links", fail)
    out = io.StringIO()

    with pytest.raises(CommandError, match=f"revoke_token {token} --cancel-links"):
        call_command("rotate_token", token.token_id, "--overlap=0", "--cancel-links", stdout=out)

    assert crypto.split_header(out.getvalue().strip())


@pytest.fixture
def admin(staff):
    return staff("tokens.revoke_token", "tokens.rotate_token", "tokens.view_accesstoken")


def url(token, what):
    return f"/admin/tokens/accesstoken/{token.pk}/{what}/"


def rotate(admin, token, **fields):
    """Send the form of a rotation; return the page after it."""
    page = admin.get(url(token, "rotate")).content.decode()
    once = re.search(r'name="once" value="([^"]+)"', page)
    assert once
    return admin.post(
        url(token, "rotate"), {"once": once[1], "reason": "leaked", **fields}
    ).content.decode()


@pytest.mark.parametrize(("choice", "gone"), [("cancel", 2), ("keep", 0)])
def test_revoking_asks_what_happens_to_the_links(admin, token, choice, gone):
    admin.post(url(token, "revoke"), {"reason": "leaked"})
    assert not events("token.revoked")

    admin.post(url(token, "revoke"), {"reason": "leaked", "links": choice})

    assert cancelled() == gone
    assert events("token.revoked") == [(token.token_id, "leaked")]


@pytest.mark.parametrize(
    ("refused", "accepted", "gone"),
    [
        ({"overlap": "0"}, {"overlap": "0", "links": "cancel"}, 2),
        ({"overlap": "1h", "links": "cancel"}, {"overlap": "1h"}, 0),
    ],
)
def test_a_rotation_asks_what_happens_to_the_links_only_without_an_overlap(
    admin, token, refused, accepted, gone
):
    rotate(admin, token, **refused)
    assert not events("token.rotated")

    answer = rotate(admin, token, **accepted)

    assert re.search(crypto.SECRET.pattern, answer)
    assert cancelled() == gone


def test_a_rotation_shows_its_secret_though_the_links_could_not_be_cancelled(
    admin, token, monkeypatch
):
    monkeypatch.setattr(AccessToken, "cancel_links", fail)

    answer = rotate(admin, token, overlap="0", links="cancel")

    assert re.search(crypto.SECRET.pattern, answer)
    assert "The links were not cancelled." in answer


def test_links_are_cancelled_later_once_their_token_has_ended(admin, token):
    address, button = url(token, "cancel-links"), "Cancel its unused links"
    assert button not in admin.get(url(token, "change")).content.decode()
    refused = admin.post(address, follow=True).content.decode()
    assert "still works, and issues more links. Revoke it first." in refused
    token.revoke(actor="command:tests")
    assert button in admin.get(url(token, "change")).content.decode()
    admin.get(address)
    assert cancelled() == 0

    answer = admin.post(address, follow=True).content.decode()

    assert cancelled() == 2
    assert button not in answer
