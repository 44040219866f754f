"""Whether a kept connection to PostgreSQL still works, as its socket shows."""

import select

import pytest
from django.db import connection, connections

from tests.support.server import DATABASE

pytestmark = [
    pytest.mark.skipif(DATABASE != "postgresql", reason="needs PostgreSQL"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def other():
    found = connections.create_connection("default")
    yield found
    found.close()


def run(database, sql):
    with database.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()


def test_a_silent_connection_is_usable_without_a_question(other):
    (pid,) = run(other, "SELECT pg_backend_pid()")

    assert other.is_usable()
    last = run(connection, f"SELECT query FROM pg_stat_activity WHERE pid = {pid}")
    assert last == ("SELECT pg_backend_pid()",)


@pytest.mark.parametrize("by_server", [True, False])
def test_a_connection_that_has_ended_is_not_usable(other, by_server):
    (pid,) = run(other, "SELECT pg_backend_pid()")
    if by_server:
        run(connection, f"SELECT pg_terminate_backend({pid}, 1000)")
    else:
        other.connection.close()

    assert not other.is_usable()


def test_a_connection_that_got_a_message_is_usable(other):
    run(other, "SELECT 1")
    with other.cursor() as cursor:
        cursor.execute("LISTEN something")
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY something")
    select.select([other.connection], [], [], 10)

    assert other.is_usable()
