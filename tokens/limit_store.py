"""Where the limiter counts: in Redis, so that all processes count together, else in this process.

django-ratelimit asks a Django cache: `add` the key with 1, and if it is there already, `incr` it.
That is all this backend is for.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from typing import Any, cast

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from redis.backoff import NoBackoff
from redis.retry import Retry

from tokens import limit_metrics

logger = logging.getLogger("tokens.limits")

# A call may lose this long twice, to connect and to ask; then Redis is left alone for a while.
TIMEOUT_SECONDS = 0.05
SKIP_SECONDS = 5.0
# Counters live for a minute. High, so that nobody can push a counter out by making new ones.
MAX_ENTRIES = 100_000
PREFIX = "limits:"
# Counts, at once and in one round trip. The key must not expire between the two.
_COUNT = """
local is_new = redis.call('SET', KEYS[1], 0, 'NX', 'EX', ARGV[2])
return {is_new and 1 or 0, redis.call('INCRBY', KEYS[1], ARGV[1])}
"""
# By which Redis knows a script that it was given before.
_COUNT_NAME = hashlib.sha1(_COUNT.encode(), usedforsecurity=False).hexdigest()
# An array of six: the command, the name, how many keys, and three more. redis-py takes longer to
# put it together than to read the answer.
_COUNT_HEAD = f"*6\r\n$7\r\nEVALSHA\r\n$40\r\n{_COUNT_NAME}\r\n$1\r\n1\r\n".encode()


def _count_by_name(*arguments: str | int) -> bytes:
    """Return `EVALSHA` with a key, an amount and seconds in Redis's protocol, as redis-py would."""
    words = [str(argument).encode() for argument in arguments]
    return _COUNT_HEAD + b"".join([b"$%d\r\n%b\r\n" % (len(word), word) for word in words])


class UnavailableError(Exception):
    """Redis does not answer, or did not a moment ago."""


class MemoryCounts:
    """Counters of this process alone."""

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._entries: dict[str, tuple[float, int]] = {}

    def count(self, key: str, amount: int, seconds: int) -> tuple[bool, int]:
        """Add `amount`; return whether the counter is new, and its value. It lives `seconds`."""
        now = time.time()
        with self._lock:
            ends_at, value = self._entries.get(key, (0.0, 0))
            is_new = ends_at <= now
            if is_new:
                self._make_room(now)
                ends_at, value = now + seconds, 0
            self._entries[key] = (ends_at, value + amount)
            return is_new, value + amount

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)

    def _make_room(self, now: float) -> None:
        if len(self._entries) < self._max_entries:
            return
        self._entries = {key: entry for key, entry in self._entries.items() if entry[0] > now}
        # A tenth at once, the oldest: to look through all for every new one would be a way to
        # stop this process.
        excess = len(self._entries) - self._max_entries * 9 // 10
        for key in list(self._entries)[: max(0, excess)]:
            del self._entries[key]


class RedisCounts:
    """Counters in one Redis, as all threads of this process see it."""

    def __init__(self, url: str) -> None:
        # RESP 2 and no driver name: nothing but the question itself is worth a round trip.
        self._client = redis.Redis.from_url(
            url,
            protocol=2,
            driver_info=None,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._failing = False
        self._skip_until = 0.0

    def count(self, key: str, amount: int, seconds: int) -> tuple[bool, int]:
        """Do as MemoryCounts does, in one round trip. Raise UnavailableError if Redis is."""
        is_new, value = self._ask(lambda: self._run(PREFIX + key, amount, seconds))
        return bool(is_new), value

    def _run(self, *arguments: str | int) -> tuple[int, int]:
        """Run _COUNT with a key, an amount and seconds.

        On a connection of this thread's own, as the client's pool takes longer than Redis itself.
        """
        # Kept only after an answer: one that failed may still hold what was asked before.
        line = self._of_thread.__dict__.pop("line", None)
        try:
            answer = line and self._ask_for_count(line, arguments)
        except redis.ConnectionError:
            answer = None  # closed since the last call, as by a restart of Redis
        if answer is None:
            line = cast("Any", self._client.connection_pool.make_connection())
            line.connect()
            answer = self._ask_for_count(line, arguments)
        self._of_thread.line = line
        return answer

    @staticmethod
    def _ask_for_count(line: Any, arguments: tuple[str | int, ...]) -> tuple[int, int]:
        try:
            line.send_packed_command([_count_by_name(*arguments)])
            answer: tuple[int, int] = line.read_response()
        except redis.exceptions.NoScriptError:
            line.send_command("EVAL", _COUNT, 1, *arguments)
            answer = line.read_response()
        return answer

    def is_healthy(self) -> bool:
        try:
            self._ask(self._client.ping)
        except UnavailableError:
            return False
        return True

    def clear(self) -> None:
        """Forget all counters. For tests and for a person at a prompt: it looks at every key."""
        keys = list(self._client.scan_iter(PREFIX + "*"))
        if keys:
            self._client.delete(*keys)

    def _ask(self, question: Any) -> Any:
        is_probe = self._begin()
        try:
            answer = question()
        except (redis.RedisError, OSError) as error:
            self._failed(error)
            raise UnavailableError from error
        if is_probe:
            self._recovered()
        return answer

    def _begin(self) -> bool:
        """Return whether this call is the one that finds out if Redis is back."""
        with self._lock:
            now = time.monotonic()
            if now < self._skip_until:
                raise UnavailableError
            if self._failing:
                # The others go on skipping while this one tries.
                self._skip_until = now + SKIP_SECONDS
            return self._failing

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


class LimitStore(BaseCache):
    """A cache backend for counters. LOCATION: a Redis URL or empty. A caller never sees it fail."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._memory, self._redis = _counts_of(location)
        # Django makes one backend for each thread, so this is of the thread's last `add`.
        self._counted: tuple[str, int] | None = None

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: Any = None
    ) -> bool:
        """Return True and start a counter at `value`, or return False if it is there.

        It is counted up already then: the `incr` that follows has nothing left to ask.
        """
        is_new, count = self._count(key, int(value), self._seconds(timeout))
        self._counted = None if is_new else (key, count)
        return is_new

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        counted, self._counted = self._counted, None
        if counted is not None and counted[0] == key:
            return counted[1]
        return self._count(key, delta, self._seconds(None))[1]

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        return self.incr(key, 0)

    def clear(self) -> None:
        self._memory.clear()
        if self._redis is not None:
            self._redis.clear()

    def is_healthy(self) -> bool:
        """Tell whether the counters are where they should be."""
        return self._redis is None or self._redis.is_healthy()

    def _seconds(self, timeout: float | object | None) -> int:
        """Return how long a counter lives. None lives for ever, and neither is it of use here."""
        return int(timeout if isinstance(timeout, int | float) else self.default_timeout or 60)

    def _count(self, key: str, amount: int, seconds: int) -> tuple[bool, int]:
        if self._redis is not None:
            try:
                return self._redis.count(key, amount, seconds)
            except UnavailableError:
                limit_metrics.counted_in_memory()
        return self._memory.count(key, amount, seconds)


_stores: dict[str, tuple[MemoryCounts, RedisCounts | None]] = {}
_stores_lock = threading.Lock()


def _counts_of(location: str) -> tuple[MemoryCounts, RedisCounts | None]:
    """Return what all threads of this process share for one LOCATION."""
    with _stores_lock:
        if location not in _stores:
            _stores[location] = MemoryCounts(), RedisCounts(location) if location else None
        return _stores[location]
