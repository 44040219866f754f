"""Play point-in-time recovery, and the restore drill on sound and spoiled backups.

    python -m deploy.drills.backups [--attempts 2000]

A PostgreSQL 15 with the archive.conf of deploy/ is filled with completed attempts and backed up as
assess-backup@.service does, with pgbackrest/one-machine.conf. Then all answers are deleted:
the database is restored to one second before, as docs/backups.md says, and compared row by row.
deploy.drills.restore must pass on a sound repository and name what is wrong with each spoiled one.
Takes about two minutes; docs/reliability.md gives the figures of 100,000 attempts. Needs root.
Exit status 1 if a target is missed, 2 if a program is not installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from deploy.drills.filled import Database, contents, fill
from deploy.drills.restore import STANZA, as_postgres
from deploy.drills.shipped import DEPLOY, ROOT, commands, environment, missing_programs, shipped
from tests.support.figures import Figure, at_most, exactly, exit_status, reported
from tests.support.programs import manage, until

ATTEMPTS = 2_000
SECONDS = 1_800
PASSPHRASE = "a passphrase of the drill"
NEEDED = [
    ("postgres", "postgresql-15"),
    ("pgbackrest", "pgbackrest"),
    ("faketime", "faketime"),
]
PORT = "7654"
# The server's own; nobody but the drill reaches its socket.
SETTINGS = f"port = {PORT}\nlisten_addresses = ''\nmax_wal_size = 4GB\nshared_buffers = 512MB\n"


class Machine(Database):
    """A PostgreSQL that archives, and pgBackRest, as on one machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self.repository = folder / "repository"
        self.repository.mkdir()
        self.configuration = self.configured("pgbackrest.conf", {})
        shutil.chown(folder, "postgres")
        shutil.chown(self.repository, "postgres")
        self.url = f"postgres://postgres@{quote(str(folder), safe='')}:{PORT}/{STANZA}"

    def configured(self, name: str, changes: dict[str, str], repository: str = "") -> Path:
        """Write pgBackRest's configuration with changes; return the file."""
        text = shipped(
            "pgbackrest/one-machine.conf",
            {
                "/mnt/backup/pgbackrest": repository or str(self.repository),
                "<passphrase>": PASSPHRASE,
                "/var/lib/postgresql/15/main": str(self.data),
                "process-max=2": f"process-max=2\nlock-path={self.folder}/lock",
            },
        )
        for old, new in changes.items():
            text = text.replace(old, new)
        places = f"pg1-socket-path={self.folder}\npg1-port={PORT}\n"
        (self.folder / name).write_text(text + places)
        shutil.chown(self.folder / name, "postgres")
        return self.folder / name

    def run(self, *command: str, **more: str) -> str:
        """Run a program as postgres; return its output. Raise RuntimeError if it fails."""
        done = as_postgres(list(command), PGBACKREST_CONFIG=str(self.configuration), **more)
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def create(self) -> None:
        self.run("initdb", "-k", "-E", "UTF8", "--auth-local=trust", "-D", str(self.data))
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(f"{SETTINGS}unix_socket_directories = '{self.folder}'\n")
            conf.write(shipped("postgresql/archive.conf", {}))
        self.start()
        passwords = {"WEB_PASSWORD": "web", "COMMANDS_PASSWORD": "commands"}
        for name in ("roles.sql", "database.sql"):
            text = (DEPLOY / "postgresql" / name).read_text()
            (self.folder / name).write_text(text)
            there = ["-h", str(self.folder), "-p", PORT, "-d", "postgres"]
            self.run("psql", "-X", "-q", "-f", str(self.folder / name), *there, **passwords)
        self.run("pgbackrest", f"--stanza={STANZA}", "stanza-create")

    def start(self) -> None:
        log = str(self.folder / "log")
        self.run("pg_ctl", "-w", "-t", "600", "-D", str(self.data), "-l", log, "start")

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "-w", "-m", "fast", "-D", str(self.data), "stop")

    def back_up(self, kind: str) -> float:
        """Make a backup as the unit does; return the seconds it took."""
        begun = time.monotonic()
        [command] = commands("assess-backup@.service", "ExecStart", {"%i": kind})
        self.run(*command)
        return time.monotonic() - begun

    def restore(self, moment: datetime, timeline: object) -> None:
        """Bring the stopped server back to a moment; return once it has recovered."""
        target = [f"--target={moment}", f"--target-timeline={timeline}", "--target-action=promote"]
        self.run("pgbackrest", f"--stanza={STANZA}", "--delta", "--type=time", *target, "restore")
        self.start()
        # It answers before it has recovered.
        until(lambda: self.value("SELECT NOT pg_is_in_recovery()"), SECONDS)

    def archive(self, segments: int = 3) -> None:
        """Fill some segments of the log and wait until they are archived."""
        for _ in range(segments):
            self.execute("SELECT pg_logical_emit_message(true, 'drill', 'text')")
            self.execute("SELECT pg_switch_wal()")
        self.run("pgbackrest", f"--stanza={STANZA}", "check")


