"""The service as in deploy/, with each machine of docs/cluster.md as a network namespace.

nginx on a proxy, two web machines with gunicorn, PgBouncer and HAProxy, three nodes with Patroni,
PostgreSQL and etcd, and a machine with Redis. The data of the nodes are in memory.
"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from os import environ, pathsep
from pathlib import Path
from typing import Any, Self

from deploy.drills import shipped
from deploy.drills.network import Host, isolate, make_bridge
from deploy.drills.nodes import NODES, Node, Nodes, make_certificates
from deploy.drills.programs import NEEDED, Machine, Nginx, Redis
from deploy.drills.shipped import PASSWORDS
from tests.support.clients import Gate, Partner
from tests.support.databases import rows_of
from tests.support.figures import Figure, exit_status
from tests.support.programs import manage

ROOT = shipped.ROOT
SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "small-bank.json"
REQUESTS, FULL = 1_000, 10_000
PROXY, WEB, STORE = "10.0.0.10", {"web1": "10.0.0.11", "web2": "10.0.0.12"}, "10.0.0.30"
DISK = 2_000  # MB for the data of a node


class Deployed:
    """A context manager that runs all machines."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as exit_stack:
            self.folder = Path(tempfile.mkdtemp(prefix="drill-"))
            exit_stack.callback(self._clean)
            self._start()
            exit_stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._clean()

    def _clean(self) -> None:
        for host in getattr(self, "hosts", ()):
            host.signal(signal.SIGKILL)
        for node in getattr(self, "nodes", ()):
            subprocess.run(["umount", "-l", node.disk], check=True)
        subprocess.run(["rm", "-rf", self.folder], check=True)

    def _start(self) -> None:
        self.folder.chmod(0o755)
        environ["TESTS_STATIC_ROOT"] = str(self.folder / "static")
        make_bridge()
        addresses = {"proxy": PROXY, **WEB, **NODES, "store": STORE}
        hosts = {name: Host(name, address) for name, address in addresses.items()}
        self.hosts = list(hosts.values())
        certificates = self.folder / "certificates"
        make_certificates(certificates, list(NODES.values()))
        first = certificates / NODES["db1"]
        self.nodes = Nodes(
            [
                Node(self.folder, hosts[name], certificates / address, DISK)
                for name, address in NODES.items()
            ]
        )
        self.redis = Redis(self.folder, hosts["store"])
        secret_key = secrets.token_urlsafe(50)
        self.machines = [Machine(self.folder, hosts[name], first, secret_key) for name in WEB]
        self.nginx = Nginx(self.folder / "nginx", hosts["proxy"])
        self._write_passwords()
        self.nodes.start()
        self.nodes.make_database()
        self.redis.start()
        for machine in self.machines:
            machine.haproxy.start()
            machine.pgbouncer.start()
        self._prepare()
        for machine in self.machines:
            machine.check()
            machine.start()
        self.nginx.start()

    def _write_passwords(self) -> None:
        file = self.folder / "pgpass"
        file.write_text(f"*:*:*:pgbouncer:{PASSWORDS['console']}\n")
        file.chmod(0o600)

    def _prepare(self) -> None:
        """Run a release's commands, and collect the static files."""
        self.manage("migrate", "--noinput")
        self.manage("load_items", str(SMALL_BANK))
        self.manage("collectstatic", "--noinput")

    @property
    def path(self) -> str:
        """PATH with Debian's PostgreSQL first."""
        return f"{shipped.POSTGRESQL}{pathsep}{environ['PATH']}"

    def manage(self, *arguments: str, **more: str) -> str:
        """Run a management command on the first web machine; return its output."""
        within = self.machines[0].host.within
        return manage(self.of_commands() | more, *arguments, seconds=600, within=within)

    def of_commands(self) -> dict[str, str]:
        """Return the environment of commands: the web process's, with their own values."""
        changes = {"<commands password>": PASSWORDS["commands"]}
        of_web = self.machines[0].environment
        return of_web | shipped.environment("commands.env", changes) | {"PATH": self.path}

    def switch_over(self) -> None:
        """Run the shipped script, which makes another node the primary."""
        webs = [f"nsenter --net=/run/netns/{name} sh -c" for name in WEB]
        control = [*self.nodes.primary.host.within, *self.nodes.patronictl]
        subprocess.run(
            [shipped.DEPLOY / "cluster" / "switch-over", *webs],
            check=True,
            timeout=60,
            env=environ | {"PATRONICTL": " ".join(control), "PGPASSFILE": f"{self.folder}/pgpass"},
        )

    @property
    def gate(self) -> Gate:
        return Gate(443, self.nginx.certificate, host=PROXY)

    def rows(self, sql: str, params: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
        """Run SQL on the primary."""
        return rows_of(self.nodes.url, sql, params)


Part = Callable[[Deployed, Partner, int], list[Figure]]


def play(module: str, what: str, parts: Mapping[str, Part]) -> int:
    """Run the parts that the command line names; print their figures, return an exit status.

    A part takes the deployment, a partner, and the number of requests to send.
    """
    arguments = parsed(what, parts)
    missing = shipped.missing_programs(NEEDED)
    if not (shipped.PATRONI / "patroni").exists():
        missing = f"{missing}\nneeds: {shipped.PATRONI}, as docs/cluster.md installs it".strip()
    if missing:
        print(missing, file=sys.stderr)
        return 2
    isolate(module)
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
