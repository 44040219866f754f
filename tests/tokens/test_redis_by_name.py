"""The name in REDIS_URL: no call waits for a resolver that hangs."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import RedisServer
from tests.support.programs import until
from tests.support.threads import race
from tests.tokens.redis_stores import count
from tokens import limit_store
from tokens.limit_store import LimitStore

NAME = "redis.example"

pytestmark = pytest.mark.usefixtures("fresh_stores")


class Resolver:
    """Answers for one name, or hangs."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.asked = 0
        self._usual: Callable[..., Any] = socket.getaddrinfo

    def __call__(self, host: str, *args: Any, **options: Any) -> Any:
        if host != NAME:
            return self._usual(host, *args, **options)
        self.asked += 1
        self.answers.wait(30)
        # Nobody listens at the first address, as with localhost where Redis has IPv4 only.
        return [
            entry
            for address in ("::1", "127.0.0.1")
            for entry in self._usual(address, *args, **options)
        ]


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Resolver]:
    made = Resolver()
    monkeypatch.setattr(socket, "getaddrinfo", made)
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0)
    limit_store._lookup.cache_clear()
    yield made
    made.answers.set()
    limit_store._lookup.cache_clear()


def store_of(server: RedisServer) -> LimitStore:
    store = LimitStore(f"redis://{NAME}:{urlsplit(server.url).port}/0", {})
    store._memory.clear()
    return store


def test_calls_count_in_memory_while_the_resolver_hangs(
    resolver: Resolver, redis_server: RedisServer
) -> None:
    store = store_of(redis_server)
    began = time.monotonic()

    counted = race([lambda: count(store, "hangs")] * 8)

    assert sorted(counted) == list(range(1, 9))
    assert time.monotonic() - began < 2
    assert resolver.asked == 1, "each call has asked the resolver"
    assert not store.is_healthy()

    resolver.answers.set()
    until(store.is_healthy, 5)
    assert count(store, "hangs") == 1  # in Redis


def test_a_name_is_looked_up_for_a_new_connection_only(
    resolver: Resolver, redis_server: RedisServer
) -> None:
    resolver.answers.set()
    store = store_of(redis_server)

    assert store.is_healthy()
    for _ in range(5):
        count(store)

    assert resolver.asked == 1


def test_an_address_that_was_known_serves_while_the_resolver_hangs(
    resolver: Resolver, redis_server: RedisServer
) -> None:
    resolver.answers.set()
    store = store_of(redis_server)
    assert store.is_healthy()
    resolver.answers.clear()
    assert store._redis is not None
    store._redis._client.connection_pool.disconnect()

    assert store.is_healthy()
    assert resolver.asked == 2
