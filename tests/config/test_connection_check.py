"""A kept connection is checked before a request uses it."""

from __future__ import annotations

import pytest
from django.db import close_old_connections, connection

pytestmark = [pytest.mark.django_db(transaction=True)]


def backend_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid: int = cursor.fetchone()[0]
    return pid


def test_one_that_the_server_has_ended_is_replaced() -> None:
    pid = backend_pid()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()
    close_old_connections()

    assert backend_pid() != pid
