"""Counting in this process, without Redis."""

from __future__ import annotations

import pytest
import time_machine
from django.core.cache import caches

from tests.support.threads import race
from tokens import limit_store, limits
from tokens.limit_store import LimitStore

NOW = 1_780_000_000
ADDRESS = "192.0.2.1"


def store_of(location: str = "", timeout: int = 60) -> LimitStore:
    store = LimitStore(location, {"TIMEOUT": timeout})
    store.clear()
    return store


def test_a_counter_begins_with_the_first_count() -> None:
    store = store_of()

    assert [store.incr("a"), store.incr("a"), store.incr("a", 5)] == [1, 2, 7]
    assert store.incr("b") == 1


def test_django_ratelimit_counts_each_call_once() -> None:
    with time_machine.travel(NOW, tick=False):
        waits = [limits.count_failure(ADDRESS, "a", 3) > 0 for _ in range(5)]

    assert waits == [False, False, False, True, True]


def test_looking_counts_nothing() -> None:
    with time_machine.travel(NOW, tick=False):
        limits.count_failure(ADDRESS, "a", 2)

        looks = [limits.seconds_to_wait(ADDRESS, "a", 2) for _ in range(3)]
        limits.count_failure(ADDRESS, "a", 2)

        assert looks == [0, 0, 0]
        assert limits.seconds_to_wait(ADDRESS, "a", 2) > 0


def test_a_counter_ends_after_its_time() -> None:
    store = store_of(timeout=60)

    with time_machine.travel(NOW, tick=False) as clock:
        store.incr("a")
        clock.shift(59.9)
        still_there = store.incr("a")
        clock.shift(0.1)
        new = store.incr("a")

    assert (still_there, new) == (2, 1)


def test_all_threads_count_together() -> None:
    with time_machine.travel(NOW, tick=False):  # all within one minute, however slow the machine
        results = race([lambda: [limits.count_failure(ADDRESS, "a", 100) for _ in range(50)]] * 16)

    within = sum(wait == 0 for waits in results for wait in waits)
    assert within == 100


def test_a_full_store_drops_the_counters_longest_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_store, "MAX_ENTRIES", 100)
    store = store_of()

    for number in range(1000):
        store.incr(f"key-{number}")
        store.incr("in-use")

    assert store.incr("in-use") == 1001
    assert store.incr("key-999") == 2
    assert store.incr("key-0") == 1


def test_without_a_redis_it_is_where_it_should_be() -> None:
    assert limits.store_is_healthy()
    assert isinstance(caches["limits"], LimitStore)
