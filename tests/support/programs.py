"""Processes that a test, benchmark or drill starts and ends by id."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests.support import cpu

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """A process with a log file, which can be stopped and started again."""

    def __init__(self, log):
        self.log = log
        self.process = None

    def run(self, command, **options):
        """Start the command, with its output added to the log."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **options)

    @property
    def is_running(self):
        return self.process is not None

    @property
    def pid(self):
        assert self.process is not None
        return self.process.pid

    def signal(self, number):
        os.kill(self.pid, number)

    def stop(self):
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

    def kill(self):
        for pid in (self.pid, *cpu.descendants(self.pid)):
            kill(pid)
        self.stop()

    def logs(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def wait_for_url(self, url, seconds=60):
        """Return once the address answers with a success. Raise AssertionError if it does not."""

        def is_answered():
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=10):
                return True
            return False

        self._wait(is_answered, url, seconds)

    def wait_for_port(self, port, seconds=60, host="127.0.0.1"):
        """Return once the port is open. Raise AssertionError if it does not open."""

        def is_open():
            with contextlib.suppress(OSError), socket.create_connection((host, port), 1):
                return True
            return False

        self._wait(is_open, f"{host}:{port}", seconds)

    def _wait(self, is_ready, what, seconds):
        def is_over():
            return is_ready() or self.process is None or self.process.poll() is not None

        with contextlib.suppress(TimeoutError):
            until(is_over, seconds)
        if not is_ready():
            raise AssertionError(f"{what} does not answer:\n{self.logs()[-3000:]}")


def kill(pid):
    """Kill a process; return whether it existed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def until(is_so, seconds=60):
    """Wait until the condition is true; return the monotonic time. Raise TimeoutError."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError("waited in vain")
        time.sleep(0.02)
    return time.monotonic()


def run(command, cwd=ROOT, seconds=120, **options):
    """Run a command to its end; return its status and what it wrote."""
    kept = {"capture_output": True, "text": True, "timeout": seconds}
    return subprocess.run([str(word) for word in command], cwd=cwd, **kept, **options)


def manage(environment, *arguments, seconds=120, within=()):
    """Run a management command in an environment and return its output.

    `within` is a command that runs another one, such as nsenter.
    """
    command = [*within, sys.executable, "manage.py", *arguments]
    done = run(command, env=environment, seconds=seconds)
    if done.returncode:
        raise AssertionError(f"{arguments} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout
