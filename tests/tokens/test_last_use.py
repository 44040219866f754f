from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import AccessTokenFactory, issued_token
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.urls("tests.tokens.probe_urls")
def test_a_call_is_a_use_and_a_refused_one_is_not() -> None:
    token, secret = issued_token()
    other, _ = issued_token()

    for token_id in (token.token_id, other.token_id):
        Client().post("/partner/links", headers={"X-Access-Token": f"{token_id}:{secret}"})

    token.refresh_from_db()
    other.refresh_from_db()
    assert token.last_used_at is not None
    assert other.last_used_at is None


def test_within_a_minute_nothing_is_written(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    token = AccessTokenFactory.create(last_used_at=NOON)

    with django_assert_num_queries(0):
        token.note_use(NOON + MINUTE - timedelta(milliseconds=1))

    token.refresh_from_db()
    assert token.last_used_at == NOON


def test_after_a_minute_it_is_written_again() -> None:
    token = AccessTokenFactory.create(last_used_at=NOON)

    token.note_use(NOON + MINUTE)

    token.refresh_from_db()
    assert token.last_used_at == NOON + MINUTE


def test_of_two_who_read_the_old_time_one_writes() -> None:
    token = AccessTokenFactory.create(last_used_at=NOON)
    stale = AccessToken.objects.get()
    token.note_use(NOON + MINUTE + timedelta(seconds=1))

    stale.note_use(NOON + MINUTE)

    stale.refresh_from_db()
    assert stale.last_used_at == NOON + MINUTE + timedelta(seconds=1)


def test_a_clock_that_jumped_back_writes_nothing() -> None:
    token = AccessTokenFactory.create(last_used_at=NOON)

    token.note_use(NOON - timedelta(days=1))

    token.refresh_from_db()
    assert token.last_used_at == NOON
