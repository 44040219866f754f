"""A Redis that the tests start and stop."""

import shutil
import signal
import time

import pytest
import redis

from tests.support.databases import free_port
from tests.support.programs import Program


class RedisServer(Program):
    """A Redis on a port of its own unless `url` names one that runs already."""

    def __init__(self, folder, url=""):
        super().__init__(folder / "redis.log")
        self.port = free_port()
        self.url = url or f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("there is no redis-server on the path")
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.log.parent)]
        self.run([program, *place, "--save", ""])
        wait_for_redis(self.url)

    def pause(self):
        """Let it hang, as a machine without a network does."""
        if not self.is_running:
            pytest.skip("TEST_REDIS_URL names a Redis that is not the tests' own to pause")
        self.signal(signal.SIGSTOP)

    def resume(self):
        if self.is_running:
            self.signal(signal.SIGCONT)

    def stop(self):
        self.resume()
        super().stop()


def wait_for_redis(url, seconds=10):
    """Return once Redis answers. Raise its error if it does not in time."""
    end = time.monotonic() + seconds
    while True:
        try:
            redis.Redis.from_url(url).ping()
            return
        except redis.ConnectionError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
