"""Where django-ratelimit counts: in Redis, or in this process's memory if Redis is down."""

import functools
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import redis
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


class RedisCounters:
    """Counters that every process shares. All threads of a process use one instance.

    After a failure, all calls skip Redis for SKIP_SECONDS, then one tries it again. A single late
    answer is no failure: that call counts in memory, the next one asks Redis.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._of_thread = threading.local()  # as sharing connections would cost 6 % of a call
        self._lock = threading.Lock()
        self._skip_until = 0.0  # not 0: it failed, and answered no probe since
        self._late_since: float | None = None  # the first late answer since the last one in time

    def _script(self) -> Callable[..., Any]:
        """Return _COUNT as a function, which sends it over the connection of this thread."""
        if not hasattr(self._of_thread, "count"):
            client = redis.Redis.from_url(
                self._url,
                single_connection_client=True,
                socket_timeout=TIMEOUT_SECONDS,
                socket_connect_timeout=TIMEOUT_SECONDS,
                # At once, and only if Redis has closed the connection since it was used.
                retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
                # With RESP 2 and no client name, a new connection needs no extra round trip.
                protocol=2,
                driver_info=None,
            )
            self._of_thread.count = client.register_script(_COUNT)
        return cast("Callable[..., Any]", self._of_thread.count)

    def increment(self, key: str, amount: int, seconds: int) -> int | None:
        """Increment a counter and return its value; None while Redis is skipped."""
        with self._lock:
            now = time.monotonic()
            if now < self._skip_until:
                return None
            if is_probe := self._skip_until > 0:
                # The other threads still skip Redis while this one tries.
                self._skip_until = now + SKIP_SECONDS
        try:
            count = cast("int", self._script()([PREFIX + key], [amount, seconds]))
        except (redis.RedisError, OSError) as error:
            self._note_failure(error)
            return None
        self._late_since = None
        if is_probe:
            self._skip_until = 0.0
            logger.warning("The limiter's Redis answers again.")
        return count

    def _note_failure(self, error: Exception) -> None:
        with self._lock:
            now = time.monotonic()
            is_first = not self._skip_until
            if is_first and isinstance(error, redis.TimeoutError):
                self._late_since = self._late_since or now
                if now - self._late_since < PATIENCE_SECONDS:
                    return
            self._skip_until = now + SKIP_SECONDS
        if is_first:
            logger.error(
                "The limiter's Redis does not answer (%s); until it does, each process counts "
                "for itself.",
                type(error).__name__,
            )


# Django makes a store per thread; those with the same LOCATION share counters.
_redis_counters = functools.cache(RedisCounters)


class LimitStore:
    """Count for django-ratelimit, and fall back to memory if Redis fails.

    LOCATION is a Redis URL, or empty to count in this process alone; TIMEOUT, in seconds, is the
    lifetime of a counter. Callers use `add` and, if that stores nothing, `incr` to count or `get`
    to read. So `add` never stores, and `incr` creates the counter: one round trip, not two.
    """

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        self._seconds = int(params.get("TIMEOUT", 60))
        options = {"MAX_ENTRIES": MAX_ENTRIES, "CULL_FREQUENCY": 10}
        self._memory = LocMemCache(
            f"limits {location}", {"TIMEOUT": self._seconds, "OPTIONS": options}
        )
        self._redis = _redis_counters(location) if location else None

    def add(self, key: str, value: int, timeout: float) -> bool:
        return False

    def incr(self, key: str, delta: int = 1) -> int:
        if self._redis is not None:
            count = self._redis.increment(key, delta, self._seconds)
            if count is not None:
                return count
            COUNTED_IN_MEMORY.inc()
        self._memory.add(key, 0)
        return self._memory.incr(key, delta)

    def get(self, key: str, default: int) -> int:
        return self.incr(key, 0)

    def clear(self) -> None:
        """Forget what this process counted in memory."""
        self._memory.clear()

    def close(self) -> None:
        """Keep the connections when a request ends."""

    def is_healthy(self) -> bool:
        """Return whether the configured store counts, by counting once."""
        return self._redis is None or self._redis.increment("readyz", 1, self._seconds) is not None
