"""Processes that a test, benchmark or drill starts and ends by id."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support import cpu

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """A process with a log file, which can be stopped and started again."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, command: Sequence[str], **options: Any) -> None:
        """Start the command, with its output added to the log."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **options)

    @property
    def is_running(self) -> bool:
        """Return whether the process was started and not stopped since."""
        return self.process is not None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def stop(self) -> None:
        """End the process, by force if it does not end within a minute."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def kill(self) -> None:
        """Kill the process and its descendants."""
        for pid in (self.pid, *cpu.descendants(self.pid)):
            kill(pid)
        self.stop()

    def logs(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def wait_for_url(self, url: str, seconds: float = 60) -> None:
        """Return once the address answers with a success. Raise AssertionError if it does not."""

        def is_answered() -> bool:
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=10):
                return True
            return False

        self._wait(is_answered, url, seconds)

    def wait_for_port(self, port: int, seconds: float = 60, host: str = "127.0.0.1") -> None:
        """Return once the port is open. Raise AssertionError if it does not open."""

        def is_open() -> bool:
            with contextlib.suppress(OSError), socket.create_connection((host, port), 1):
                return True
            return False

        self._wait(is_open, f"{host}:{port}", seconds)

    def _wait(self, is_ready: Callable[[], bool], what: str, seconds: float) -> None:
        def is_over() -> bool:
            return is_ready() or self.process is None or self.process.poll() is not None

        with contextlib.suppress(TimeoutError):
            until(is_over, seconds)
        if not is_ready():
            raise AssertionError(f"{what} does not answer:\n{self.logs()[-3000:]}")


def kill(pid: int) -> bool:
    """Kill a process; return whether it existed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def until(is_so: Callable[[], object], seconds: float = 60) -> float:
    """Wait until the condition is true; return the monotonic time. Raise TimeoutError."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError("waited in vain")
        time.sleep(0.02)
    return time.monotonic()


def manage(
    environment: Mapping[str, str],
    *arguments: str,
    seconds: float = 120,
    within: Sequence[str] = (),
) -> str:
    """Run a management command in an environment and return its output.

    `within` is a command that runs another one, such as nsenter.
    """
    done = subprocess.run(
        [*within, sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    if done.returncode:
        raise AssertionError(f"{arguments} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout
