from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from partners.models import AuditEvent
from tests.factories import issued_token
from tokens.models import TokenState

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_it_ends_now_and_is_recorded() -> None:
    token, _ = issued_token(at=NOON - timedelta(days=1))

    revoked = token.revoke(reason="leaked", at=NOON, actor="staff:7", address="192.0.2.1")

    token.refresh_from_db()
    event = AuditEvent.objects.about(token).newest_first()[0]
    assert revoked
    assert (token.revoked_at, token.revoke_reason) == (NOON, "leaked")
    assert token.state_at(NOON) is TokenState.REVOKED
    assert (event.action, event.reason, event.actor) == ("token.revoked", "leaked", "staff:7")


def test_the_second_time_changes_nothing() -> None:
    token, _ = issued_token(at=NOON)
    token.revoke(reason="leaked", at=NOON, actor="staff:7")

    revoked = token.revoke(reason="again", actor="staff:8")

    token.refresh_from_db()
    assert not revoked
    assert (token.revoked_at, token.revoke_reason) == (NOON, "leaked")
    assert AuditEvent.objects.filter(action="token.revoked").count() == 1


def test_revoking_an_ending_token_leaves_its_successor() -> None:
    token, _ = issued_token(at=NOON)
    successor, _ = token.rotate(at=NOON, actor="staff:7")

    token.revoke(at=NOON, actor="staff:7")

    successor.refresh_from_db()
    assert not token.is_live(NOON)
    assert successor.is_live(NOON)


def test_a_clock_that_jumped_back_does_not_stop_it() -> None:
    token, _ = issued_token(at=NOON)

    successor, _ = token.rotate(overlap=timedelta(0), at=NOON - timedelta(days=1), actor="staff:7")
    revoked = successor.revoke(at=NOON - timedelta(days=2), actor="staff:7")

    assert revoked
    assert not token.is_live(NOON - timedelta(days=1))
