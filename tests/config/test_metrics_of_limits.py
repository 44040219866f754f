"""The limits' decisions are counted by limit, and what Redis should have counted and did not."""

from __future__ import annotations

import pytest
import time_machine
from django.core.cache import caches

from tests.support.databases import free_port
from tokens import limit_metrics, limits
from tokens.limit_store import LimitStore


def value(limit: str, decision: str) -> float:
    counter = limit_metrics.DECISIONS.labels(limit, decision)
    return sum(sample.value for metric in counter.collect() for sample in metric.samples[:1])


def in_memory() -> float:
    collected = limit_metrics.COUNTED_IN_MEMORY.collect()
    return sum(sample.value for metric in collected for sample in metric.samples[:1])


@time_machine.travel(1_780_000_000, tick=False)
def test_what_a_limit_lets_pass_and_refuses_is_counted_apart() -> None:
    caches["limits"].clear()
    before = value("credentials", "allowed"), value("credentials", "refused")

    for _ in range(5):
        limits.count_failure("192.0.2.1", "credentials", 3)

    after = value("credentials", "allowed"), value("credentials", "refused")
    assert (after[0] - before[0], after[1] - before[1]) == (3, 2)
    caches["limits"].clear()


def test_a_limit_without_a_name_of_its_own_makes_no_new_series() -> None:
    before = value("other", "refused")

    limit_metrics.decided("192.0.2.1", True)

    assert value("other", "refused") == before + 1
    labels = {
        sample.labels["limit"]
        for metric in limit_metrics.DECISIONS.collect()
        for sample in metric.samples
    }
    assert labels == limit_metrics.LIMITS | {"other"}


@pytest.mark.parametrize("calls", [3])
def test_calls_not_counted_in_redis_are_reported(calls: int) -> None:
    store = LimitStore(f"redis://127.0.0.1:{free_port()}/0", {})
    before = in_memory()

    for _ in range(calls):
        store.incr("key")

    assert in_memory() == before + calls
