import pytest
import redis

from tokens import limit_store


@pytest.fixture
def fresh_stores():
    """Let no test inherit what another has found out about a Redis."""
    limit_store._redis_counters.cache_clear()


@pytest.fixture
def requests_to_redis(monkeypatch):
    """Give a function: a list to which every request to a Redis is added from now on."""

    def watch():
        sent = []
        send = redis.connection.Connection.send_packed_command

        def noted(self, command, *args, **options):
            sent.append(command)
            return send(self, command, *args, **options)

        monkeypatch.setattr(redis.connection.Connection, "send_packed_command", noted)
        return sent

    return watch
