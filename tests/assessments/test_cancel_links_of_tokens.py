"""Links that a token issued are cancelled when the token ends, if staff want it."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client

from assessments.models import AssessmentLink
from assessments.models.cancelling import CANCELLED
from partners.models import AuditEvent
from tests.assessments.attempts import DETAILS, use
from tests.factories import issued_token, staff_with
from tests.tokens.test_token_commands import Terminal
from tokens import crypto
from tokens.models import AccessToken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]
LIST = "/admin/tokens/accesstoken"


@pytest.fixture
def token() -> AccessToken:
    """A token that issued two unused links and one that was started."""
    token, _ = issued_token()
    for _ in range(2):
        issue(token)
    use(issue(token))
    return token


@pytest.fixture
def other(token: AccessToken) -> AssessmentLink:
    """A link of the same student by another token of the project."""
    return issue(issued_token(token.project)[0])


def issue(token: AccessToken) -> AssessmentLink:
    return AssessmentLink.objects.issue(token.project, **DETAILS, access_token=token)[0]


def cancelled() -> int:
    return AssessmentLink.objects.exclude(cancelled_at=None).count()


def events(action: str = CANCELLED) -> list[tuple[str, str]]:
    found = AuditEvent.objects.filter(action=action).order_by("pk")
    return [(event.object_id, event.reason) for event in found]


def test_only_the_unused_links_of_this_token_go(token: AccessToken, other: AssessmentLink) -> None:
    assert token.unused_links() == 2

    assert token.cancel_links(actor="command:tests") == 2
    assert token.cancel_links(actor="command:tests") == 0

    other.refresh_from_db()
    assert (token.unused_links(), cancelled(), other.cancelled_at) == (0, 2, None)
    assert events() == [(token.token_id, "2 links")]


class TestCommands:
    def run(self, *arguments: str) -> tuple[str, str]:
        stdout, stderr = io.StringIO(), io.StringIO()
        call_command(*arguments, stdout=stdout, stderr=stderr)
        return stdout.getvalue(), stderr.getvalue()

    def data(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json")[0])

    def test_revoke_cancels_them_if_asked(self, token: AccessToken) -> None:
        printed = self.data("revoke_token", token.token_id, "--yes", "--cancel-links")

        token.refresh_from_db()
        assert list(printed) == ["TokenId", "revokedAt", "linksCancelled"]
        assert printed["linksCancelled"] == cancelled() == 2
        assert token.revoked_at

    def test_revoke_keeps_them_if_asked_and_says_how_to_cancel(self, token: AccessToken) -> None:
        _, said = self.run("revoke_token", token.token_id, "--yes", "--keep-links")

        assert f"revoke_token {token} --cancel-links" in said
        assert cancelled() == 0

    def test_links_of_a_token_that_was_revoked_before_are_cancelled(
        self, token: AccessToken
    ) -> None:
        token.revoke(reason="leaked", actor="command:tests")

        printed = self.data("revoke_token", token.token_id, "--cancel-links")

        token.refresh_from_db()
        assert printed["linksCancelled"] == cancelled() == 2
        assert token.revoke_reason == "leaked"

    @pytest.mark.parametrize(("answers", "gone"), [("y\ny\n", 2), ("y\n\n", 0)])
    def test_revoke_asks_at_a_terminal(
        self, token: AccessToken, monkeypatch: pytest.MonkeyPatch, answers: str, gone: int
    ) -> None:
        monkeypatch.setattr("sys.stdin", Terminal(answers))

        _, said = self.run("revoke_token", token.token_id)

        token.refresh_from_db()
        assert f"Cancel the 2 unused links that {token} issued as well?" in said
        assert token.revoked_at
        assert cancelled() == gone

    def test_rotate_without_overlap_asks_too(
        self, token: AccessToken, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", Terminal("y\n"))

        printed, said = self.run("rotate_token", token.token_id, "--overlap", "0")

        assert crypto.split_header(printed.strip())
        assert "Cancel the 2 unused links" in said
        assert "2 unused links cancelled." in said
        assert cancelled() == 2

    @pytest.mark.parametrize(("arguments", "gone"), [([], 0), (["--cancel-links"], 2)])
    def test_rotate_without_overlap_and_terminal(
        self, token: AccessToken, arguments: list[str], gone: int
    ) -> None:
        printed = self.data("rotate_token", token.token_id, "--overlap", "0", *arguments)

        assert printed["linksCancelled"] == cancelled() == gone

    def test_rotate_with_an_overlap_cancels_none(
        self, token: AccessToken, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", Terminal("y\n"))

        with pytest.raises(CommandError, match="issues more links"):
            self.run("rotate_token", token.token_id, "--cancel-links")
        assert not AuditEvent.objects.filter(action="token.rotated").exists()

        _, said = self.run("rotate_token", token.token_id)
        assert "unused" not in said
        assert cancelled() == 0

    def test_a_rotation_prints_its_secret_though_the_links_stay(
        self, token: AccessToken, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(AccessToken, "cancel_links", fail)
        out = io.StringIO()

        with pytest.raises(CommandError, match=f"revoke_token {token} --cancel-links"):
            call_command(
                "rotate_token", token.token_id, "--overlap=0", "--cancel-links", stdout=out
            )

        assert crypto.split_header(out.getvalue().strip())


def fail(*_: object, **__: object) -> int:
    raise OperationalError("deadlock detected")


class TestAdmin:
    @pytest.fixture
    def admin(self) -> Client:
        client = Client()
        rights = ("revoke_token", "rotate_token", "view_accesstoken")
        client.force_login(staff_with(*(f"tokens.{right}" for right in rights)))
        return client

    def url(self, token: AccessToken, what: str) -> str:
        return f"{LIST}/{token.pk}/{what}/"

    def rotation(self, admin: Client, token: AccessToken, **fields: str) -> dict[str, str]:
        page = admin.get(self.url(token, "rotate")).content.decode()
        once = re.search(r'name="once" value="([^"]+)"', page)
        assert once
        return {"once": once[1], **fields}

    @pytest.mark.parametrize(("choice", "gone"), [("cancel", 2), ("keep", 0)])
    def test_revoking_asks_what_happens_to_the_links(
        self, admin: Client, token: AccessToken, choice: str, gone: int
    ) -> None:
        sent = {"reason": "leaked", "links": choice}

        admin.post(self.url(token, "revoke"), {"reason": "leaked"})
        token.refresh_from_db()
        assert token.revoked_at is None
        admin.post(self.url(token, "revoke"), sent)

        token.refresh_from_db()
        assert token.revoked_at
        assert cancelled() == gone
        assert events("token.revoked") == [(token.token_id, "leaked")]

    def test_a_token_without_unused_links_is_revoked_unasked(self, admin: Client) -> None:
        token, _ = issued_token()

        assert "unused link" not in admin.get(self.url(token, "revoke")).content.decode()
        admin.post(self.url(token, "revoke"), {"reason": "leaked"})

        token.refresh_from_db()
        assert token.revoked_at

    def test_a_rotation_without_overlap_asks_too(self, admin: Client, token: AccessToken) -> None:
        url, sent = self.url(token, "rotate"), self.rotation(admin, token, overlap="0")

        admin.post(url, sent)
        assert not AuditEvent.objects.filter(action="token.rotated").exists()
        answer = admin.post(url, {**sent, "links": "cancel"}).content.decode()

        assert re.search(crypto.SECRET.pattern, answer)
        assert cancelled() == 2

    def test_a_rotation_with_an_overlap_leaves_the_links(
        self, admin: Client, token: AccessToken
    ) -> None:
        url, sent = self.url(token, "rotate"), self.rotation(admin, token, overlap="1h")

        admin.post(url, {**sent, "links": "cancel"})
        assert not AuditEvent.objects.filter(action="token.rotated").exists()
        answer = admin.post(url, sent).content.decode()

        assert re.search(crypto.SECRET.pattern, answer)
        assert cancelled() == 0

    def test_a_rotation_shows_its_secret_though_the_links_stay(
        self, admin: Client, token: AccessToken, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(AccessToken, "cancel_links", fail)
        sent = self.rotation(admin, token, overlap="0", links="cancel")

        answer = admin.post(self.url(token, "rotate"), sent).content.decode()

        assert re.search(crypto.SECRET.pattern, answer)
        assert "The links were not cancelled." in answer

    def test_links_of_an_ended_token_can_be_cancelled_later(
        self, admin: Client, token: AccessToken
    ) -> None:
        url, button = self.url(token, "cancel-links"), "Cancel its unused links"
        assert button not in admin.get(self.url(token, "change")).content.decode()
        token.revoke(actor="command:tests")
        assert button in admin.get(self.url(token, "change")).content.decode()

        admin.get(url)
        assert cancelled() == 0
        answer = admin.post(url, follow=True).content.decode()

        assert cancelled() == 2
        assert button not in answer

    def test_those_of_a_working_token_are_left_alone(
        self, admin: Client, token: AccessToken
    ) -> None:
        answer = admin.post(self.url(token, "cancel-links"), follow=True).content.decode()

        assert "still works, and issues more links. Revoke it first." in answer
        assert cancelled() == 0
