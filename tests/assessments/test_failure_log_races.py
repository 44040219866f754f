"""Workers that count the same minute at one moment: one row, with all their calls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import RefusedCall
from tests.factories import ProjectFactory, issued_token
from tests.support.threads import race
from tokens.models import AccessToken

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

THREADS, ROUNDS = 6, 10
AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)


def over_the_limit(token: AccessToken, at: datetime, count: int) -> RefusedCall:
    whose = {"project": token.project, "access_token": token}
    return RefusedCall(**whose, operation="x", at=at, status=429, count=count)


def test_several_workers_add_to_one_row() -> None:
    token, _ = issued_token(ProjectFactory.create())

    for number in range(ROUNDS):
        at = AT + timedelta(minutes=number)
        outcomes = race(
            [
                lambda at=at, n=n: RefusedCall.objects.store([over_the_limit(token, at, n)])  # type: ignore[misc]
                for n in range(1, THREADS + 1)
            ]
        )
        assert outcomes == [None] * THREADS

    counts = list(RefusedCall.objects.values_list("count", flat=True))
    assert counts == [sum(range(1, THREADS + 1))] * ROUNDS
