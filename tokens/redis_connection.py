"""A connection to Redis by name, held up by no resolver that hangs."""

from __future__ import annotations

import contextlib
import functools
import socket
import threading
from typing import Any

import redis


class Lookup:
    """The addresses of a host, looked up in a thread of its own, one at a time."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._addresses: list[str] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def addresses(self, seconds: float) -> list[str]:
        """Return the addresses, or those of the last time if that takes longer than `seconds`.

        [] if none is known.
        """
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look_up, daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(seconds)
        return self._addresses

    def _look_up(self) -> None:
        with contextlib.suppress(OSError, UnicodeError):
            entries = socket.getaddrinfo(self._host, None, type=socket.SOCK_STREAM)
            self._addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))


_lookup = functools.cache(Lookup)


class Connection(redis.Connection):
    """Connects to an address of its host, which was looked up within the time to connect.

    redis-py waits for the resolver without a bound. Not for `rediss://`, whose certificate is
    compared with the name: put such a name into /etc/hosts.
    """

    def __init__(self, host: str = "localhost", **options: Any) -> None:
        super().__init__(host=host, **options)  # type: ignore[no-untyped-call]  # redis-py's
        self._name = host

    def connect_check_health(self, *args: Any, **options: Any) -> None:
        """Connect to the first address that answers. Raises redis.RedisError."""
        if self.is_connected:
            return
        failed: redis.RedisError = redis.ConnectionError("The address was not found in time.")
        for address in _lookup(self._name).addresses(self.socket_connect_timeout or 0):
            self.host = address
            try:
                super().connect_check_health(*args, **options)
            except (redis.ConnectionError, redis.TimeoutError) as error:
                failed = error
            else:
                return
        raise failed
