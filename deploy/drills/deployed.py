"""The service as in deploy/, on loopback: nginx in front of two machines with a PgBouncer each.

They share one PostgreSQL, with the shipped roles and settings, and one Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from deploy.drills import shipped
from deploy.drills.programs import NEEDED, PASSWORDS, Machine, Nginx
from tests.support.clients import Gate, Partner
from tests.support.cluster import USER, Cluster
from tests.support.databases import rows_of
from tests.support.figures import Figure, exit_status
from tests.support.programs import manage
from tests.support.stack import Redis

ROOT = shipped.ROOT
SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "bank-2026.1.json"
REQUESTS, FULL = 1_000, 10_000
HOSTS = ("127.0.0.1", "127.0.0.2")  # of the primary and, if there is one, its standby
# Let the drill connect as postgres, and everybody else as shipped.
FOR_THE_DRILL = "host all postgres 127.0.0.0/8 trust\n"


class Database(Cluster):
    """Debian's PostgreSQL with the shipped settings, on one of two addresses with the same port."""

    programs = shipped.POSTGRESQL

    def __init__(self, folder: Path, host: str = HOSTS[0], port: int | None = None) -> None:
        changes = {"listen_addresses = '*'": f"listen_addresses = '{host}'"}
        super().__init__(folder, shipped.shipped("postgresql/primary.conf", changes), port)
        self.host = host
        self.url = f"postgres://postgres@{host}:{self.port}/postgres"

    def open_to_roles(self) -> None:
        """Install the shipped pg_hba.conf; a standby copies it."""
        lines = shipped.shipped("postgresql/pg_hba.conf", {"10.0.0.0/24": "127.0.0.0/8"})
        (self.folder / "data" / "pg_hba.conf").write_text(FOR_THE_DRILL + lines)

    def copied(self, *script: str, **environment: str) -> None:
        """Run a script that makes a standby here, with the data folder as last argument."""
        self._own_folder()
        self.run(*script, self.data, **environment)
        self._configure()

    def make_roles(self) -> None:
        """Create roles and database with the shipped files."""
        roles = ("web", "commands", "standby")
        passwords = {f"{role.upper()}_PASSWORD": PASSWORDS[role] for role in roles}
        for name in ("roles.sql", "database.sql"):
            path = str(shipped.DEPLOY / "postgresql" / name)
            self.run("psql", "-X", "-q", "-f", path, self.url, **passwords)


class Deployed:
    """A context manager that runs a database, Redis, two machines and nginx."""

    def __init__(self) -> None:
        self._exit = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as exit_stack:
            self.folder = Path(
                exit_stack.enter_context(tempfile.TemporaryDirectory(prefix="drill-"))
            )
            self._start(exit_stack)
            self._exit = exit_stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._exit.close()

    def _start(self, on_exit: contextlib.ExitStack) -> None:
        os.environ["TESTS_STATIC_ROOT"] = str(self.folder / "static")
        self.primary = Database(self.folder / "postgresql")
        self.primary.create()
        self.primary.open_to_roles()
        on_exit.callback(self.primary.close)
        self.primary.start()
        self.primary.make_roles()
        redis = Redis(self.folder)
        redis.start()
        on_exit.callback(redis.stop)
        secret_key = secrets.token_urlsafe(50)
        self.machines = [
            Machine(self.folder / name, self.primary.port, redis.url, secret_key)
            for name in ("first", "second")
        ]
        self.nginx = Nginx(self.folder / "nginx", self.machines)
        self._write_passwords()
        self.prepare()
        for machine in self.machines:
            on_exit.callback(machine.pgbouncer.stop)
            machine.pgbouncer.start()
            machine.check()
            on_exit.callback(machine.stop)
            machine.start()
        on_exit.callback(self.nginx.stop)
        self.nginx.start()

    def closed_at_the_end(self, database: Database) -> None:
        self._exit.callback(database.close)

    def passwords(self) -> dict[str, str]:
        """Return the environment in which the database's user finds the passwords."""
        return {"PGPASSFILE": str(self.folder / "pgpass")}

    def _write_passwords(self) -> None:
        file = self.folder / "pgpass"
        users = {"assess": "commands", "assess_standby": "standby", "pgbouncer": "console"}
        file.write_text("".join(f"*:*:*:{user}:{PASSWORDS[of]}\n" for user, of in users.items()))
        file.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(file, USER)

    def prepare(self) -> None:
        """Run a release's commands, and collect the static files."""
        self.manage("migrate", "--noinput")
        self.manage("load_items", str(SMALL_BANK))
        self.manage("collectstatic", "--noinput")

    def manage(self, *arguments: str, **more: str) -> str:
        """Run a management command with the settings for commands; return its output."""
        return manage(self.of_commands() | more, *arguments, seconds=600)

    def of_commands(self) -> dict[str, str]:
        """Return the environment of commands: the web process's, with their own values."""
        changes = {
            "<commands password>": PASSWORDS["commands"],
            "10.0.0.21,10.0.0.22:5432": f"{','.join(HOSTS)}:{self.primary.port}",
        }
        of_web = self.machines[0].environment
        return of_web | shipped.environment("commands.env", changes) | {"PATH": self.primary.path}

    @property
    def gate(self) -> Gate:
        return Gate(self.nginx.port, self.nginx.certificate)

    def rows(self, sql: str, params: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
        """Run SQL on the primary."""
        return rows_of(self.database_url, sql, params)

    @property
    def database_url(self) -> str:
        """The service's database on the primary, as its superuser."""
        return f"{self.primary.url.rpartition('/')[0]}/assess"


Part = Callable[[Deployed, Partner, int], list[Figure]]


def play(what: str, parts: Mapping[str, Part]) -> int:
    """Run the parts that the command line names; print their figures, return an exit status.

    A part takes the deployment, a partner, and the number of requests to send.
    """
    arguments = parsed(what, parts)
    if missing := shipped.missing_programs(NEEDED):
        print(missing, file=sys.stderr)
        return 2
    requests = FULL if arguments.full else REQUESTS
    with Deployed() as deployed:
        partner = Partner.onboarded(deployed.manage)
        return exit_status(
            figure for name in arguments.only for figure in parts[name](deployed, partner, requests)
        )


def parsed(what: str, parts: Iterable[str]) -> argparse.Namespace:
    """Return the options of a drill, and make SIGTERM end it like an error."""
    parser = argparse.ArgumentParser(description=what.partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="as docs/reliability.md gives figures")
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), metavar="PART")
    # Otherwise the programs that it started would outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return parser.parse_args()
