"""The cluster of deploy/cluster: etcd, Patroni with PostgreSQL, and HAProxy, each on its host."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from deploy.drills.network import OWN, Host
from deploy.drills.shipped import DEPLOY, PASSWORDS, PATRONI, environment, shipped
from tests.support.programs import Program, until

NODES = {"db1": "10.0.0.21", "db2": "10.0.0.22", "db3": "10.0.0.23"}
CERTIFICATES = "/etc/assess/cluster"
PATRONI_PORT, POSTGRESQL_PORT, ETCD_PORTS = 8008, 5432, (2379, 2380)
USER = "postgres"
# The drill has no watchdog, and connects as postgres.
FOR_THE_DRILL = f"    - host  all          postgres         {OWN}/32  trust\n"
AS_POSTGRES = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups"]


def make_certificates(folder: Path, addresses: list[str]) -> None:
    """Make the certificates of all machines with the shipped script, as docs/cluster.md does."""
    subprocess.run([DEPLOY / "cluster" / "certificates", folder, *addresses], check=True)
    folder.chmod(0o755)
    for key in folder.glob("*/node.key"):
        shutil.chown(key, "root", "ssl-cert")
        key.chmod(0o640)


class Etcd(Program):
    """A member of etcd."""

    def __init__(self, folder: Path, host: Host, certificates: Path) -> None:
        super().__init__(folder / f"etcd-{host.name}.log")
        self.host = host
        own = environment(
            "cluster/etcd.env",
            {
                "/var/lib/etcd/assess": str(folder / f"etcd-{host.name}"),
                CERTIFICATES: str(certificates),
            },
        )
        for name in ("PEER_URLS", "CLIENT_URLS"):
            for kind in ("LISTEN", "ADVERTISE", "INITIAL_ADVERTISE"):
                if key := own.get(f"ETCD_{kind}_{name}"):
                    own[f"ETCD_{kind}_{name}"] = key.replace(NODES["db1"], host.address)
        self._environment = {"PATH": os.environ["PATH"], **own, "ETCD_NAME": host.name}

    def start(self) -> None:
        self.run([*self.host.within, "etcd"], env=self._environment)


class Node(Program):
    """A machine with Patroni and PostgreSQL, and a member of etcd.

    `disk` is the size of a disk of its own for the data, in MB; without it, the data are on the
    drill's. `archive_command` takes PostgreSQL's log.
    """

    def __init__(
        self,
        folder: Path,
        host: Host,
        certificates: Path,
        disk: int = 0,
        archive_command: str = "/bin/true",
    ) -> None:
        self._base = folder / host.name
        self._base.mkdir()
        super().__init__(self._base / "patroni.log")
        self.host, self.name, self.is_frozen = host, host.name, False
        self.etcd = Etcd(self._base, host, certificates)
        self._trusted = ssl.create_default_context(cafile=str(certificates / "ca.crt"))
        self.disk = self._base / "disk"
        self.disk.mkdir()
        self.data = self.disk / "data"
        if disk:
            command = ["mount", "-t", "tmpfs", "-o", f"size={disk}m", "none", str(self.disk)]
            subprocess.run(command, check=True)
        self.socket = self._base / "socket"
        self.socket.mkdir()
        for path in (self._base, self.disk, self.socket):
            shutil.chown(path, USER)
        changes = {
            CERTIFICATES: str(certificates),
            "/var/lib/postgresql/15/assess": str(self.data),
            "/var/run/postgresql": str(self.socket),
            "mode: required": "mode: 'off'",
            "pgbackrest --stanza=assess archive-push %p": archive_command,
            "    - local all          all ": f"{FOR_THE_DRILL}    - local all          all ",
        }
        self.configuration = self._base / "patroni.yml"
        self.configuration.write_text(shipped("cluster/patroni.yml", changes))
        own = environment(
            "cluster/patroni.env",
            {
                "<standby password>": PASSWORDS["standby"],
                "<rewind password>": PASSWORDS["rewind"],
                NODES["db1"]: host.address,
                "PATRONI_NAME=db1": f"PATRONI_NAME={host.name}",
            },
        )
        self._environment = {"PATH": os.environ["PATH"], "HOME": str(self._base), **own}

    def start(self) -> None:
        """Start Patroni; `until_running` waits for PostgreSQL."""
        command = [*self.host.within, *AS_POSTGRES, f"{PATRONI}/patroni", str(self.configuration)]
        self.run(command, env=self._environment)

    def start_again(self) -> None:
        """Start everything of a node whose processes are gone."""
        for program in (self.etcd, self):
            program.stop()
            program.start()

    def asked(self, path: str) -> dict[str, Any] | None:
        """Return Patroni's answer, whatever its status; None if there is none."""
        url = f"https://{self.host.address}:{PATRONI_PORT}{path}"
        answer: Any
        try:
            answer = urllib.request.urlopen(url, timeout=2, context=self._trusted)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            return None
        with answer, suppress(OSError, ValueError):
            found: dict[str, Any] = json.load(answer)
            return found
        return None

    @property
    def is_primary(self) -> bool:
        """Whether its PostgreSQL runs, and takes writes as far as it knows."""
        return not self._value("SELECT pg_is_in_recovery()", default=True)

    def has_synchronous_standby(self) -> bool:
        sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        return bool(self._value(sql, default=0))

    def streaming(self) -> int:
        """Return how many standbys have caught up and stream from it."""
        sql = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        return int(self._value(sql, default=0))

    def _value(self, sql: str, *, default: Any) -> Any:
        url = f"postgres://postgres@{self.host.address}:{POSTGRESQL_PORT}/postgres"
        with suppress(psycopg.Error), psycopg.connect(url, connect_timeout=2) as connection:
            row = connection.execute(sql).fetchone()
            return row[0] if row else default
        return default

    @property
    def postmaster(self) -> int:
        """The process id of PostgreSQL's first process."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def freeze(self) -> None:
        """Stop every process of the node, as a machine does that hangs."""
        self.is_frozen = True
        self.host.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the processes go on as if no time had passed."""
        self.host.signal(signal.SIGCONT)
        self.is_frozen = False

    def die(self) -> None:
        """Kill every process of the node."""
        self.host.signal(signal.SIGKILL)
        self.stop()
        self.etcd.stop()


