"""A kept connection is looked at before a request uses it, without a question to the server."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

pytestmark = [pytest.mark.django_db(transaction=True)]


def backend_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid: int = cursor.fetchone()[0]
    return pid


def begin_a_request() -> None:
    """Do to the connection what Django does to it between two requests."""
    connection.close_if_unusable_or_obsolete()
    connection.health_check_enabled, connection.health_check_done = True, False


def end_from_outside(pid: int) -> None:
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()
    time.sleep(0.2)  # until the socket has heard of it


def test_one_that_is_well_is_used_again_and_nothing_is_asked() -> None:
    pid = backend_pid()
    begin_a_request()

    with CaptureQueriesContext(connection) as asked:
        again = backend_pid()

    assert again == pid
    assert connection.is_usable()
    assert len(asked) == 1


def test_one_that_the_server_has_ended_is_replaced_before_it_is_used() -> None:
    pid = backend_pid()
    begin_a_request()
    end_from_outside(pid)

    assert not connection.is_usable()
    assert backend_pid() != pid


def test_one_that_is_closed_is_not_usable() -> None:
    backend_pid()
    assert connection.connection is not None
    connection.connection.close()

    assert not connection.is_usable()
    connection.close()