class RestoreDrill:
    """deploy.drills.restore, in the environment of a web process."""

    def __init__(self, folder: Path, url: str, configuration: Path, system_id: str) -> None:
        self._configuration, self._system_id = configuration, system_id
        folder = folder / "home"
        folder.mkdir()
        self._environment = {
            **environment("assess.env", {}),
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "SECRET_KEY": "a secret key of the drill, as long as such a key has to be, and longer",
            "DATABASE_URL": url,
            "DATABASE_POOLED": "false",
            "STATIC_ROOT": str(folder / "static"),
            # The shipped address has a placeholder, which settings refuse.
            "REDIS_URL": "",
            "WEB_CONCURRENCY": "1",
        }
        manage(self._environment, "collectstatic", "--noinput")

    def __call__(self, *options: str, configuration: Path | None = None) -> tuple[int, str]:
        """Return the drill's exit status and output."""
        named = ["--config", str(configuration or self._configuration), *options]
        if "--cluster" not in options:
            named += ["--cluster", self._system_id]
        done = subprocess.run(
            [sys.executable, "-m", "deploy.drills.restore", *named],
            env=self._environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr


def recovered(machine: Machine) -> list[Figure]:
    """Delete all answers, restore to one second before, and compare.

    An earlier moment is tried first, as by an operator who is mistaken, and written to.
    """
    timeline = machine.timeline
    wrong_moment = datetime.now(UTC)
    time.sleep(1.1)
    machine.execute("UPDATE partners_project SET name = 'Renamed'")
    before = contents(machine.url)
    moment = datetime.now(UTC)
    time.sleep(1.1)
    machine.execute("DELETE FROM assessments_answer")
    machine.archive()
    machine.stop()
    machine.restore(wrong_moment, timeline)
    machine.execute("UPDATE partners_project SET name = 'Renamed otherwise'")
    machine.archive()
    machine.stop()
    begun = time.monotonic()
    machine.restore(moment, timeline)
    minutes = (time.monotonic() - begun) / 60
    after = contents(machine.url)
    wrong = [
        f"{name} {before[name]} {after.get(name)}"
        for name in before
        if before[name] != after.get(name)
    ]
    return [
        reported("recovery: answers that were deleted", before["assessments_answer"][0]),
        exactly(f"recovery: tables that differ from a second before {wrong}", len(wrong), 0),
        at_most("recovery: minutes until the database was back", minutes, SECONDS / 60),
    ]


def refusals(machine: Machine, drill: RestoreDrill) -> Iterator[Figure]:
    """Spoil the backups in each way; the drill must fail and name it."""
    sound = machine.folder / "sound"

    def refused(what: str, words: str, *options: str, configuration: Path | None = None) -> Figure:
        status, said = drill(*options, configuration=configuration)
        is_named = status == 1 and words in said
        if not is_named:
            print(said)
        return exactly(f"{what}: refused and named", int(is_named), 1)

    def spoiled(change: Callable[[Path], object]) -> None:
        """Copy the sound repository back and change it."""
        shutil.rmtree(machine.repository)
        subprocess.run(["cp", "-a", sound, machine.repository], check=True)
        change(machine.repository)

    machine.archive()
    subprocess.run(["cp", "-a", machine.repository, sound], check=True)
    yield refused("a backup of another cluster", "of the cluster", "--cluster", "7000000000000")
    yield refused("a backup that is too old", "hours old", "--max-age", "0")
    wrong = machine.configured("wrong.conf", {PASSPHRASE: "another"})
    yield refused(
        "a wrong passphrase", "passphrase (repo1-cipher-pass) is wrong", configuration=wrong
    )
    missing = machine.configured(
        "missing.conf",
        {f"repo1-cipher-pass={PASSPHRASE}\n": "", "repo1-cipher-type=aes-256-cbc\n": ""},
    )
    yield refused("a missing passphrase", "has no passphrase", configuration=missing)
    empty = machine.folder / "empty"
    empty.mkdir()
    shutil.chown(empty, "postgres")
    nothing = machine.configured("empty.conf", {}, str(empty))
    yield refused("no backup at all", "there is no backup", configuration=nothing)
    spoiled(lambda repository: os.truncate(largest(repository / "backup"), 20_000))
    yield refused("a truncated backup", "unable to flush [CryptoError]")
    spoiled(lambda repository: newest_segments(repository)[-3].unlink())
    yield refused("a missing file of WAL", "a file of WAL is missing")
    spoiled(lambda _: None)
    tomorrow = f"{datetime.now(UTC) + timedelta(days=1)}"
    yield refused(
        "a moment that is not archived",
        "the moment is too late",
        "--moment",
        tomorrow,
    )
    machine.execute(
        "DELETE FROM assessments_answer WHERE assessment_id ="
        " (SELECT max(id) FROM assessments_assessment WHERE completed_at IS NOT NULL)"
    )
    machine.back_up("incr")
    yield refused("a result without its answers", "the service does not work on it")
    machine.execute("TRUNCATE assessments_answer")
    machine.execute("VACUUM FULL")
    machine.back_up("incr")
    yield refused("a backup that is too small", "of the size of")
    machine.stop()
    # Without the server, because pgBackRest would go by the server's clock.
    command = [f"--stanza={STANZA}", "--no-online", "--type=full", "backup"]
    machine.run("faketime", "-f", "+3d", "pgbackrest", *command)
    machine.start()
    yield refused("a backup from the future", "is from the future")


def largest(folder: Path) -> Path:
    return max(
        (path for path in folder.rglob("*") if path.is_file()), key=lambda p: p.stat().st_size
    )


def newest_segments(repository: Path) -> list[Path]:
    """Return the archived segments of the log in their order."""
    found = [path for path in (repository / "archive").rglob("*-*.zst") if path.is_file()]
    return sorted(found, key=lambda path: path.name)


def measure(attempts: int) -> Iterator[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="drill-"))
    folder.chmod(0o755)
    machine = Machine(folder)
    try:
        machine.create()
        add = fill(machine.url, attempts * 9 // 10)
        full = machine.back_up("full")
        add(attempts // 20)
        incremental = machine.back_up("incr")
        add(attempts // 20)
        yield reported("attempts in the database", attempts)
        yield at_most("full backup, s", full, SECONDS)
        yield at_most("incremental backup after a twentieth more, s", incremental, SECONDS)
        yield from recovered(machine)
        yield reported("size of the repository, MB", size(machine.repository))
        machine.back_up("incr")
        drill = RestoreDrill(folder, machine.url, machine.configuration, machine.system_id)
        begun = time.monotonic()
        status, said = drill()
        took = time.monotonic() - begun
        print(*(f"     {line}" for line in said.splitlines()), sep="\n")
        yield exactly("exit status of the drill", status, 0)
        yield at_most("seconds for the drill", took, SECONDS)
        yield from refusals(machine, drill)
    finally:
        machine.stop()
        shutil.rmtree(folder)


def size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, default=ATTEMPTS)
    arguments = parser.parse_args()
    if missing := missing_programs(NEEDED):
        print(missing, file=sys.stderr)
        return 2
    if os.geteuid():
        print("needs root, to run PostgreSQL as the user postgres", file=sys.stderr)
        return 2
    return exit_status(measure(arguments.attempts))


if __name__ == "__main__":
    sys.exit(main())
