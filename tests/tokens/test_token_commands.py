from __future__ import annotations

import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from partners.models import AuditEvent
from tests.factories import ProjectFactory, issued_token
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


class Terminal(io.StringIO):
    """Standard input where somebody types an answer."""

    def isatty(self) -> bool:
        return True


def run(*arguments: str) -> tuple[str, str]:
    """Run a command as a shell does; return what it wrote to stdout and stderr."""
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()


def data(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json")[0])


# --- issue_token


def test_issue_prints_the_pair_alone_on_stdout() -> None:
    project = ProjectFactory.create()

    stdout, stderr = run("issue_token", project.project_id, "--label", "CRM")

    token = AccessToken.objects.get()
    token_id, secret = crypto.split_header(stdout.strip())
    assert token_id == token.token_id
    assert crypto.matches(secret, token.secret_digest)
    assert (token.project, token.label, token.expires_at) == (project, "CRM", None)
    assert secret not in stderr
    assert "never shown again" in stderr


def test_issue_as_json() -> None:
    project = ProjectFactory.create()

    printed = data("issue_token", project.project_id, "--expires-in", "90d")

    token = AccessToken.objects.get()
    assert list(printed) == ["projectId", "TokenId", "TokenSecret", "expiresAt"]
    assert printed["projectId"] == project.project_id
    assert printed["TokenId"] == token.token_id
    assert crypto.matches(printed["TokenSecret"], token.secret_digest)
    assert token.expires_at == token.issued_at + 90 * DAY
    assert printed["expiresAt"] == f"{token.expires_at:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def test_issue_is_recorded_for_who_typed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "deploy")

    run("issue_token", ProjectFactory.create().project_id)

    assert AuditEvent.objects.get().actor == "command:deploy"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--expires-in", "0"], "would expire at once"),
        (["--expires-in", "90"], "“90” is not a duration. Write 90d, 12h or 30m."),
        (["--expires-in", "-1d"], "expires-in"),
        (["--label", "x" * 101], "At most 100 characters, not 101"),
        (["--label", "CRM\u202e"], "The text contains a character that can't be shown"),
    ],
)
def test_issue_refuses(arguments: list[str], says: str) -> None:
    project = ProjectFactory.create()

    with pytest.raises(CommandError, match=re.escape(says)):
        run("issue_token", project.project_id, *arguments)

    assert not AccessToken.objects.exists()


def test_issue_for_an_unknown_project_says_where_to_look() -> None:
    with pytest.raises(
        CommandError, match=r"no project prj_x\. List the projects with list_projects\."
    ):
        run("issue_token", "prj_x")


# --- rotate_token


def test_rotate_as_json() -> None:
    token, _ = issued_token(label="CRM")

    printed = data("rotate_token", token.token_id, "--overlap", "12h")

    token.refresh_from_db()
    assert list(printed) == [
        "projectId",
        "TokenId",
        "TokenSecret",
        "expiresAt",
        "replaces",
        "replacedTokenEndsAt",
        "linksCancelled",
    ]
    assert printed["TokenId"] == token.successor.token_id
    assert crypto.matches(printed["TokenSecret"], token.successor.secret_digest)
    assert printed["replaces"] == token.token_id
    assert token.rotated_at is not None
    assert token.expires_at == token.rotated_at + timedelta(hours=12)
    assert printed["replacedTokenEndsAt"].startswith(f"{token.expires_at:%Y-%m-%dT%H:%M:%S}")


def test_rotate_twice_is_refused() -> None:
    token, _ = issued_token()
    run("rotate_token", token.token_id)

    with pytest.raises(CommandError, match="was already rotated, .* Its successor is tok_"):
        run("rotate_token", token.token_id)

    assert AccessToken.objects.count() == 2


def test_an_unknown_token_says_where_to_look() -> None:
    with pytest.raises(CommandError, match="List the tokens with list_tokens"):
        run("rotate_token", "tok_x")


def test_a_pasted_secret_is_refused_without_being_repeated() -> None:
    token, secret = issued_token()

    with pytest.raises(CommandError, match="TokenId alone") as refusal:
        run("rotate_token", f"{token.token_id}:{secret}")

    assert secret not in str(refusal.value)


