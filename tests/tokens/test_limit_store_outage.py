"""Counting while Redis is stopped, hangs or is slow, and once it answers again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from tests.conftest import RedisServer
from tests.support import databases
from tests.support.threads import race
from tests.tokens.redis_stores import OwnRedis, count, delaying_proxy, requests_to_redis
from tokens import limit_store, limits
from tokens.limit_store import PREFIX, LimitStore

ERRORS = "does not answer"

pytestmark = pytest.mark.usefixtures("fresh_stores")


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try a failing Redis again at every call."""
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0)


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["stopped", "paused", "slow", "refusing"])
def failing_store(
    request: pytest.FixtureRequest, tmp_path: Path, redis_server: RedisServer
) -> Iterator[LimitStore]:
    """Give a store that has counted to 3 in a Redis which then fails, each in its way."""
    if request.param == "paused":
        databases.empty_redis(redis_server.url)
        store = LimitStore(redis_server.url, {})
        fail: Callable[[], object] = redis_server.pause
    else:
        own = OwnRedis(tmp_path)
        own.start()
        request.addfinalizer(own.stop)
        store = LimitStore(own.url, {})
        fail = {
            "stopped": own.stop,
            "slow": lambda: redis.Redis(port=own.port).execute_command(
                "CLIENT", "PAUSE", 60_000, "ALL"
            ),
            # as a replica does, or a Redis that is out of memory
            "refusing": lambda: redis.Redis(port=own.port).config_set("min-replicas-to-write", 1),
        }[request.param]
    for _ in range(3):
        count(store)
    fail()
    yield store
    redis_server.resume()


def test_counting_goes_on_in_this_process(failing_store: LimitStore) -> None:
    [metric] = limit_store.COUNTED_IN_MEMORY.collect()
    before = metric.samples[0].value

    counts = [count(failing_store) for _ in range(3)]

    [metric] = limit_store.COUNTED_IN_MEMORY.collect()
    assert (counts, metric.samples[0].value) == ([1, 2, 3], before + 3)
    assert not failing_store.is_healthy()


