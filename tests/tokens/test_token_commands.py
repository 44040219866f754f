"""The commands that issue, rotate, revoke and list tokens: what they print, ask and refuse."""

import io
import json
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError

from partners.models import AuditEvent
from tests.factories import BY, issued_token
from tests.support.commands import run
from tokens import crypto
from tokens.models import AccessToken, TokenState

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def token(project):
    return issued_token(project, label="CRM – production")[0]


def in_json(at):
    return f"{at:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z" if at else None


def test_issue_prints_json(project):
    printed = json.loads(run("issue_token", project.project_id, "--expires-in", "90d", "--json")[0])
    token, secret = AccessToken.objects.get(), printed.pop("TokenSecret")
    assert crypto.matches(secret, token.secret_digest)
    of_token = {"TokenId": token.token_id, "expiresAt": in_json(token.expires_at)}
    assert (token.lifetime, printed) == (90 * DAY, {"projectId": project.project_id, **of_token})


def test_issue_prints_the_pair_alone_on_stdout(project, monkeypatch):
    monkeypatch.setenv("LOGNAME", "deploy")

    stdout, stderr = run(
        "issue_token", project.project_id, "--label", "CRM", "--reason", "asked for"
    )

    token, event = AccessToken.objects.get(), AuditEvent.objects.get()
    token_id, secret = crypto.split_header(stdout.strip())
    assert token_id == token.token_id
    assert crypto.matches(secret, token.secret_digest)
    assert (token.project, token.label, token.expires_at) == (project, "CRM", None)
    assert (event.action, event.actor, event.reason) == (
        "token.issued",
        "command:deploy",
        "asked for",
    )
    assert secret not in stderr
    assert "never shown again" in stderr


@pytest.mark.parametrize(
    ("project_id", "arguments", "says"),
    [
        ("", ["--expires-in", "0"], "would expire at once"),
        ("", ["--expires-in", "90"], "“90” is not a duration. Write 90d, 12h or 30m."),
        ("", ["--label", "CRM\u202e"], "The text contains a character that can't be shown"),
        ("prj_x", [], "no project prj_x. The admin lists the projects, list_tokens ids."),
    ],
)
def test_issue_is_refused(project, project_id, arguments, says):
    with pytest.raises(CommandError, match=re.escape(says)):
        run("issue_token", project_id or project.project_id, *arguments)

    assert not AccessToken.objects.exists()


def test_rotate_prints_json(token):
    how = ("--overlap", "12h", "--json", "--reason", "leaked")
    printed = json.loads(run("rotate_token", token.token_id, *how)[0])

    token.refresh_from_db()
    assert token.rotated_at is not None
    assert token.expires_at == token.rotated_at + timedelta(hours=12)
    assert crypto.matches(printed["TokenSecret"], token.successor.secret_digest)
    assert list(printed.items()) == [
        ("projectId", token.project.project_id),
        ("TokenId", token.successor.token_id),
        ("TokenSecret", printed["TokenSecret"]),
        ("expiresAt", None),
        ("replaces", token.token_id),
        ("replacedTokenEndsAt", in_json(token.expires_at)),
    ]


def test_rotate_is_refused_and_repeats_no_secret(token, rows):
    run("rotate_token", token.token_id)
    before, secret = rows(), crypto.new_secret()

    for argument, says in {
        token.token_id: "was rotated .* Its successor is tok_",
        "tok_x": r"no token tok_x\. List the tokens with list_tokens",
        f"{token.token_id}:{secret}": "TokenId alone",
    }.items():
        with pytest.raises(CommandError, match=says) as refusal:
            run("rotate_token", argument)
        assert secret not in str(refusal.value)
    assert rows() == before


@pytest.mark.parametrize("command", ["rotate_token", "revoke_token"])
def test_a_reason_is_refused_that_no_row_can_hold_or_that_names_a_person(token, command):
    for reason, says in (
        *(("x" * 201, "at most"), ("a\u202eb", r"U\+202E")),
        ("asked by asha@example.com", "phone numbers"),
    ):
        with pytest.raises(CommandError, match=says):
            run(command, token.token_id, "--reason", reason)
    token.refresh_from_db()
    assert token.state_at() is TokenState.LIVE


@pytest.mark.parametrize(
    ("stdin", "answer", "refusal"),
    [
        *((Terminal, answer, "") for answer in ("y\n", "YES\n")),
        *((Terminal, answer, "Nothing was changed") for answer in ("\n", "n\n", "", "yesterday\n")),
        (io.StringIO, "y\n", "Add --yes"),  # no terminal: it must not hang
    ],
)
def test_revoke_asks_for_a_yes_at_a_terminal(token, stdin, answer, refusal, monkeypatch):
    monkeypatch.setattr("sys.stdin", stdin(answer))

    if refusal:
        with pytest.raises(CommandError, match=refusal):
            run("revoke_token", token.token_id, "--json")
    else:
        stdout, stderr = run("revoke_token", token.token_id)
        assert stdout == ""
        assert f"Revoke {token.token_id}" in stderr
        assert f"{token.token_id} was revoked at " in stderr

    token.refresh_from_db()
    assert (token.revoked_at is None) is bool(refusal)


def test_list_prints_json_without_a_secret(project):
    token, secret = issued_token(project, label="CRM – production", expires_in=DAY)
    token.record_use()
    project.close(by=BY)

    stdout, _ = run("list_tokens", "--json")

    token.refresh_from_db()
    [printed] = json.loads(stdout)
    assert list(printed.items()) == [
        ("projectId", project.project_id),
        ("TokenId", token.token_id),
        ("label", "CRM – production"),
        ("state", "live"),
        ("issuedAt", in_json(token.issued_at)),
        ("expiresAt", in_json(token.expires_at)),
        ("revokedAt", None),
        ("lastUsedAt", in_json(token.last_used_at)),
        ("projectClosedAt", in_json(project.closed_at)),
    ]
    assert secret not in stdout
    assert token.secret_digest not in stdout


def test_list_shows_the_tokens_of_a_project_newest_first(token):
    successor, _ = token.rotate(by=BY)
    other, _ = issued_token()

    stdout, stderr = run("list_tokens", token.project.project_id)

    project_id = token.project.project_id
    assert [line.split()[:3] for line in stdout.splitlines()] == [
        [project_id, successor.token_id, "live"],
        [project_id, token.token_id, "ending"],
    ]
    assert all(line.endswith("CRM – production") for line in stdout.splitlines())
    assert stderr.startswith("project")

    successor.revoke(by=BY)
    token.project.close(by=BY)
    states = {line.split()[1]: line.split()[2] for line in run("list_tokens")[0].splitlines()}
    expected = [(successor, "revoked"), (token, "closed"), (other, "live")]
    assert states == {each.token_id: state for each, state in expected}