# --- revoke_token


def test_revoke_as_json() -> None:
    token, _ = issued_token()

    printed = data("revoke_token", token.token_id, "--reason", "leaked", "--yes")

    token.refresh_from_db()
    assert list(printed) == ["TokenId", "revokedAt", "linksCancelled"]
    assert printed["TokenId"] == token.token_id
    assert printed["revokedAt"].startswith(f"{token.revoked_at:%Y-%m-%dT%H:%M:%S}")
    assert token.revoke_reason == "leaked"


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_revoke_asks_and_yes_is_yes(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = issued_token()
    monkeypatch.setattr("sys.stdin", Terminal(answer))

    stdout, stderr = run("revoke_token", token.token_id)

    token.refresh_from_db()
    assert token.revoked_at is not None
    assert stdout == ""
    assert f"Revoke {token.token_id}" in stderr
    assert stderr.endswith(f"{token.token_id} is revoked.\n")


@pytest.mark.parametrize("answer", ["\n", "n\n", "", "yesterday\n"])
def test_revoke_asks_and_all_else_is_no(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = issued_token()
    monkeypatch.setattr("sys.stdin", Terminal(answer))

    with pytest.raises(CommandError, match="Nothing was changed"):
        run("revoke_token", token.token_id)

    token.refresh_from_db()
    assert token.revoked_at is None


def test_revoke_without_a_terminal_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = issued_token()
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))

    with pytest.raises(CommandError, match="Add --yes"):
        run("revoke_token", token.token_id, "--json")

    token.refresh_from_db()
    assert token.revoked_at is None


def test_revoke_again_asks_nothing_and_says_when_it_was() -> None:
    token, _ = issued_token()
    token.revoke(at=timezone.now() - DAY, actor="staff:1")

    stdout, stderr = run("revoke_token", token.token_id, "--json")

    assert json.loads(stdout)["revokedAt"].startswith(f"{token.revoked_at:%Y-%m-%dT%H:%M:%S}")
    assert f"was already revoked, at {token.revoked_at:%Y-%m-%d %H:%M UTC}" in stderr
    assert AuditEvent.objects.filter(action="token.revoked").count() == 1


# --- list_tokens


def test_a_token_of_a_closed_project_is_listed_as_closed() -> None:
    token, _ = issued_token()
    revoked, _ = issued_token(token.project)
    revoked.revoke(actor="command:tests")
    token.project.close(actor="command:tests")

    states = {line.split()[1]: line.split()[2] for line in run("list_tokens")[0].splitlines()}
    (printed,) = [
        each
        for each in json.loads(run("list_tokens", "--json")[0])
        if each["label"] == token.label and each["TokenId"] == token.token_id
    ]

    assert states == {token.token_id: "closed", revoked.token_id: "revoked"}
    assert printed["projectClosedAt"] is not None


def test_list_as_json_has_no_secret() -> None:
    token, secret = issued_token(label="CRM – production", expires_in=DAY)
    token.note_use()

    stdout, _ = run("list_tokens", "--json")

    token.refresh_from_db()
    printed = json.loads(stdout)[0]
    assert list(printed) == [
        "projectId",
        "TokenId",
        "label",
        "state",
        "issuedAt",
        "expiresAt",
        "revokedAt",
        "lastUsedAt",
        "projectClosedAt",
    ]
    assert printed["projectId"] == token.project.project_id
    assert (printed["label"], printed["state"]) == ("CRM – production", "live")
    assert printed["lastUsedAt"] is not None
    assert secret not in stdout
    assert token.secret_digest not in stdout


def test_list_of_one_project_newest_first() -> None:
    token, _ = issued_token(label="CRM")
    successor, _ = token.rotate(actor="staff:1")
    issued_token()

    stdout, stderr = run("list_tokens", token.project.project_id)

    lines = stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].split()[:3] == [token.project.project_id, successor.token_id, "live"]
    assert lines[1].split()[:3] == [token.project.project_id, token.token_id, "ending"]
    assert lines[1].endswith("CRM")
    assert stderr.startswith("project")
