"""Counting in this process's memory, and in a real Redis that answers."""

import pytest
import redis
import time_machine

from tests.support.threads import race
from tokens import limit_store, limits
from tokens.limit_store import PREFIX, LimitStore

NOW = 1_780_000_000
ADDRESS = "192.0.2.1"


def in_memory(timeout=60):
    store = LimitStore("", {"TIMEOUT": timeout})
    store.clear()
    return store


@pytest.fixture
def store(redis_url, fresh_stores):
    return LimitStore(redis_url, {"TIMEOUT": 60})


@pytest.fixture
def patient(fresh_stores, monkeypatch):
    """Wait for Redis: of many threads on a busy machine one may not run for 50 ms."""
    monkeypatch.setattr(limit_store, "TIMEOUT_SECONDS", 10.0)


def test_a_counter_in_memory_begins_with_the_first_count_and_ends_after_its_time():
    store = in_memory(timeout=60)

    with time_machine.travel(NOW, tick=False) as clock:
        counts = [store.get("a", 0), store.incr("a"), store.incr("a")]
        counts += [store.incr("a", 5), store.get("a", 0), store.incr("b")]
        clock.shift(59.9)
        counts += [store.incr("a")]
        clock.shift(0.1)
        counts += [store.incr("a")]

    assert counts == [0, 1, 2, 7, 7, 1, 8, 1]


def test_a_full_memory_drops_the_counters_longest_unused(monkeypatch):
    monkeypatch.setattr(limit_store, "MAX_ENTRIES", 100)
    store = in_memory()

    for number in range(1000):
        store.incr(f"key-{number}")
        store.incr("in-use")

    assert [store.incr(key) for key in ("in-use", "key-999", "key-0")] == [1001, 2, 1]


def test_a_counter_in_redis_ends_after_its_time_and_a_look_counts_nothing(store, redis_url):
    client = redis.Redis.from_url(redis_url)

    counts = [store.get("a", 0), store.incr("a"), store.incr("a"), store.incr("a", 5)]
    counts += [store.get("a", 0)]

    assert counts == [0, 1, 2, 7, 7]
    assert client.get(f"{PREFIX}a") == b"7"
    assert 0 < int(client.ttl(f"{PREFIX}a")) <= 60


def test_counting_is_one_round_trip(store, requests_to_redis):
    store.incr("a")
    sent = requests_to_redis()

    store.incr("a")

    assert len(sent) == 1


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("processes", "threads"), [(4, 4), (1, 2 * redis.BlockingConnectionPool().max_connections)]
)
def test_processes_count_together_even_with_more_threads_than_connections(
    redis_url, processes, threads
):
    stores = []
    for _process in range(processes):
        limit_store._redis_counters.cache_clear()
        stores += [LimitStore(redis_url, {"TIMEOUT": 60}) for _thread in range(threads)]

    results = race([lambda store=store: [store.incr("a") for _ in range(9)] for store in stores])

    counts = sorted(number for numbers in results for number in numbers)
    assert counts == list(range(1, 9 * processes * threads + 1))


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("place", ["memory", "redis"])
def test_many_threads_get_exactly_the_limit(place, settings, request):
    if place == "redis":
        url = request.getfixturevalue("redis_url")
        settings.CACHES = {"limits": {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": url}}

    with time_machine.travel(NOW, tick=False):  # all within one minute, however slow the machine
        count = lambda: [limits.count_failure(ADDRESS, "a", 100) for _ in range(125)]  # noqa: E731
        results = race([count] * 16)

    assert sum(wait == 0 for waits in results for wait in waits) == 100
    assert limits.store_is_healthy()
