"""Counting in memory, in a Redis, and while it is gone, hangs, is slow or refuses."""

import time

import pytest
import redis
import time_machine

from tests.support.programs import until
from tests.support.redis_server import RedisServer
from tests.support.threads import race
from tokens import limit_store, limits
from tokens.limit_store import PREFIX, LimitStore

NOW = 1_780_000_000
ADDRESS = "192.0.2.1"


@pytest.fixture(autouse=True)
def fresh_stores():
    """Let no test inherit what another has found out about a Redis."""
    limit_store._redis_counters.cache_clear()


@pytest.fixture
def own_redis(tmp_path):
    """Give a Redis that can be stopped and started again."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_store(own_redis):
    return LimitStore(own_redis.url, {})


@pytest.fixture
def no_waiting(monkeypatch):
    """Try a failing Redis again at every call."""
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0)


@pytest.fixture(params=["stopped", "paused", "slow", "refusing"])
def failing_store(request, own_redis, own_store, monkeypatch):
    """Give a store that has counted to 3 in a Redis which then fails, each in its way."""
    monkeypatch.setattr(limit_store, "PATIENCE_SECONDS", 0)
    client = redis.Redis.from_url(own_redis.url)
    for _ in range(3):
        own_store.incr("a")
    {
        "stopped": own_redis.stop,
        "paused": own_redis.pause,
        "slow": lambda: client.execute_command("CLIENT", "PAUSE", 60_000, "ALL"),
        # as a replica does, or a Redis that is out of memory
        "refusing": lambda: client.config_set("min-replicas-to-write", 1),
    }[request.param]()
    return own_store


def errors(caplog):
    found = [record for record in caplog.records if "does not answer" in record.message]
    return [(record.levelname, record.name) for record in found]


def test_a_failing_redis_is_asked_once_and_counting_goes_on_in_memory(
    failing_store, monkeypatch, caplog
):
    reads = []
    read = redis.connection.Connection.read_response

    def noted(self, *args, **options):
        reads.append(self)
        return read(self, *args, **options)

    monkeypatch.setattr(redis.connection.Connection, "read_response", noted)
    counted = limit_store.COUNTED_IN_MEMORY
    before = counted.collect()[0].samples[0].value

    counts = [failing_store.incr("a") for _ in range(20)]

    assert counts == list(range(1, 21))
    assert [failing_store.get("a", 0), failing_store.get("b", 0)] == [20, 0]
    assert counted.collect()[0].samples[0].value == before + 22
    assert len(reads) == 1  # one that hangs is waited for once
    assert not failing_store.is_healthy()
    assert errors(caplog) == [("ERROR", "tokens.limits")]


@pytest.mark.usefixtures("no_waiting")
def test_once_redis_answers_it_counts_again_and_the_next_failure_is_logged_again(
    own_redis, own_store, caplog
):
    own_store.incr("a")
    for outage in (1, 2):
        own_redis.stop()
        for _ in range(3):
            own_store.incr("a")
        own_redis.start()

        assert [own_store.incr("a"), own_store.incr("a")] == [1, 2]
        assert own_store.is_healthy()
        assert redis.Redis.from_url(own_redis.url).get(f"{PREFIX}a") == b"2"
        assert len(errors(caplog)) == caplog.text.count("answers again") == outage


def test_one_late_answer_is_no_outage_but_none_for_long_is(
    own_redis, own_store, monkeypatch, caplog
):
    monkeypatch.setattr(limit_store, "PATIENCE_SECONDS", 0.2)
    own_store.incr("a")
    time.sleep(0.3)  # nobody asks
    own_redis.pause()
    late = own_store.incr("a")
    own_redis.resume()

    assert (late, own_store.incr("b")) == (1, 1)
    assert redis.Redis.from_url(own_redis.url).get(f"{PREFIX}b") == b"1"
    assert not errors(caplog)

    own_redis.pause()
    for _ in range(2):
        own_store.incr("a")
        time.sleep(0.2)
    own_store.incr("a")

    assert errors(caplog) == [("ERROR", "tokens.limits")]
    own_redis.resume()


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.usefixtures("patient")
def test_a_connection_that_redis_closed_is_no_failure(own_redis, own_store, caplog):
    assert own_store.incr("a") == 1

    redis.Redis.from_url(own_redis.url).client_kill_filter(_type="normal")
    assert own_store.incr("a") == 2
    own_redis.stop()
    own_redis.start()

    assert own_store.incr("a") == 1
    assert errors(caplog) == []


def test_an_answer_that_comes_late_is_not_taken_for_another(own_redis, own_store):
    for _ in range(5):
        own_store.incr("a")
    own_redis.pause()
    for _ in range(3):
        own_store.incr("a")

    own_redis.resume()

    assert own_store.incr("b") == 1
    clients = redis.Redis.from_url(own_redis.url).info("clients")["connected_clients"]
    assert clients <= 3  # one of the store, this one, and perhaps one that is being closed


def test_after_a_failure_one_thread_tries_again_and_the_others_skip_redis(own_redis, monkeypatch):
    stores = [LimitStore(own_redis.url, {}) for _ in range(8)]
    own_redis.stop()
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 0.2)
    stores[0].incr("a")
    time.sleep(0.25)
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 60)
    tries = []

    def refuse(connection):
        tries.append(connection)
        time.sleep(0.1)  # long enough for the others to come by
        raise redis.ConnectionError

    monkeypatch.setattr(redis.connection.Connection, "connect", refuse)

    race([lambda store=store: store.incr("a") for store in stores])

    assert len(tries) == 1


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("way", ["hung", "stopped"])
def test_after_a_long_outage_the_readiness_probe_says_when_redis_counts_again(
    way, own_redis, client, settings, monkeypatch
):
    backend = {"BACKEND": "tokens.limit_store.LimitStore", "LOCATION": own_redis.url}
    settings.CACHES = {"limits": backend}

    def count():
        limits.count_failure(ADDRESS, "a", 1_000)

    def readiness():
        return str(client.get("/readyz").json()["limiter"])

    monkeypatch.setattr(limit_store, "TIMEOUT_SECONDS", 0.02)
    assert readiness() == "ok"

    own_redis.pause() if way == "hung" else own_redis.stop()
    for _ in range(3):
        for _ in range(50):  # in all more than a pool of redis-py has connections
            count()
        assert readiness() == "failed"
    monkeypatch.setattr(limit_store, "SKIP_SECONDS", 3)
    count()
    own_redis.resume() if way == "hung" else own_redis.start()
    counters = redis.Redis.from_url(own_redis.url)
    counters.flushdb()

    # Redis is left alone for a moment more, and that is what the probe says.
    count()
    assert (readiness(), counters.keys()) == ("failed", [])
    until(lambda: readiness() == "ok", 10)
    count()
    assert len(counters.keys(f"{PREFIX}rl:*")) == 1


# --- while all is well


def in_memory(timeout=60):
    store = LimitStore("", {"TIMEOUT": timeout})
    store.clear()
    return store


@pytest.fixture
def patient(monkeypatch):
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


def test_a_counter_in_redis_ends_after_its_time_and_costs_one_round_trip(redis_url, monkeypatch):
    store = LimitStore(redis_url, {"TIMEOUT": 60})
    client = redis.Redis.from_url(redis_url)
    counts = [store.get("a", 0), store.incr("a"), store.incr("a"), store.incr("a", 5)]
    counts += [store.get("a", 0)]
    assert counts == [0, 1, 2, 7, 7]  # a look counts nothing
    assert client.get(f"{PREFIX}a") == b"7"
    assert 0 < int(client.ttl(f"{PREFIX}a")) <= 60
    sent, send = [], redis.connection.Connection.send_packed_command

    def noted(self, command, *args, **options):
        sent.append(command)
        return send(self, command, *args, **options)

    monkeypatch.setattr(redis.connection.Connection, "send_packed_command", noted)
    store.incr("a")
    assert len(sent) == 1


@pytest.mark.usefixtures("patient")
def test_threads_of_several_processes_count_together(redis_url):
    stores = []
    for _process in range(4):
        limit_store._redis_counters.cache_clear()
        stores += [LimitStore(redis_url, {"TIMEOUT": 60}) for _thread in range(4)]

    results = race([lambda store=store: [store.incr("a") for _ in range(9)] for store in stores])

    counts = sorted(number for numbers in results for number in numbers)
    assert counts == list(range(1, 9 * len(stores) + 1))


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
