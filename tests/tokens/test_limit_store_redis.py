"""Counting in a real Redis, and what happens when it stops, hangs or is slow."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import threading
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
from tokens import limit_store, limits
from tokens.limit_store import PREFIX, LimitStore

ERRORS = "does not answer"


@pytest.fixture(autouse=True)
def fresh_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test inherit what another has found out about a Redis."""
    monkeypatch.setattr(limit_store, "_redis_counters", {})


@pytest.fixture
def store(redis_url: str) -> LimitStore:
    return LimitStore(redis_url, {"TIMEOUT": 60})


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try a failing Redis again at every call."""
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0)


def count(store: LimitStore, key: str = "a") -> int:
    return store.incr(key)


def requests_to_redis(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    sent: list[object] = []
    send = redis.connection.Connection.send_packed_command

    def noted(self: object, command: object, *args: object, **kwargs: object) -> object:
        sent.append(command)
        return send(self, command, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(redis.connection.Connection, "send_packed_command", noted)
    return sent


class OwnRedis:
    """A Redis that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = databases.free_port()
        self.url = f"redis://127.0.0.1:{self.port}/2"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("there is no redis-server on the path")
        command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen(
            [*command, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        databases.wait_for_redis(self.url)

    def hang(self) -> None:
        self._send(signal.SIGSTOP)

    def go_on(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.stop()


def delaying_proxy(target: int, seconds: float) -> int:
    """Listen on a port and hand on to another, late. Return the port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def hand_on(source: socket.socket, sink: socket.socket, delay: float) -> None:
        while data := source.recv(65536):
            time.sleep(delay)
            sink.sendall(data)

    def serve() -> None:
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", target))
            for pair in ((client, server, seconds), (server, client, 0.0)):
                threading.Thread(target=hand_on, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    port: int = listener.getsockname()[1]
    return port


# --- it answers


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


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for Redis: of many threads on a busy machine one may not run for 50 ms."""
    monkeypatch.setattr(limit_store, "TIMEOUT_SECONDS", 10.0)
    monkeypatch.setattr(limit_store, "_redis_counters", {})


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


# --- it does not


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
    counts = [count(failing_store) for _ in range(3)]

    assert counts == [1, 2, 3]
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