class Nodes:
    """All nodes of the cluster."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._is_synchronous = True

    def __iter__(self) -> Any:
        return iter(self._nodes)

    def start(self) -> None:
        """Start all nodes and return once one is the primary and the others stream from it."""
        for node in self._nodes:
            node.etcd.start()
        for node in self._nodes:
            node.start()
        self.until_whole()

    def until_whole(self, seconds: float = 120) -> None:
        """Return once there is a primary, and all others stream, one of them synchronously."""

        def is_whole() -> bool:
            primaries = [node for node in self._nodes if node.is_primary]
            return (
                len(primaries) == 1
                and primaries[0].streaming() == len(self._nodes) - 1
                and primaries[0].has_synchronous_standby() == self._is_synchronous
                and all(node.asked("/health") for node in self._nodes)
            )

        try:
            until(is_whole, seconds)
        except TimeoutError:
            logs = "\n".join(f"{node.name}: {node.logs()[-2000:]}" for node in self._nodes)
            raise AssertionError(f"the cluster is not whole:\n{logs}") from None

    @property
    def url(self) -> str:
        """The service's database on whichever node is the primary, as its superuser."""
        query = "target_session_attrs=read-write&connect_timeout=3"
        return f"postgres://postgres@{','.join(NODES.values())}/assess?{query}"

    def make_database(self) -> None:
        """Create roles and database with the shipped files."""
        given = {f"{role.upper()}_PASSWORD": PASSWORDS[role] for role in ("web", "commands")}
        url = f"postgres://postgres@{self.primary.host.address}/postgres"
        for name in ("roles.sql", "database.sql"):
            command = ["psql", "-X", "-q", "-f", str(DEPLOY / "postgresql" / name), url]
            subprocess.run(command, check=True, env=os.environ | given)

    @property
    def primary(self) -> Node:
        """The node whose Patroni calls itself the primary, once it is a single one."""
        found: list[Node] = []

        def is_found() -> bool:
            found[:] = [
                n for n in self._nodes if (n.asked("/patroni") or {}).get("role") == "primary"
            ]
            return len(found) == 1

        until(is_found)
        return found[0]

    @property
    def standbys(self) -> list[Node]:
        """The other nodes, the synchronous standby first."""
        primary = self.primary
        others = [node for node in self._nodes if node is not primary]
        return sorted(
            others, key=lambda node: not (node.asked("/patroni") or {}).get("sync_standby")
        )

    def replicate(self, *, synchronously: bool) -> None:
        """Change whether commits wait for a standby, as an operator does."""
        # Without it, a standby far behind may become the primary.
        lag = 1 << (20 if synchronously else 30)
        options = (
            f"synchronous_mode={str(synchronously).lower()}",
            f"maximum_lag_on_failover={lag}",
        )
        changes = [word for option in options for word in ("-s", option)]
        self.control("edit-config", "assess", "--force", "--quiet", *changes)
        self._is_synchronous = synchronously
        self.until_whole()

    def control(self, *arguments: str, answers: str = "") -> str:
        """Run patronictl on the first node; return its output. `answers` are typed."""
        node = self._nodes[0]
        command = [*node.host.within, *self.patronictl, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, input=answers)
        if done.returncode:
            raise RuntimeError(f"patronictl {arguments}: {done.stderr or done.stdout}")
        return done.stdout

    @property
    def patronictl(self) -> list[str]:
        return [*AS_POSTGRES, f"{PATRONI}/patronictl", "-c", str(self._nodes[0].configuration)]


class HAProxy(Program):
    """The shipped HAProxy of a web machine."""

    def __init__(self, folder: Path, host: Host, certificates: Path) -> None:
        super().__init__(folder / "haproxy.log")
        self.host = host
        changes = {"/etc/assess/cluster": str(certificates), "10.0.0.11": host.address}
        if host.address == "10.0.0.11":
            del changes["10.0.0.11"]
        self._configuration = folder / "haproxy.cfg"
        self._configuration.write_text(
            shipped("cluster/haproxy.cfg", changes | {"log /dev/log local0": "log stderr local0"})
        )

    def start(self) -> None:
        self.run([*self.host.within, "haproxy", "-db", "-f", str(self._configuration)])
        self.wait_for_port(8404, host=self.host.address)

    def metrics(self) -> str:
        with urllib.request.urlopen(
            f"http://{self.host.address}:8404/metrics", timeout=5
        ) as answer:
            return str(answer.read().decode())

    def up(self, proxy: str = "primary") -> set[str]:
        """Return the servers of a backend that it calls up."""
        pattern = rf'^haproxy_server_status{{proxy="{proxy}",server="(\w+)",state="UP"}} 1$'
        return set(re.findall(pattern, self.metrics(), re.MULTILINE))
