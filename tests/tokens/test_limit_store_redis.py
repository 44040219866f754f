"""Counting in a real Redis that answers."""

from __future__ import annotations

import pytest
import redis
from pytest_django import Settings

from tests.support.threads import race
from tests.tokens.redis_stores import count, requests_to_redis
from tokens import limit_store, limits
from tokens.limit_store import PREFIX, LimitStore

pytestmark = pytest.mark.usefixtures("fresh_stores")


@pytest.fixture
def store(redis_url: str) -> LimitStore:
    return LimitStore(redis_url, {"TIMEOUT": 60})


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for Redis: of many threads on a busy machine one may not run for 50 ms."""
    monkeypatch.setattr(limit_store, "TIMEOUT_SECONDS", 10.0)
    monkeypatch.setattr(limit_store, "_redis_counters", {})


def test_the_counter_is_in_redis_and_ends(store: LimitStore, redis_url: str) -> None:
    counts = [count(store) for _ in range(3)]

    client = redis.Redis.from_url(redis_url)
    assert counts == [1, 2, 3]
    assert client.get(f"{PREFIX}a") == b"3"
    assert 0 < int(client.ttl(f"{PREFIX}a")) <= 60


def test_a_call_is_one_round_trip(store: LimitStore, monkeypatch: pytest.MonkeyPatch) -> None:
    count(store)
    sent = requests_to_redis(monkeypatch)

    count(store)

    assert len(sent) == 1


@pytest.mark.usefixtures("patient")
def test_threads_and_processes_count_together(
    redis_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = []
    for _process in range(4):
        monkeypatch.setattr(limit_store, "_redis_counters", {})
        stores.append([LimitStore(redis_url, {"TIMEOUT": 60}) for _thread in range(4)])

    results = race(
        [
            lambda store=store: [count(store) for _ in range(50)]
            for process in stores
            for store in process
        ]
    )

    assert sorted(number for numbers in results for number in numbers) == list(range(1, 801))


@pytest.mark.usefixtures("patient")
def test_the_limit_is_exact(redis_url: str, settings: Settings) -> None:
    settings.CACHES = {
        "limits": {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": redis_url}
    }

    results = race([lambda: [limits.count_failure("192.0.2.1", "a", 100) for _ in range(125)]] * 16)

    assert sum(wait == 0 for waits in results for wait in waits) == 100
    assert limits.store_is_healthy()


@pytest.mark.usefixtures("patient")
def test_more_threads_than_connections_count_together(redis_url: str) -> None:
    threads = 2 * redis.BlockingConnectionPool().max_connections
    store = LimitStore(redis_url, {"TIMEOUT": 60})

    results = race([lambda: [count(store) for _ in range(5)]] * threads)

    counts = [number for numbers in results for number in numbers]
    assert sorted(counts) == list(range(1, 5 * threads + 1))


def test_looking_changes_nothing(store: LimitStore, redis_url: str) -> None:
    looks = [store.get("a"), store.get("a", 0)]
    keys = redis.Redis.from_url(redis_url).keys()

    count(store)

    assert (looks, keys) == ([None, 0], [])
    assert store.get("a") == 1


def test_clearing_leaves_what_is_not_ours(store: LimitStore, redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    client.set("somebody else's", 1)
    count(store)

    store.clear()
    store.clear()

    assert client.keys() == [b"somebody else's"]
    assert count(store) == 1
