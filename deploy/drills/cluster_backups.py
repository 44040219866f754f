"""Back up the cluster of deploy/ to the store, and bring it back to a moment.

    python -m deploy.drills.cluster_backups [--attempts 2000]

Three nodes with Patroni and PostgreSQL, and a store with the repository, each in a network
namespace: pgBackRest speaks TLS between them, with database.conf and repository.conf of deploy/. A
backup is made of one primary, and after a switch-over one of another. Then all answers are deleted,
and the steps of docs/backups.md bring the cluster back to one second before. The restore drill runs
on the store. Takes about two minutes; needs root. Exit status 1 if a target is missed, 2 if a
program is not installed.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from os import environ, pathsep
from pathlib import Path

from deploy.drills.backups import PASSPHRASE, RestoreDrill
from deploy.drills.filled import Database, contents, fill
from deploy.drills.network import Host, isolate, make_bridge
from deploy.drills.nodes import (
    AS_POSTGRES,
    CERTIFICATES,
    NODES,
    Node,
    Nodes,
    make_certificates,
)
from deploy.drills.restore import STANZA
from deploy.drills.shipped import (
    PATRONI,
    POSTGRESQL,
    commands,
    missing_programs,
    shipped,
)
from tests.support.figures import Figure, at_most, exactly, exit_status, reported
from tests.support.programs import Program, until

ATTEMPTS = 2_000
STORE = "10.0.0.30"
DATA = "/var/lib/postgresql/15/assess"
SECONDS = 1_800
NEEDED = [
    ("etcd", "etcd-server"),
    ("ip", "iproute2"),
    ("pgbackrest", "pgbackrest"),
    ("postgres", "postgresql-15"),
]


class PgBackRest(Program):
    """pgBackRest of a machine, with its server."""

    def __init__(self, folder: Path, host: Host) -> None:
        super().__init__(folder / f"pgbackrest-{host.name}.log")
        self._host = host
        self.file = folder / f"pgbackrest-{host.name}.conf"

    def write(self, text: str) -> None:
        """Write its configuration, which only postgres reads."""
        self.file.write_text(text)
        shutil.chown(self.file, "postgres")
        self.file.chmod(0o600)

    def start(self) -> None:
        self.run([*self._host.within, *AS_POSTGRES, *self.command("server")])
        self.wait_for_port(8432, host=self._host.address)

    def command(self, *arguments: str) -> list[str]:
        return ["pgbackrest", f"--config={self.file}", *arguments]

    def __call__(self, *arguments: str) -> str:
        """Run a command; return its output. Raise RuntimeError if it fails."""
        return run(self._host, *self.command(f"--stanza={STANZA}", *arguments))


def run(host: Host, *command: str) -> str:
    """Run a program as postgres on a host; return its output. Raise RuntimeError if it fails."""
    # Not a pipe, which a server that it starts would keep open.
    with tempfile.TemporaryFile("w+") as out:
        done = subprocess.run(
            [*host.within, *AS_POSTGRES, *command],
            cwd="/",
            env=environ | {"PATH": f"{POSTGRESQL}{pathsep}{environ['PATH']}"},
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        out.seek(0)
        said = out.read()
    if done.returncode:
        raise RuntimeError(f"{command}: {said}")
    return said


class Cluster(Database):
    """The nodes, and the store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_bridge()
        self.hosts = {name: Host(name, address) for name, address in NODES.items()}
        self.hosts["store"] = Host("store", STORE)
        certificates = folder / "certificates"
        make_certificates(certificates, [host.address for host in self.hosts.values()])
        self.pgbackrest = {name: PgBackRest(folder, host) for name, host in self.hosts.items()}
        nodes = []
        for name, address in NODES.items():
            push = " ".join(self.pgbackrest[name].command(f"--stanza={STANZA}", "archive-push"))
            node = Node(
                folder,
                self.hosts[name],
                certificates / address,
                archive_command=f"{push} %p",
            )
            nodes.append(node)
        self.nodes = Nodes(nodes)
        self.store = self.pgbackrest["store"]
        self.url = self.nodes.url
        self._configure(certificates)

    def _configure(self, certificates: Path) -> None:
        """Write the files of deploy/pgbackrest, with the folders of this run.

        On machines of their own all have the same folders, and /etc/pgbackrest.conf.
        """
        repository, locks = self.folder / "repository", self.folder / "locks"
        for folder in (repository, locks):
            folder.mkdir()
            shutil.chown(folder, "postgres")
        changes = {
            CERTIFICATES: str(certificates / STORE),
            "repo1-path=/var/lib/pgbackrest": f"repo1-path={repository}",
            "<passphrase>": PASSPHRASE,
            "start-fast=y": f"start-fast=y\nlock-path={locks}/store",
        }
        for number, node in enumerate(self.nodes, 1):
            changes[f"pg{number}-path={DATA}"] = (
                f"pg{number}-path={node.data}\npg{number}-socket-path={node.socket}"
                f"\npg{number}-host-config={self.pgbackrest[node.name].file}"
            )
        self.store.write(shipped("pgbackrest/repository.conf", changes))
        for node in self.nodes:
            changes = {
                CERTIFICATES: str(certificates / node.host.address),
                "repo1-host=": f"repo1-host-config={self.store.file}\nrepo1-host=",
                "process-max=2": f"process-max=2\nlock-path={locks}/{node.name}",
                DATA: f"{node.data}\npg1-socket-path={node.socket}",
            }
            if node.host.address != NODES["db1"]:
                changes[NODES["db1"]] = node.host.address
            self.pgbackrest[node.name].write(shipped("pgbackrest/database.conf", changes))

    def start(self) -> None:
        """Start everything, and prepare the repository."""
        for pgbackrest in self.pgbackrest.values():
            pgbackrest.start()
        self.nodes.start()
        self.nodes.make_database()
        self.store("stanza-create")
        self.store("check")

    def back_up(self, kind: str) -> float:
        """Make a backup as the unit on the store does; return the seconds it took."""
        begun = time.monotonic()
        [command] = commands("assess-backup@.service", "ExecStart", {"%i": kind})
        self.store(*(word for word in command[1:] if not word.startswith("--stanza")))
        return time.monotonic() - begun

    def stop(self) -> None:
        for host in self.hosts.values():
            host.signal(signal.SIGKILL)


def brought_back(cluster: Cluster, moment: datetime) -> Iterator[Figure]:
    """Follow docs/backups.md, "On a cluster"; time it."""
    begun = time.monotonic()
    timeline = cluster.timeline
    cluster.nodes.control("pause", "--wait")
    for node in cluster.nodes:
        node.stop()
    for node in cluster.nodes:
        run(node.host, "pg_ctl", "-D", str(node.data), "-w", "stop")

    [db1, *others] = cluster.nodes
    move_away(db1)
    target = [f"--target={moment}", f"--target-timeline={timeline}", "--target-action=promote"]
    cluster.pgbackrest[db1.name]("--type=time", *target, "restore")
    log = str(db1.socket / "recovery.log")
    run(db1.host, "pg_ctl", "-D", str(db1.data), "-w", "-t", "3600", "-l", log, "start")
    until(lambda: db1.is_primary, SECONDS)
    run(db1.host, "pg_ctl", "-D", str(db1.data), "-w", "stop")
    cluster.nodes.control("remove", STANZA, answers=f"{STANZA}\nYes I am aware\n{leader(cluster)}")
    db1.start()
    until(lambda: (db1.asked("/patroni") or {}).get("role") == "primary", SECONDS)
    yield at_most(
        "minutes until one node serves again", (time.monotonic() - begun) / 60, SECONDS / 60
    )
    for node in others:
        move_away(node)
        node.start()
    cluster.nodes.until_whole(SECONDS)
    yield at_most("minutes until all three do", (time.monotonic() - begun) / 60, SECONDS / 60)


def leader(cluster: Cluster) -> str:
    """Return the leader that Patroni remembers, as patronictl asks for it; "" if none."""
    found = [
        line.split("|")[1].strip()
        for line in cluster.nodes.control("list").splitlines()
        if "Leader" in line
    ]
    return found[0] if found else ""


def move_away(node: Node) -> None:
    node.data.rename(node.data.with_name("data.old"))
    node.data.mkdir(mode=0o700)
    shutil.chown(node.data, "postgres", "postgres")


def measure(attempts: int) -> Iterator[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="drill-"))
    folder.chmod(0o755)
    cluster = Cluster(folder)
    try:
        cluster.start()
        add = fill(cluster.url, attempts * 9 // 10)
        yield reported("full backup of the primary, s", cluster.back_up("full"))
        before = cluster.nodes.primary
        cluster.nodes.control("switchover", STANZA, "--force")
        until(lambda: cluster.nodes.primary is not before)
        cluster.nodes.until_whole()
        add(attempts // 20)
        yield reported("incremental backup of the next primary, s", cluster.back_up("incr"))
        add(attempts // 20)
        rows = contents(cluster.url)
        moment = datetime.now(UTC)
        time.sleep(1.1)
        cluster.execute("DELETE FROM assessments_answer")
        cluster.execute("SELECT pg_switch_wal()")
        cluster.store("check")
        yield reported("answers that were deleted", rows["assessments_answer"][0])
        yield from brought_back(cluster, moment)
        now = contents(cluster.url)
        wrong = [name for name in rows if rows[name] != now.get(name)]
        yield exactly(f"tables that differ from a second before {wrong}", len(wrong), 0)
        cluster.store("check")
        yield reported("full backup afterwards, s", cluster.back_up("full"))
        drill = RestoreDrill(folder, cluster.url, cluster.store.file, cluster.system_id)
        status, said = drill()
        print(*(f"     {line}" for line in said.splitlines()), sep="\n")
        yield exactly("exit status of the restore drill on the store", status, 0)
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, default=ATTEMPTS)
    arguments = parser.parse_args()
    missing = missing_programs(NEEDED)
    if not (PATRONI / "patroni").exists():
        missing = f"{missing}\nneeds: {PATRONI}, as docs/cluster.md installs it".strip()
    if missing:
        print(missing, file=sys.stderr)
        return 2
    isolate("deploy.drills.cluster_backups")
    return exit_status(measure(arguments.attempts))


if __name__ == "__main__":
    sys.exit(main())
