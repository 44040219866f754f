"""Counting in this process, without Redis."""

from __future__ import annotations

import pytest
import time_machine
from django.core.cache import caches

from tests.threads import race
from tokens import limits
from tokens.limit_store import LimitStore, MemoryCounts

NOW = 1_780_000_000


def test_add_starts_a_counter_and_incr_counts_on() -> None:
    store = LimitStore("", {})

    counts = [store.add("a", 1, 60) or store.incr("a") for _ in range(3)]

    assert counts == [True, 2, 3]


def test_a_counter_can_be_read_without_counting() -> None:
    store = LimitStore("", {})
    store.add("a", 1, 60)

    read = [store.add("a", 0, 60) or store.get("a", 0) for _ in range(2)]

    assert read == [1, 1]
    assert store.get("a") == 1


def test_incr_alone_counts_too() -> None:
    store = LimitStore("", {})

    assert [store.incr("a"), store.incr("a", 5)] == [1, 6]


def test_what_add_found_is_of_its_own_key_only() -> None:
    store = LimitStore("", {})
    store.add("a", 1, 60)
    store.add("a", 1, 60)

    assert store.incr("b") == 1


def test_a_counter_ends_after_its_time() -> None:
    store = LimitStore("", {})

    with time_machine.travel(NOW, tick=False) as clock:
        store.add("a", 1, 60)
        clock.shift(59.9)
        still_there = store.add("a", 1, 60)
        clock.shift(0.1)
        gone = store.add("a", 1, 60)

    assert not still_there
    assert gone


def test_all_threads_count_together() -> None:
    with time_machine.travel(NOW, tick=False):  # all within one minute, however slow the machine
        results = race(
            [lambda: [limits.count_failure("192.0.2.1", "a", 100) for _ in range(50)]] * 16
        )

    within = sum(wait == 0 for waits in results for wait in waits)
    assert within == 100


def test_filling_it_with_other_keys_resets_nobody() -> None:
    counts = MemoryCounts(max_entries=1000)
    counts.count("victim", 10, 60)

    for number in range(899):
        counts.count(f"other {number}", 1, 60)

    assert counts.count("victim", 1, 60) == (False, 11)


def test_a_full_store_drops_what_has_ended_first() -> None:
    counts = MemoryCounts(max_entries=10)
    with time_machine.travel(NOW, tick=False) as clock:
        for number in range(9):
            counts.count(f"old {number}", 1, 10)
        counts.count("young", 1, 60)
        clock.shift(10)

        counts.count("new", 1, 60)

        assert counts.count("young", 1, 60) == (False, 2)
        assert len(counts) == 2


def test_a_full_store_drops_the_oldest_next_and_never_grows() -> None:
    counts = MemoryCounts(max_entries=100)

    for number in range(1000):
        counts.count(f"key {number}", 1, 60)

    assert len(counts) <= 100
    assert counts.count("key 999", 1, 60) == (False, 2)
    assert counts.count("key 0", 1, 60) == (True, 1)


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_any_timeout_will_do(timeout: float | None) -> None:
    store = LimitStore("", {})

    assert store.add("a", 1, timeout)
    assert not store.add("a", 1, timeout)
    assert store.incr("a") == 2


def test_without_a_redis_it_is_where_it_should_be() -> None:
    assert limits.store_is_healthy()
    assert isinstance(caches["limits"], LimitStore)
