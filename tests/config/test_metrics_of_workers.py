"""What several worker processes count is one sum, and a death of one of them loses none of it."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.databases import free_port
from tests.support.server import ROOT

pytestmark = pytest.mark.slow

LINK = "/partner/get-redirect-url"
TOKEN = secrets.token_urlsafe(32)
ENDS_AFTER = 20  # seconds that something is waited for


@dataclass(frozen=True)
class Gunicorn:
    """gunicorn with two workers, on a database without a table and with a Redis that is away."""

    process: subprocess.Popen[bytes]
    url: str

    @property
    def workers(self) -> list[int]:
        pid = self.process.pid
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]

    @property
    def folder(self) -> Path:
        """Where its workers count."""
        return open_files(self.workers[0])[0].parent

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, body, named)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def ask_at_once(self, times: int) -> list[int]:
        """Ask for links, eight at a time so that both workers answer; return the statuses."""
        with ThreadPoolExecutor(8) as pool:
            return [status for status, _ in pool.map(lambda _: self.ask(LINK, b"{}"), range(times))]

    def counted(self, operation: str, status: str) -> float:
        """Return how many requests were counted, as any of the workers says."""
        _, text = self.ask("/metrics", Authorization=f"Bearer {TOKEN}")
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == "assess_requests_total"
            and sample.labels == {"operation": operation, "status": status}
        )


def open_files(worker: int) -> list[Path]:
    """Return the files that a worker counts in."""
    maps = Path(f"/proc/{worker}/maps").read_text().split()
    return sorted({Path(word) for word in maps if "/assess-metrics-" in word})


@pytest.fixture(scope="module")
def gunicorn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    folder = tmp_path_factory.mktemp("gunicorn")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": os.environ["PATH"],
        "MODE": "production",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DATABASE_URL": f"sqlite:///{folder / 'empty.sqlite3'}",
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
        "WEB_CONCURRENCY": "2",
        "ALLOWED_HOSTS": "127.0.0.1",
        "APP_URL": url,
        "SUPPORT_EMAIL": "support@example.com",
        "STATIC_ROOT": str(folder),
        "METRICS_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    running = Gunicorn(process, url)
    try:
        until(lambda: answers(running) or process.poll() is not None)
        assert process.poll() is None, (folder / "log").read_text()
        counts = running.folder
        yield running
        process.terminate()
        process.wait(ENDS_AFTER)
        assert not counts.exists()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + ENDS_AFTER
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def answers(gunicorn: Gunicorn) -> bool:
    """Return whether two workers run and one has answered."""
    try:
        return len(gunicorn.workers) == 2 and gunicorn.ask("/healthz")[0] == 200
    except OSError:
        return False


def test_each_worker_says_what_all_have_counted(gunicorn: Gunicorn) -> None:
    before = gunicorn.counted("get-redirect-url", "401")

    assert set(gunicorn.ask_at_once(40)) == {401}

    # Which of the two answers is up to the system: each alone has counted a part of them.
    counted = {gunicorn.counted("get-redirect-url", "401") for _ in range(8)}
    assert counted == {before + 40}


def test_a_worker_that_is_killed_loses_no_count(gunicorn: Gunicorn) -> None:
    gunicorn.ask_at_once(20)
    before = gunicorn.counted("get-redirect-url", "401")
    files = sorted(gunicorn.folder.iterdir())
    killed = gunicorn.workers[0]

    os.kill(killed, signal.SIGKILL)
    until(lambda: killed not in gunicorn.workers and answers(gunicorn))

    assert gunicorn.counted("get-redirect-url", "401") == before
    gunicorn.ask_at_once(20)
    assert gunicorn.counted("get-redirect-url", "401") == before + 20
    # The one that has replaced it goes on in its files, once a call reaches it.
    until(lambda: gunicorn.ask_at_once(8) != [] and counting(gunicorn) == files)
    assert sorted(gunicorn.folder.iterdir()) == files


def counting(gunicorn: Gunicorn) -> list[Path]:
    """Return the files that the living workers count in."""
    return sorted(file for worker in gunicorn.workers for file in open_files(worker))
