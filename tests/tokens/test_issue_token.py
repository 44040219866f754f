from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from partners.models import AuditEvent
from tests.factories import AccessTokenFactory, ProjectFactory, issued_token
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken, AlreadyIssued, TokenRefused

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_only_the_digest_of_the_secret_is_stored() -> None:
    project = ProjectFactory.create()

    token, secret = AccessToken.objects.issue(project, label="CRM", at=NOON, actor="staff:7")

    row = AccessToken.objects.values().get()
    assert secret not in str(row)
    assert crypto.matches(secret, row["secret_digest"])
    assert (row["label"], row["issued_at"], row["expires_at"]) == ("CRM", NOON, None)
    assert token.project == project


def test_it_is_recorded_without_the_secret() -> None:
    project = ProjectFactory.create()

    token, secret = AccessToken.objects.issue(
        project, at=NOON, actor="staff:7", address="192.0.2.1", request_id="r-1"
    )

    event = AuditEvent.objects.get()
    assert (event.action, event.object_id, event.actor) == (
        "token.issued",
        token.token_id,
        "staff:7",
    )
    assert (event.at, event.address, event.request_id) == (NOON, "192.0.2.1", "r-1")
    assert event.project == project
    assert secret not in str(AuditEvent.objects.values())


def test_neither_secret_nor_digest_is_in_its_text() -> None:
    token, secret = issued_token()

    text = f"{token!r} {token}"

    assert token.token_id in text
    assert secret not in text
    assert token.secret_digest not in text


@pytest.mark.parametrize("expires_in", [timedelta(0), timedelta(days=-1)])
def test_it_cannot_have_expired_already(expires_in: timedelta) -> None:
    with pytest.raises(ValueError, match="positive"):
        issued_token(expires_in=expires_in)

    assert not AccessToken.objects.exists()


def test_a_closed_project_gets_none() -> None:
    project = ProjectFactory.create()
    project.close(actor="staff:7")

    with pytest.raises(TokenRefused, match=project.project_id):
        issued_token(project)

    assert not AccessToken.objects.exists()


def test_a_project_closed_meanwhile_gets_none() -> None:
    project = ProjectFactory.create()
    type(project).objects.get(pk=project.pk).close(actor="staff:7")

    with pytest.raises(TokenRefused, match="is closed"):
        issued_token(project)


def test_five_are_enough() -> None:
    project = ProjectFactory.create()
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS, project=project)

    with pytest.raises(TokenRefused, match="5 live tokens"):
        issued_token(project)

    assert AccessToken.objects.count() == 5
    assert issued_token(ProjectFactory.create())


def test_ending_expired_and_revoked_tokens_do_not_count() -> None:
    project = ProjectFactory.create()
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS - 1, project=project)
    AccessTokenFactory.create(project=project, expires_at=NOON, rotated_at=NOON)
    AccessTokenFactory.create(project=project, expires_at=NOON)
    AccessTokenFactory.create(project=project, revoked_at=NOON)

    token, _ = issued_token(project, at=NOON)

    assert token.pk


def test_an_identifier_chosen_beforehand_makes_one_token_only() -> None:
    project, token_id = ProjectFactory.create(), crypto.new_token_id()
    AccessToken.objects.issue(project, token_id=token_id, actor="staff:7")

    with pytest.raises(AlreadyIssued, match=token_id):
        AccessToken.objects.issue(project, token_id=token_id, actor="staff:7")

    assert AccessToken.objects.get().token_id == token_id
    assert AuditEvent.objects.count() == 1
