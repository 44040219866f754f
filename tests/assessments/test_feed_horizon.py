"""Until when the feed shows ends: no end comes later than that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from assessments.models import feed
from assessments.models.ends import database_now
from assessments.models.feed import shown_until
from config import metrics

AT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
needs_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer, which nobody overtakes"
)


@contextmanager
def another_session() -> Iterator[psycopg.Connection]:
    """Give a second connection to the same database; roll back at the end."""
    with psycopg.connect(**connection.get_connection_params() | {"context": None}) as other:
        yield other
        other.rollback()


def seconds_until_now() -> float:
    return (database_now(timezone.now()) - shown_until()).total_seconds()


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_the_last_minute_is_held_back() -> None:
    assert shown_until(AT) == AT - timedelta(seconds=60)
    assert 59 < seconds_until_now() < 61


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_it_stops_thirty_seconds_before_the_start_of_an_open_transaction_that_has_written() -> None:
    with another_session() as other:
        began = other.execute("SELECT now(), pg_current_xact_id()").fetchone()
        assert began

        until = shown_until(database_now(timezone.now()) + timedelta(hours=1))

    assert until == began[0] - timedelta(seconds=30)


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_only_reads_holds_nothing_back() -> None:
    with another_session() as other:
        other.execute("SELECT now()")

        later = AT + timedelta(days=3650)

        assert shown_until(later) == later - timedelta(seconds=60)


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_has_ended_holds_nothing_back() -> None:
    later = AT + timedelta(days=3650)
    with another_session() as other:
        other.execute("SELECT pg_current_xact_id()")
        held = shown_until(later)

    assert held < later - timedelta(days=1)
    assert shown_until(later) == later - timedelta(seconds=60)


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_the_metric_grows_while_a_transaction_that_has_written_stays_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "HELD_BACK", timedelta(seconds=10))
    alone = scraped_seconds_behind()
    with another_session() as other:
        other.execute("SELECT pg_current_xact_id()")
        held = scraped_seconds_behind()

    assert 9 < alone < 25
    assert 29 < held < 45


def scraped_seconds_behind() -> float:
    [behind] = [each for each in metrics.states() if each.name == "assess_feed_behind_seconds"]
    return behind.samples[0].value
