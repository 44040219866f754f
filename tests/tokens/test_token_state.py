from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import AccessTokenFactory, UserFactory, issued_token
from tokens.models import AccessToken, TokenState

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
BEFORE, AFTER = NOON - timedelta(milliseconds=1), NOON + timedelta(milliseconds=1)

CASES: list[tuple[dict[str, Any], TokenState]] = [
    ({}, TokenState.LIVE),
    ({"expires_at": AFTER}, TokenState.LIVE),
    ({"expires_at": NOON}, TokenState.EXPIRED),
    ({"expires_at": BEFORE}, TokenState.EXPIRED),
    ({"expires_at": AFTER, "rotated_at": BEFORE}, TokenState.ENDING),
    ({"expires_at": NOON, "rotated_at": BEFORE}, TokenState.EXPIRED),
    ({"revoked_at": BEFORE}, TokenState.REVOKED),
    ({"revoked_at": AFTER}, TokenState.REVOKED),
    ({"revoked_at": BEFORE, "expires_at": BEFORE}, TokenState.REVOKED),
    ({"revoked_at": BEFORE, "expires_at": AFTER, "rotated_at": BEFORE}, TokenState.REVOKED),
]


@pytest.mark.parametrize(("times", "state"), CASES)
def test_the_state_follows_from_the_times(times: dict[str, Any], state: TokenState) -> None:
    token = AccessTokenFactory.create(**times)

    assert token.state_at(NOON) is state
    assert token.is_live(NOON) is (state in {TokenState.LIVE, TokenState.ENDING})


@pytest.mark.parametrize(("times", "state"), CASES)
def test_the_sets_of_rows_say_the_same(times: dict[str, Any], state: TokenState) -> None:
    token = AccessTokenFactory.create(**times)

    found = [each for each in TokenState if AccessToken.objects.in_state(each, NOON).exists()]

    assert found == [state]
    assert AccessToken.objects.live(NOON).exists() is token.is_live(NOON)
    assert AccessToken.objects.counted_against_cap(NOON).exists() is (state is TokenState.LIVE)


def test_a_token_speaks_of_its_own_project_only() -> None:
    token, other = AccessTokenFactory.create_batch(2)

    assert token.allows(token.project.project_id)
    assert not token.allows(other.project.project_id)
    assert not token.allows(token.project.project_id.lower())
    assert not token.allows("")


def test_the_issuer_is_read_from_the_audit_trail() -> None:
    priya = UserFactory.create(username="priya")
    by_command, _ = issued_token()
    by_staff, _ = by_command.rotate(actor=f"staff:{priya.pk}")
    of_nobody = AccessTokenFactory.create()

    issuers = {
        token.pk: (token.issuer, token.issuer_name) for token in AccessToken.objects.with_issuer()
    }

    assert issuers == {
        by_command.pk: ("command:tests", None),
        by_staff.pk: (f"staff:{priya.pk}", "priya"),
        of_nobody.pk: (None, None),
    }


def test_why_a_token_ended_is_said_without_the_audit_trail_too() -> None:
    """After seven years the event is gone, and the token's own time is left."""
    token = AccessTokenFactory.create(revoked_at=datetime(2026, 6, 1, 10, 0, tzinfo=UTC))

    assert "1 Jun 2026, 15:30 IST" in token.why_not_live()
