"""Django's PostgreSQL backend, with a cheaper look at whether a connection still works."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Ask the socket of a kept connection instead of the server.

    A server that ends a connection says so, and nothing else arrives between two requests, so a
    silent socket is one that works. Django asks `SELECT 1`, a twentieth of a call of the partner
    API; it still does if something has arrived.
    """

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        socket = select.poll()
        socket.register(self.connection.fileno(), select.POLLIN)
        return not socket.poll(0) or super().is_usable()
