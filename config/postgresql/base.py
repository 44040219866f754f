"""Django's PostgreSQL backend, with a cheaper check whether a connection still works."""

import select

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Ask the socket of a kept connection instead of the server.

    A server that ends a connection says so, and nothing else arrives between two requests. So a
    silent idle connection works, unless the server's host has vanished: then one request for each
    connection fails. Django's `SELECT 1`, a twentieth of a call, is the fallback.
    """

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        is_idle = self.connection.info.transaction_status == TransactionStatus.IDLE
        return (is_idle and not poll.poll(0)) or super().is_usable()
