"""The state of a token follows from its times; what the database refuses."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, models, transaction

from tests.factories import AccessTokenFactory
from tokens.models import AccessToken, TokenState

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
BEFORE, AFTER = NOON - timedelta(milliseconds=1), NOON + timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("times", "state"),
    [
        ({}, TokenState.LIVE),
        ({"expires_at": AFTER}, TokenState.LIVE),
        ({"expires_at": NOON}, TokenState.EXPIRED),
        ({"expires_at": AFTER, "rotated_at": BEFORE}, TokenState.ENDING),
        ({"expires_at": NOON, "rotated_at": BEFORE}, TokenState.EXPIRED),
        ({"revoked_at": AFTER}, TokenState.REVOKED),
        ({"revoked_at": BEFORE, "expires_at": BEFORE}, TokenState.REVOKED),
        ({"revoked_at": BEFORE, "expires_at": AFTER, "rotated_at": BEFORE}, TokenState.REVOKED),
    ],
)
def test_a_token_and_the_sets_of_rows_agree_on_its_state(times, state):
    token = AccessTokenFactory.create(**times)
    tokens = AccessToken.objects.all()

    is_live = state in {TokenState.LIVE, TokenState.ENDING}
    assert token.state_at(NOON) is state
    assert [each for each in TokenState if tokens.in_state(each, NOON).exists()] == [state]
    assert (token.is_live(NOON), tokens.live(NOON).exists()) == (is_live, is_live)
    assert tokens.counted_against_cap(NOON).exists() is (state is TokenState.LIVE)


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("accesstoken_has_an_id_and_a_digest", {"token_id": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": "sec_plain"}),
        ("accesstoken_rotated_has_an_end", {"rotated_at": NOON}),
        ("accesstoken_reason_only_if_revoked", {"revoke_reason": "leaked"}),
        ("accesstoken_replaces_another", {"pk": 7, "replaces_id": 7}),
    ],
)
def test_the_database_refuses_a_row(constraint, fields):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        AccessTokenFactory.create(**fields)

    assert not AccessToken.objects.exists()


def test_the_database_refuses_a_second_successor_and_a_token_id_twice():
    token = AccessTokenFactory.create()
    AccessTokenFactory.create(replaces=token)

    for fields in ({"replaces": token}, {"token_id": token.token_id}):
        with pytest.raises(IntegrityError, match="unique"), transaction.atomic():
            AccessTokenFactory.create(**fields)
    with pytest.raises(models.ProtectedError):
        token.project.delete()
    assert AccessToken.objects.count() == 2


def test_a_token_is_of_its_own_project_only():
    token, other = AccessTokenFactory.create_batch(2)
    own = token.project.project_id

    asked = [own, other.project.project_id, own.lower(), ""]

    assert [token.allows(project_id) for project_id in asked] == [True, False, False, False]


def test_without_its_audit_event_a_token_still_tells_when_it_was_revoked():
    token = AccessTokenFactory.create(revoked_at=datetime(2026, 6, 1, 10, tzinfo=UTC))

    assert "1 Jun 2026, 15:30 IST" in token.end_in_words()
