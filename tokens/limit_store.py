"""The cache in which django-ratelimit counts: Redis, or this process's memory if Redis is down."""

from __future__ import annotations

import contextlib
import functools
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from prometheus_client import Counter
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger("tokens.limits")

# The longest that a call waits to connect, and again to count, before it skips Redis.
TIMEOUT_SECONDS = 0.05
SKIP_SECONDS = 5.0
# While the machine is busy, some answers come late. Only if all do for so long is it an outage.
PATIENCE_SECONDS = 0.5
# High, so that nobody can evict a counter by creating new ones.
MAX_ENTRIES = 100_000
PREFIX = "limits:"
# A script, so that counting is atomic and takes one round trip, and every counter expires.
_COUNT = """
redis.call('SET', KEYS[1], 0, 'NX', 'EX', ARGV[2])
return redis.call('INCRBY', KEYS[1], ARGV[1])
"""

COUNTED_IN_MEMORY = Counter(
    "assess_limit_counted_in_memory",
    "Calls that a process counted for itself, as the limiter's Redis did not answer.",
    registry=None,
)

_Answer = TypeVar("_Answer")


class UnavailableError(Exception):
    """Redis is down, or was a moment ago."""


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


class RedisCounters:
    """Counters that every process shares. All threads of a process use one instance.

    After a failure, skip Redis for SKIP_SECONDS; then one call tries it again. A call whose answer
    alone is late is counted in memory, and the next one asks Redis.
    """

    def __init__(self, url: str) -> None:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            connection_class=Connection,
            timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
            # With RESP 2 and no client name, a new connection needs no extra round trip.
            protocol=2,
            driver_info=None,
        )
        self._client = redis.Redis(connection_pool=pool)
        self._count = self._client.register_script(_COUNT)
        self._lock = threading.Lock()
        self._failing = False
        self._skip_until = 0.0
        self._late_since: float | None = None  # the first late answer since the last one in time

    def increment(self, key: str, amount: int, seconds: int) -> int:
        """Increment a counter and return its value. An expired counter starts again.

        Raises UnavailableError.
        """
        return cast("int", self._ask(lambda: self._count([PREFIX + key], [amount, seconds])))

    def value(self, key: str) -> int | None:
        """Return the value of a counter, or None if there is no such counter.

        Raises UnavailableError.
        """
        value = self._ask(lambda: cast("bytes | None", self._client.get(PREFIX + key)))
        return None if value is None else int(value)

    def clear(self) -> None:
        """Delete every counter. Scans the whole database, so don't use it on a busy one."""
        for key in self._client.scan_iter(PREFIX + "*"):
            self._client.delete(key)

    def _ask(self, question: Callable[[], _Answer]) -> _Answer:
        is_probe = self._begin()
        try:
            answer = question()
        except (redis.RedisError, OSError) as error:
            if not self._is_only_late(error):
                self._failed(error)
            raise UnavailableError from error
        self._late_since = None
        if is_probe:
            self._recovered()
        return answer

    def _begin(self) -> bool:
        """Return whether this call tries Redis again. Raises UnavailableError to skip it."""
        with self._lock:
            now = time.monotonic()
            if now < self._skip_until:
                raise UnavailableError
            if self._failing:
                # The other threads still skip Redis while this one tries.
                self._skip_until = now + SKIP_SECONDS
            return self._failing

    def _is_only_late(self, error: Exception) -> bool:
        if self._failing or not isinstance(error, redis.TimeoutError):
            return False
        now = time.monotonic()
        with self._lock:
            since = self._late_since = self._late_since or now
        return now - since < PATIENCE_SECONDS

    def _failed(self, error: Exception) -> None:
        with self._lock:
            is_first = not self._failing
            self._failing = True
            self._skip_until = time.monotonic() + SKIP_SECONDS
        if is_first:
            logger.error(
                "The limiter's Redis does not answer (%s); until it does, each process counts "
                "for itself.",
                type(error).__name__,
            )

    def _recovered(self) -> None:
        with self._lock:
            self._failing = False
            self._skip_until = 0.0
        logger.warning("The limiter's Redis answers again.")


# Django makes a cache object per thread; those with the same LOCATION share counters.
_redis_counters: dict[str, RedisCounters] = {}


class LimitStore(BaseCache):
    """Count for django-ratelimit, and fall back to memory if Redis fails.

    LOCATION is a Redis URL, or empty to count in this process alone. A counter lives for TIMEOUT.

    django-ratelimit calls `add` and, if that stores nothing, `incr` to count or `get` to read.
    So `add` never stores and `incr` creates the counter: one round trip instead of two.
    """

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._seconds = int(self.default_timeout or 60)
        options = {"MAX_ENTRIES": MAX_ENTRIES, "CULL_FREQUENCY": 10}
        self._memory = LocMemCache(
            f"limits {location}", {"TIMEOUT": self._seconds, "OPTIONS": options}
        )
        self._redis = (
            _redis_counters.setdefault(location, RedisCounters(location)) if location else None
        )

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Store nothing and return False."""
        return False

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        """Increment a counter, which starts at 0, and return its value."""
        if self._redis is not None:
            try:
                return self._redis.increment(key, delta, self._seconds)
            except UnavailableError:
                COUNTED_IN_MEMORY.inc()
        self._memory.add(key, 0)
        return self._memory.incr(key, delta)

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        if self._redis is not None:
            try:
                value = self._redis.value(key)
            except UnavailableError:
                COUNTED_IN_MEMORY.inc()
            else:
                return default if value is None else value
        return self._memory.get(key, default)

    def clear(self) -> None:
        self._memory.clear()
        if self._redis is not None:
            self._redis.clear()

    def is_healthy(self) -> bool:
        """Return whether calls are counted in the configured store, by counting one."""
        if self._redis is None:
            return True
        try:
            self._redis.increment("readyz", 1, self._seconds)
        except UnavailableError:
            return False
        return True
