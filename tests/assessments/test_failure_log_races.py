"""Workers that count the same minute at one moment: one row, with all their calls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import RefusedCall
from partners.models import Project
from tests.factories import ProjectFactory
from tests.support.threads import race

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

THREADS, ROUNDS = 6, 10
AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)


def over_the_limit(project: Project, at: datetime, count: int) -> RefusedCall:
    return RefusedCall(project=project, operation="x", at=at, status=429, count=count)


def test_several_workers_add_to_one_row() -> None:
    project = ProjectFactory.create()

    for number in range(ROUNDS):
        at = AT + timedelta(minutes=number)
        outcomes = race(
            [
                lambda at=at, n=n: RefusedCall.objects.store([over_the_limit(project, at, n)])  # type: ignore[misc]
                for n in range(1, THREADS + 1)
            ]
        )
        assert outcomes == [None] * THREADS

    counts = list(RefusedCall.objects.values_list("count", flat=True))
    assert counts == [sum(range(1, THREADS + 1))] * ROUNDS
