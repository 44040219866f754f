"""Run a PostgreSQL, a Redis and the service for one benchmark or drill."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bench.cluster import Cluster
from tests.support.databases import free_port, wait_for_redis
from tests.support.programs import Program

if TYPE_CHECKING:
    from tests.support.server import Service


class Redis(Program):
    """A Redis without storage that can be stopped and started again on its port."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "redis.log")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.log.parent)]
        self.run(["redis-server", *place, "--save", "", "--appendonly", "no"])
        wait_for_redis(self.url)


class Stack:
    """A context manager that runs `cluster`, `redis`, and the services made by `service`.

    Enter it before you import anything that loads Django's settings.
    """

    def __init__(self, postgresql_settings: str = "") -> None:
        self._exit = contextlib.ExitStack()
        self._settings = postgresql_settings
        self._services = 0

    def __enter__(self) -> Self:
        self.folder = Path(self._exit.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        self.cluster = Cluster(self.folder / "postgresql", self._settings)
        self.cluster.create()
        self._exit.callback(self.cluster.close)
        self.cluster.start()
        self.redis = Redis(self.folder)
        self.redis.start()
        self._exit.callback(self.redis.stop)
        os.environ |= {
            "MODE": "test",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": self.cluster.url,
            "TESTS_STATIC_ROOT": str(self.folder / "static"),
        }
        return self

    def __exit__(self, *error: object) -> None:
        self._exit.close()

    def service(self, database: str = "postgresql", **environment: str) -> Service:
        """Return a prepared service with its own database; the caller starts it.

        It has two workers and counts in Redis, unless the environment says otherwise. `database`
        may also be "sqlite".
        """
        from tests.support.server import Service  # it needs what __enter__ has set

        self._services += 1
        folder = self.folder / f"service-{self._services}"
        folder.mkdir()
        settings = {"REDIS_URL": self.redis.url, "WEB_CONCURRENCY": "2"} | environment
        service = Service(database, folder, **settings)
        self._exit.callback(service.close)
        service.prepare()
        return service
