"""Django's PostgreSQL backend, made cheaper for what every call does.

Its health check asks the socket instead of the server, and a connection keeps one cursor.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper
    from psycopg import Cursor


class DatabaseWrapper(base.DatabaseWrapper):
    _kept: Cursor[Any] | None = None

    def kept_cursor(self) -> CursorWrapper:
        """Return a cursor that is made once a connection, for one statement, read before the next.

        What it fetches comes in PostgreSQL's binary format: a timestamp in UTC is read in C, which
        Django does in Python. JSON comes parsed; where Django's fields expect text, cast it.
        """
        self.close_if_health_check_failed()
        if self.connection is None:
            self.ensure_connection()
        kept = self._kept
        if kept is None or kept.closed or kept.connection is not self.connection:
            with self.wrap_database_errors:
                kept = self._kept = self.connection.cursor(binary=True)
        prepared: CursorWrapper = self._prepare_cursor(kept)  # type: ignore[attr-defined]  # Django's
        return prepared

    def is_usable(self) -> bool:
        """Tell whether the server still holds the other end of a connection that is at rest.

        Django's own sends `SELECT 1` before the first query of each request: a third trip of two.
        A server that ends a connection, or dies, says so on the socket: there is something to
        read, where nothing was asked. A network that swallows everything shows neither way; a
        query, and `SELECT 1` too, waits there for the operating system to give up.
        """
        if self.connection is None or self.connection.pgconn.status != ConnStatus.OK:
            return False
        waiting = select.poll()
        waiting.register(self.connection.pgconn.socket, select.POLLIN)
        return not waiting.poll(0)