def test_it_is_left_alone_for_a_while(
    failing_store: LimitStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(failing_store)
    sent = requests_to_redis(monkeypatch)

    for _ in range(20):
        count(failing_store)

    assert sent == []


def test_it_is_asked_only_once(failing_store: LimitStore, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = requests_to_redis(monkeypatch)
    read, reads = redis.connection.Connection.read_response, []

    def noted(self: object, *args: object, **kwargs: object) -> object:
        reads.append(self)
        return read(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(redis.connection.Connection, "read_response", noted)

    count(failing_store)

    # One that hangs is waited for once; one that was closed meanwhile is not asked at all.
    assert len(sent) == len(reads) <= 1


@pytest.mark.usefixtures("no_waiting")
def test_a_failure_is_logged_once(
    failing_store: LimitStore, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        count(failing_store)

    errors = [record for record in caplog.records if ERRORS in record.message]
    assert [(error.levelname, error.name) for error in errors] == [("ERROR", "tokens.limits")]


def test_a_redis_behind_a_slow_network_is_not_waited_for(own_redis: OwnRedis) -> None:
    port = delaying_proxy(own_redis.port, 0.3)
    store = LimitStore(f"redis://127.0.0.1:{port}/2", {})

    counts = [count(store) for _ in range(3)]

    assert counts == [1, 2, 3]
    assert redis.Redis.from_url(own_redis.url).keys() == []


def test_a_host_that_is_not_there_does_no_harm() -> None:
    store = LimitStore("redis://192.0.2.1:6379/0", {})

    assert [count(store), count(store)] == [1, 2]


# --- it answers again


@pytest.mark.usefixtures("no_waiting")
def test_once_it_answers_it_counts_again(
    own_redis: OwnRedis, caplog: pytest.LogCaptureFixture
) -> None:
    store = LimitStore(own_redis.url, {})
    count(store)
    own_redis.stop()
    count(store)

    own_redis.start()

    assert [count(store), count(store)] == [1, 2]
    assert store.is_healthy()
    assert redis.Redis.from_url(own_redis.url).get(f"{PREFIX}a") == b"2"
    assert "answers again" in caplog.text


@pytest.mark.usefixtures("no_waiting")
def test_an_answer_that_comes_late_is_not_taken_for_another(own_redis: OwnRedis) -> None:
    store = LimitStore(own_redis.url, {})
    for _ in range(5):
        count(store)
    own_redis.hang()
    for _ in range(3):
        count(store)

    own_redis.go_on()

    assert count(store, "b") == 1
    clients = redis.Redis.from_url(own_redis.url).info("clients")["connected_clients"]
    assert clients <= 3  # one of the store, this one, and perhaps one that is being closed


@pytest.mark.usefixtures("no_waiting")
def test_the_next_failure_is_logged_again(
    own_redis: OwnRedis, caplog: pytest.LogCaptureFixture
) -> None:
    store = LimitStore(own_redis.url, {})
    for _ in range(2):
        own_redis.stop()
        count(store)
        own_redis.start()
        count(store)

    assert sum(ERRORS in record.message for record in caplog.records) == 2


def test_a_restart_between_two_calls_is_not_noticed(
    own_redis: OwnRedis, caplog: pytest.LogCaptureFixture
) -> None:
    store = LimitStore(own_redis.url, {})
    count(store)
    own_redis.stop()
    own_redis.start()

    assert [count(store), count(store)] == [1, 2]
    assert caplog.records == []


def test_after_the_while_only_one_tries(
    own_redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [LimitStore(own_redis.url, {}) for _ in range(8)]
    own_redis.stop()
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0.2)
    count(stores[0])
    time.sleep(0.25)
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 60)
    tries: list[object] = []
    monkeypatch.setattr(
        redis.connection.Connection, "connect", lambda self: tries.append(self) or _refuse()
    )

    race([lambda store=store: count(store) for store in stores])

    assert len(tries) == 1


def _refuse() -> None:
    time.sleep(0.1)  # long enough for the others to come by
    raise redis.ConnectionError


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("way", ["hung", "stopped"])
def test_after_a_long_outage_it_counts_again(
    way: str,
    own_redis: OwnRedis,
    settings: Settings,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0)
    monkeypatch.setattr(limit_store, "TIMEOUT_SECONDS", 0.02)
    settings.CACHES = {
        "limits": {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": own_redis.url}
    }
    before = readiness(client)

    own_redis.hang() if way == "hung" else own_redis.stop()
    for _ in range(3):
        for _ in range(50):  # in all more than a pool of redis-py has connections
            limits.count_failure("192.0.2.1", "a", 1_000)
        assert readiness(client) == "failed"
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 3)
    limits.count_failure("192.0.2.1", "a", 1_000)
    own_redis.go_on() if way == "hung" else own_redis.start()
    counters = redis.Redis.from_url(own_redis.url)
    counters.flushdb()

    # Redis is left alone for a moment more, and that is what the probe says.
    limits.count_failure("192.0.2.1", "a", 1_000)
    assert (readiness(client), counters.keys()) == ("failed", [])
    deadline = time.monotonic() + 10
    while readiness(client) == "failed":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    limits.count_failure("192.0.2.1", "a", 1_000)
    assert before == "ok"
    assert len(counters.keys(f"{PREFIX}rl:*")) == 1


def readiness(client: Client) -> str:
    return str(client.get("/readyz").json()["limiter"])


def test_the_readiness_probe_reports_it(settings: Settings, own_redis: OwnRedis) -> None:
    settings.CACHES = {
        "limits": {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": own_redis.url}
    }
    before = limits.store_is_healthy()
    own_redis.stop()

    after = limits.store_is_healthy()

    assert (before, after) == (True, False)
    assert limits.count_failure("192.0.2.1", "a", 10) == 0
    assert caches["limits"].incr("b") == 1
