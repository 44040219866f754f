"""The real service as deployed: gunicorn on a port, with the repository's settings."""

import fcntl
import json
import os
import secrets
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings

from tests.support import hygiene
from tests.support.databases import PostgreSQLDatabase, SQLiteDatabase, free_port
from tests.support.programs import ROOT, Program, manage
from tests.support.rates import EVERY_RATE

# A bank of few items for tests that do not depend on the items; a whole attempt takes a third
# of the time of the shipped one.
SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "small-bank.json"
# The kind of database that the suite itself runs on.
DATABASE = "postgresql" if "postgresql" in settings.DATABASES["default"]["ENGINE"] else "sqlite"


class Service(Program):
    """A running service with its own migrated database and the small item bank."""

    def __init__(self, database, folder, **environment):
        super().__init__(folder / "log")
        self.database_name = database
        is_file = database == "sqlite"
        server = os.environ["DATABASE_URL"]
        self._database = SQLiteDatabase(folder) if is_file else PostgreSQLDatabase(server)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "MODE": "production",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "DATABASE_URL": self._database.url,
            "REDIS_URL": "",
            "ALLOWED_HOSTS": "127.0.0.1",
            "APP_URL": self.url,
            "SUPPORT_EMAIL": "support@example.com",
            "TRUSTED_PROXY_COUNT": "0",
            "WEB_CONCURRENCY": "0",
            "STATIC_ROOT": os.environ["TESTS_STATIC_ROOT"],
            # one service serves many tests, all from one address
            **dict.fromkeys(EVERY_RATE, "100000"),
            **environment,
        }

    def prepare(self):
        """Run the steps of a deployment before the web process starts.

        Only the first service of a test run does so; all later ones start from a copy.
        """
        root = Path(self.environment["STATIC_ROOT"])
        kept = root.with_suffix(f".{self.database_name}")
        with root.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (root / "staticfiles.json").exists():
                self.manage("collectstatic", "--noinput")
            if kept.exists():
                self._database.fill_from(kept)
                return
            self.manage("migrate", "--noinput")
            self.manage("load_items", str(SMALL_BANK))
            self._database.keep_copy(kept)

    def manage(self, *arguments):
        """Run a management command in the service's environment and return its output."""
        return hygiene.remember(manage(self.environment, *arguments))

    def call(self, module, expression):
        """Return what a function of a module returns in the service's environment, as JSON."""
        program = f"import json; from {module} import *; print(json.dumps({expression}))"
        return json.loads(self.manage("shell", "--no-imports", "-c", program))

    def start(self, *flags):
        command = [sys.executable, "-m", "gunicorn", "config.wsgi"]
        bind = ["--bind", f"127.0.0.1:{self.port}"]
        self.run([*command, *bind, *flags], cwd=ROOT, env=self.environment)
        self.wait_for_url(f"{self.url}/readyz", 30)

    def readiness(self):
        """Return the body of /readyz, whatever its status."""
        try:
            response = urllib.request.urlopen(f"{self.url}/readyz", timeout=10)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            return json.load(response)

    def close(self):
        self.stop()
        self._database.drop()

    def rows(self, sql, params=()):
        """Run SQL with %s placeholders on the service's database, for example to change times."""
        return self._database.rows(sql, params)

    def assert_no_leaks(self):
        """Raise AssertionError if a secret is in a table, the log or a process's command line."""
        for table in self._database.tables():
            leaks = hygiene.leaks(str(self.rows(f'SELECT * FROM "{table}"')))
            assert not leaks, f"a secret in {table}"
        assert not hygiene.leaks(self.logs()), "a secret in the log"
        if self.is_running:
            for command_line in hygiene.command_lines(self.pid):
                assert not hygiene.leaks(command_line), "a secret in the process list"


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """Start the service once for all tests, which share it and its rows."""
    service = Service(DATABASE, tmp_path_factory.mktemp("service"))
    try:
        service.prepare()
        service.start()
        yield service
        service.assert_no_leaks()
    finally:
        service.close()


@pytest.fixture
def start_service(tmp_path):
    """Return a function that starts a separate service with other settings."""
    started = []

    def start(database=DATABASE, *flags, **environment):
        folder = tmp_path / f"service-{len(started)}"
        folder.mkdir()
        service = Service(database, folder, **environment)
        started.append(service)
        service.prepare()
        service.start(*flags)
        return service

    yield start
    try:
        for service in started:
            service.assert_no_leaks()
    finally:
        for service in started:
            service.close()
