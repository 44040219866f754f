"""What has to stand before Django loads: the mode, and a database of the tests' own.

`pytest` with nothing else runs on a PostgreSQL that is started here from a wheel and thrown away
afterwards. TEST_DATABASE_URL names another one, or an SQLite file.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.support import databases

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Browser
    from pytest_django import DjangoDbBlocker

# A worker of pytest-xdist finds what the first process has put there.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or databases.own_postgresql()
    _folder = databases.temporary_folder()
    os.environ["TESTS_STATIC_ROOT"] = str(_folder / "static")
    atexit.register(databases.drop_kept, os.environ["DATABASE_URL"], _folder)
os.environ["MODE"] = "test"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

import django  # noqa: E402  needs the lines above

django.setup()

from django.db import connection  # noqa: E402  likewise
from django.utils import timezone  # noqa: E402  likewise

# after the set-up, as fixtures may touch models
from assessments.api.failure_log import LOG, FailureLog  # noqa: E402  likewise
from partners.management import base  # noqa: E402  likewise
from tests.factories import UserFactory  # noqa: E402  likewise
from tests.support.server import service, start_service  # noqa: E402, F401  likewise

CHROMIUM = "/usr/bin/chromium"


# Speed is measured by the programs in bench/; a busy machine must not fail a test.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")


@pytest.fixture
def clocks_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database's clock travel with the test's."""
    monkeypatch.setattr(base, "database_time", timezone.now)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--times",
        type=int,
        default=1,
        help="how often to repeat races, hostile input and the model (docs/reliability.md)",
    )


@pytest.fixture(scope="session")
def times(pytestconfig: pytest.Config) -> int:
    """Give how often to repeat what a slow test does."""
    return int(pytestconfig.getoption("times"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With REQUIRE_ALL=1 a test that would skip fails: the build machine has all that is needed."""
    report = yield
    if os.environ.get("REQUIRE_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but REQUIRE_ALL=1: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file that would skip."""
    report = yield
    if os.environ.get("REQUIRE_ALL") == "1" and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but REQUIRE_ALL=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Let a test with real transactions empty the audit trail behind it, as it does all tables."""
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "ALTER TABLE partners_auditevent DISABLE TRIGGER auditevent_never_emptied"
                )


@dataclass(frozen=True)
class RedisServer:
    """A Redis for the tests. `process` is None where TEST_REDIS_URL named one that is not ours."""

    url: str
    process: subprocess.Popen[bytes] | None

    def pause(self) -> None:
        """Let it hang, as a machine without a network does."""
        if self.process is None:
            pytest.skip("TEST_REDIS_URL names a Redis that is not the tests' own to pause")
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)


@pytest.fixture(autouse=True)
def failure_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[FailureLog]:
    """Give the failures log without its thread, which would not see a test's transaction.

    A test calls `write` in its stead.
    """
    monkeypatch.setattr(FailureLog, "_start", lambda self: None)
    yield LOG
    LOG.forget()


@pytest.fixture
def admin_user(db: None) -> User:
    """Give a superuser without a password: pytest-django's own takes half a second to hash one."""
    return UserFactory.create(is_superuser=True)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """Give a running Redis: TEST_REDIS_URL's, else one started here from the path."""
    if url := os.environ.get("TEST_REDIS_URL"):
        yield RedisServer(url, None)
        return
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("there is no redis-server on the path and no TEST_REDIS_URL")
    port = databases.free_port()
    folder = tmp_path_factory.mktemp("redis")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--save", "", "--appendonly", "no"], stdout=log, stderr=log
        )
    server = RedisServer(f"redis://127.0.0.1:{port}/0", process)
    try:
        databases.wait_for_redis(server.url)
        yield server
    finally:
        server.resume()
        process.terminate()
        process.wait(10)


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """Give the address of an empty Redis."""
    databases.empty_redis(redis_server.url)
    return redis_server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give Debian's chromium, driven by playwright."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    # playwright's synchronous calls run inside an event loop, where Django refuses its ORM
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
