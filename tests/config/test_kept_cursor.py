"""The cursor that a connection keeps answers as Django's does, whatever befell it before."""

from __future__ import annotations

import contextlib
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from partners.kept_queries import rows
from tests.support.threads import race

pytestmark = [pytest.mark.django_db(transaction=True)]

AT = datetime(2026, 11, 22, 1, 2, 3, 456789, tzinfo=UTC)
QUESTION = """
SELECT %s::timestamptz, %s::text, 7::smallint, 2^40::bigint, true, NULL::text, '[1]'::jsonb::text
"""


def ask(sql: str = QUESTION, values: tuple[Any, ...] = (AT, "नमस्ते")) -> list[tuple[Any, ...]]:
    return rows(sql, values)


def test_it_gives_what_django_gives() -> None:
    with connection.cursor() as cursor:
        cursor.execute(QUESTION, (AT, "नमस्ते"))
        expected = cursor.fetchall()

    found = ask()

    assert found == expected
    assert found[0][0] == AT
    assert found[0][0].utcoffset() == AT.utcoffset()


def test_it_is_one_for_many_statements() -> None:
    ask()
    first = connection.kept_cursor().cursor
    ask("SELECT 1", ())

    assert connection.kept_cursor().cursor is first
    assert ask("SELECT 2", ()) == [(2,)]


def test_after_a_statement_that_failed_it_answers_again() -> None:
    with pytest.raises(DatabaseError):
        ask("SELECT 1 / 0", ())

    assert ask("SELECT 3", ()) == [(3,)]


def test_in_a_transaction_that_failed_it_refuses_and_after_it_answers() -> None:
    with transaction.atomic():
        with pytest.raises(DatabaseError), transaction.atomic():
            ask("SELECT 1 / 0", ())
        after_the_savepoint = ask("SELECT 4", ())
    with pytest.raises(DatabaseError, match="aborted"), transaction.atomic():
        with contextlib.suppress(DatabaseError):
            ask("SELECT 1 / 0", ())
        ask("SELECT 5", ())

    assert after_the_savepoint == [(4,)]
    assert ask("SELECT 6", ()) == [(6,)]


def test_closed_by_somebody_it_is_made_again() -> None:
    connection.kept_cursor().cursor.close()

    assert ask("SELECT 7", ()) == [(7,)]


def test_where_none_can_be_made_the_error_is_djangos() -> None:
    ask()
    connection.connection.close()
    connection._kept = None

    with pytest.raises(OperationalError):
        connection.kept_cursor()
    connection.close()


def test_each_thread_has_its_own() -> None:
    def own() -> tuple[int, list[tuple[Any, ...]]]:
        try:
            return id(connection.kept_cursor().cursor), ask("SELECT 8", ())
        finally:
            connection.close()

    found = race([own] * 4)

    assert len({cursor for cursor, _ in found}) == len(found)
    assert {tuple(answer) for _, answer in found} == {((8,),)}


def test_on_a_new_connection_it_is_a_new_one() -> None:
    [(pid,)] = ask("SELECT pg_backend_pid()", ())
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()
    time.sleep(0.2)  # until the socket has heard of it
    connection.health_check_enabled, connection.health_check_done = True, False

    [(again,)] = ask("SELECT pg_backend_pid()", ())

    assert again != pid


def test_it_is_seen_by_who_counts_queries_and_by_who_wraps_them() -> None:
    wrapped = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        wrapped.append(sql)
        return execute(sql, *rest)

    with CaptureQueriesContext(connection) as counted, connection.execute_wrapper(note):
        ask("SELECT 4", ())

    assert len(counted) == 1
    assert wrapped == ["SELECT 4"]
