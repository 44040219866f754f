"""Django's PostgreSQL backend, with a health check that asks the socket instead of the server."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own sends `SELECT 1` before the first query of each request: a third trip of two."""

    def is_usable(self) -> bool:
        """Tell whether the server still holds the other end of a connection that is at rest.

        A server that ends a connection, or dies, says so on the socket: there is something to
        read, where nothing was asked. A network that swallows everything shows neither way; a
        query, and `SELECT 1` too, waits there for the operating system to give up.
        """
        if self.connection is None or self.connection.pgconn.status != ConnStatus.OK:
            return False
        waiting = select.poll()
        waiting.register(self.connection.pgconn.socket, select.POLLIN)
        return not waiting.poll(0)
