from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from partners.models import AuditEvent
from tests.factories import AccessTokenFactory, ProjectFactory, issued_token
from tokens import crypto
from tokens.models import (
    MAX_LIVE_TOKENS,
    AccessToken,
    AlreadyIssued,
    TokenRefused,
    TokenState,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


def test_both_work_during_the_overlap_then_only_the_successor() -> None:
    token, old_secret = issued_token(at=NOON - WEEK)

    successor, secret = token.rotate(overlap=WEEK, at=NOON, actor="staff:7")

    token.refresh_from_db()
    assert secret != old_secret
    assert crypto.matches(secret, successor.secret_digest)
    assert token.state_at(NOON + WEEK - timedelta(microseconds=1)) is TokenState.ENDING
    assert token.state_at(NOON + WEEK) is TokenState.EXPIRED
    assert successor.state_at(NOON + WEEK) is TokenState.LIVE


def test_the_overlap_is_seven_days_unless_said_otherwise() -> None:
    token, _ = issued_token(at=NOON)

    token.rotate(at=NOON, actor="staff:7")

    assert token.expires_at == NOON + WEEK


def test_the_successor_takes_over_project_and_label() -> None:
    token, _ = issued_token(label="CRM", at=NOON)

    successor, _ = token.rotate(at=NOON, actor="staff:7")

    successor.refresh_from_db()
    assert (successor.label, successor.project) == ("CRM", token.project)
    assert (successor.replaces, successor.expires_at) == (token, None)


def test_the_successor_lives_as_long_as_its_predecessor_was_to() -> None:
    token, _ = issued_token(expires_in=timedelta(days=90), at=NOON - timedelta(days=80))

    successor, _ = token.rotate(at=NOON, actor="staff:7")

    assert successor.expires_at == NOON + timedelta(days=90)


def test_a_token_that_expires_within_the_overlap_still_does() -> None:
    token, _ = issued_token(expires_in=timedelta(days=90), at=NOON - timedelta(days=88))

    token.rotate(overlap=WEEK, at=NOON, actor="staff:7")

    token.refresh_from_db()
    assert token.expires_at == NOON + timedelta(days=2)


def test_both_sides_are_recorded_without_the_secret() -> None:
    token, _ = issued_token(at=NOON)

    successor, secret = token.rotate(at=NOON, actor="staff:7", address="192.0.2.1")

    old = AuditEvent.objects.about(token).newest_first()[0]
    new = AuditEvent.objects.about(successor).get()
    assert (old.action, old.reason) == ("token.rotated", f"successor {successor.token_id}")
    assert (new.action, new.reason) == ("token.issued", f"replaces {token.token_id}")
    assert {old.actor, new.actor} == {"staff:7"}
    assert {old.address, new.address} == {"192.0.2.1"}
    assert secret not in str(AuditEvent.objects.values())


def test_the_cap_never_refuses_a_rotation() -> None:
    project = ProjectFactory.create()
    tokens = AccessTokenFactory.create_batch(MAX_LIVE_TOKENS, project=project)

    for token in tokens:
        token.rotate(at=NOON, actor="staff:7")

    assert AccessToken.objects.live(NOON).count() == 2 * MAX_LIVE_TOKENS
    assert AccessToken.objects.counted_against_cap(NOON).count() == MAX_LIVE_TOKENS


def test_a_rotated_token_is_not_rotated_again() -> None:
    token, _ = issued_token(at=NOON)
    successor, _ = token.rotate(at=NOON, actor="staff:7")

    with pytest.raises(TokenRefused, match=rf"already rotated, .* Its successor is {successor}\."):
        token.rotate(at=NOON, actor="staff:8")

    token.refresh_from_db()
    assert token.rotated_at == NOON
    assert AccessToken.objects.count() == 2
    assert AuditEvent.objects.filter(action="token.rotated").count() == 1


def test_a_revoked_token_is_not_rotated() -> None:
    token, _ = issued_token(at=NOON)
    token.revoke(at=NOON, actor="staff:7")

    with pytest.raises(TokenRefused, match="was revoked 1 Jun 2026, 17:30 IST by"):
        token.rotate(at=NOON, actor="staff:8")

    assert AccessToken.objects.count() == 1


def test_an_expired_token_is_not_rotated() -> None:
    token, _ = issued_token(expires_in=WEEK, at=NOON - WEEK)

    with pytest.raises(TokenRefused, match="expired 1 Jun 2026, 17:30 IST"):
        token.rotate(at=NOON, actor="staff:8")

    token.refresh_from_db()
    assert token.rotated_at is None


def test_a_closed_projects_token_is_not_rotated() -> None:
    token, _ = issued_token(at=NOON)
    token.project.close(actor="staff:7")

    with pytest.raises(TokenRefused, match="is closed"):
        token.rotate(at=NOON, actor="staff:8")

    token.refresh_from_db()
    assert token.rotated_at is None


def test_an_overlap_is_not_negative() -> None:
    token, _ = issued_token()

    with pytest.raises(ValueError, match="negative"):
        token.rotate(overlap=timedelta(seconds=-1), actor="staff:7")


def test_an_identifier_chosen_beforehand_rotates_once_only() -> None:
    token, _ = issued_token()
    token_id = crypto.new_token_id()
    token.rotate(token_id=token_id, actor="staff:7")

    with pytest.raises(AlreadyIssued, match=token_id):
        token.rotate(token_id=token_id, actor="staff:7")

    assert token.successor.token_id == token_id
    assert AccessToken.objects.count() == 2
