from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction

from tests.factories import AccessTokenFactory
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("accesstoken_has_an_id_and_a_digest", {"token_id": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": "sec_plain"}),
        ("accesstoken_rotated_has_an_end", {"rotated_at": NOON}),
        ("accesstoken_reason_only_if_revoked", {"revoke_reason": "leaked"}),
    ],
)
def test_the_database_refuses(constraint: str, fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        AccessTokenFactory.create(**fields)

    assert not AccessToken.objects.exists()


def test_the_database_refuses_a_token_that_replaces_itself() -> None:
    token = AccessTokenFactory.create()

    with pytest.raises(IntegrityError, match="replaces_another"), transaction.atomic():
        AccessToken.objects.filter(pk=token.pk).update(replaces=token)


def test_the_database_refuses_a_second_successor() -> None:
    token = AccessTokenFactory.create()
    AccessTokenFactory.create(replaces=token)

    with pytest.raises(IntegrityError), transaction.atomic():
        AccessTokenFactory.create(replaces=token)


def test_the_database_refuses_a_token_id_twice() -> None:
    token = AccessTokenFactory.create()

    with pytest.raises(IntegrityError), transaction.atomic():
        AccessTokenFactory.create(token_id=token.token_id)


def test_a_project_with_tokens_is_not_deleted() -> None:
    token = AccessTokenFactory.create()

    with pytest.raises(models.ProtectedError):
        token.project.delete()
