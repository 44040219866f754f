"""Start the floor (bench/floor.py) under the service's own gunicorn, with the same workers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.databases import free_port

if TYPE_CHECKING:
    from tests.support.server import Service

ROOT = Path(__file__).resolve().parent.parent
# As gunicorn.conf.py has it for two workers with Redis; without a log.
FLAGS = [
    "--workers=2",
    "--worker-class=gthread",
    "--threads=4",
    "--reuse-port",
    "--keep-alive=5",
    "--timeout=30",
    "--graceful-timeout=20",
    "--worker-tmp-dir=/dev/shm",
    "--no-control-socket",
    "--log-level=warning",
]


class Floor:
    """The floor on a port, on the tables and the Redis of a service."""

    def __init__(self, service: Service, folder: Path, rate_per_minute: str) -> None:
        self.port = free_port()
        self._log = folder / "floor.log"
        # Away from the project's folder, where gunicorn would read the service's settings.
        self._folder = folder
        self._environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": service.environment["DATABASE_URL"],
            "REDIS_URL": service.environment["REDIS_URL"],
            "APP_URL": service.url,
            "RATE_PER_MINUTE": rate_per_minute,
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and return once it takes connections."""
        command = [sys.executable, "-m", "gunicorn", "bench.floor:application", *FLAGS]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, f"--bind=127.0.0.1:{self.port}"],
                cwd=self._folder,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    log_text = self._log.read_text()
                    raise AssertionError(f"The floor: {error}\n{log_text}") from None
                time.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(25)
            self._process = None
