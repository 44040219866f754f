"""Counting in a Redis that can be watched, stopped and slowed down."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
import redis

from tests.support import databases
from tokens.limit_store import LimitStore


def count(store: LimitStore, key: str = "a") -> int:
    return store.incr(key)


def requests_to_redis(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list to which every request to a Redis is added from now on."""
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
