"""Restore the newest backup on this machine and check that the service works on it.

    python -m deploy.drills.restore --cluster SYSTEM_ID [--moment TIME] [--config FILE]

Run it as root on a machine with pgBackRest's configuration (/etc/pgbackrest.conf) and PostgreSQL
15, preferably not the database's, with the settings of the web process in the environment. It asks
pgBackRest for the backups, and refuses them if there is none, or the newest is from the future, too
old, much smaller than the one before, of another cluster, or can't be read. It restores everything
that was archived, or the state of a moment, to a folder of its own in TMPDIR (/tmp), and starts
PostgreSQL on it, which listens nowhere but there and archives nothing. Then restore_flows.py uses
the service on it: it migrates, signs in as staff, takes a link from the partner's call to a stored
answer, and scores a stored result again. No webhook is sent. Each step prints a line; exit status 0
only if every step succeeded. Nothing is left behind.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

ROOT = Path(__file__).resolve().parents[2]
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")
STANZA = "assess"
CLOCKS_DIFFER = timedelta(minutes=5)
SEGMENT = 16 * 1024 * 1024  # bytes
SETTINGS = """
listen_addresses = ''
hot_standby = off
archive_mode = off
shared_buffers = 256MB
fsync = off
"""


class Failed(Exception):
    """A step of the drill failed. The text says how."""


def progress(what: str) -> None:
    print(f"ok   {what}", flush=True)


class PgBackRest:
    """pgBackRest, with the repository of a configuration file, restoring to a folder of its own."""

    def __init__(self, folder: Path, configuration: Path) -> None:
        self._folder = folder
        own = configparser.ConfigParser(strict=False, interpolation=None)
        if not own.read(configuration):
            raise Failed(f"there is no {configuration}")
        # Where the repository is and how to read it, without the hosts that are backed up.
        kept = {
            name: value
            for name, value in own["global"].items()
            if name.startswith(("repo", "process-max"))
        }
        self.is_encrypted = "repo1-cipher-pass" in kept
        lines = "\n".join(f"{name}={value}" for name, value in kept.items())
        places = "\n".join(f"{name}={folder}" for name in ("lock-path", "spool-path"))
        logs = "log-level-console=error\nlog-level-stderr=error\nlog-level-file=off"
        self.file = folder / "pgbackrest.conf"
        self.file.write_text(
            f"[global]\n{lines}\n{places}\n{logs}\n[{STANZA}]\npg1-path={folder / 'data'}\n"
        )

    def run(self, *arguments: str) -> str:
        """Run a command; return its output. Raise Failed with its errors."""
        command = ["pgbackrest", f"--config={self.file}", f"--stanza={STANZA}", *arguments]
        done = as_postgres(command)
        if done.returncode:
            raise Failed(f"pgbackrest {arguments[-1]}: {' '.join(done.stderr.split())[-1000:]}")
        return done.stdout

    def info(self) -> dict[str, Any]:
        """Return what the repository holds. Raise Failed if it can't be read."""
        found: dict[str, Any]
        # Not strict, because it quotes what it could not decipher.
        [found] = json.loads(self.run("--output=json", "info"), strict=False)
        status = found["status"]
        if status["code"] == 0:
            return found
        said = " ".join(
            str(repo["status"]["message"]).partition("\n")[0] for repo in found.get("repo", ())
        )
        if "unable to load info file" in said and not self.is_encrypted:
            raise Failed(
                "the repository can't be read: it may be encrypted, and the configuration has no"
                " passphrase (repo1-cipher-pass)"
            )
        if "unable to load info file" in said:
            raise Failed(
                "the repository can't be read: the passphrase (repo1-cipher-pass) is wrong, or the"
                " repository is damaged"
            )
        raise Failed(f"there is no backup: {said or status['message']}")


def as_postgres(command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program as the user postgres if this is root, as PostgreSQL demands."""
    # Not `user=`, which would leave out the groups that may read the cluster's certificates.
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    return subprocess.run(
        [*prefix, *command],
        cwd="/",
        env={"PATH": f"{POSTGRESQL}{os.pathsep}{os.environ['PATH']}", **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


def checked(
    info: dict[str, Any], cluster: str, max_age: timedelta, smallest: float
) -> dict[str, Any]:
    """Return the newest backup. Raise Failed if it is not one to rely on."""
    now = datetime.now(UTC)
    current = info["db"][-1]
    if str(current["system-id"]) != cluster:
        raise Failed(f"the backups are of the cluster {current['system-id']}, not of {cluster}")
    backups = [backup for backup in info["backup"] if backup["database"]["id"] == current["id"]]
    if not backups:
        raise Failed("there is no backup in the repository")
    for backup in backups:
        if taken_at(backup) > now + CLOCKS_DIFFER:
            raise Failed(
                f"{backup['label']} is from the future ({taken_at(backup):%Y-%m-%d %H:%M} UTC): a"
                " clock was wrong, and what is kept and what is newest can't be relied on"
            )
    newest = max(backups, key=taken_at)
    age = now - taken_at(newest)
    if age > max_age:
        raise Failed(f"the newest backup, {newest['label']}, is {_hours(age):.1f} hours old")
    if newest["error"]:
        raise Failed(f"{newest['label']} has pages whose checksums are wrong")
    earlier = [backup for backup in backups if backup is not newest]
    if earlier:
        before = max(earlier, key=taken_at)
        share = newest["info"]["size"] / before["info"]["size"]
        if share < smallest:
            raise Failed(
                f"{newest['label']} has {share:.0%} of the size of {before['label']}: something is"
                " missing. If it was deleted on purpose, say so with --smallest"
            )
    size = newest["info"]["size"] / 1e6
    progress(f"{newest['label']}, {_hours(age):.1f} hours old, {size:,.0f} MB")
    return dict(newest)


def taken_at(backup: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(backup["timestamp"]["stop"], UTC)


def _hours(age: timedelta) -> float:
    return age.total_seconds() / 3600


def last_place(info: dict[str, Any], backup: dict[str, Any]) -> str:
    """Return the place in the log (LSN) at which the newest archived segment begins.

    It is the end of the backup if nothing whole was archived since.
    """
    database = backup["database"]["id"]
    archived = [each for each in info["archive"] if each["database"]["id"] == database]
    newest = max(str(each["max"]) for each in archived if each["max"])
    begins = f"{newest[8:16]}/{int(newest[16:24], 16) * SEGMENT:X}"
    return max(begins, str(backup["lsn"]["stop"]), key=_place)


def _place(lsn: str) -> int:
    high, low = lsn.split("/")
    return (int(high, 16) << 32) + int(low, 16)


class Restored:
    """A PostgreSQL with the restored data, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "data"
        self.url = f"postgres://postgres@{quote(str(folder), safe='')}/{STANZA}"

    def start(self) -> None:
        """Start it, and return once it has recovered. Raise Failed with PostgreSQL's own words."""
        hba, own = self._folder / "pg_hba.conf", self._folder / "postgresql.conf"
        hba.write_text("local all postgres trust\n")
        own.write_text(
            f"{SETTINGS}data_directory = '{self.data}'\nhba_file = '{hba}'\n"
            f"unix_socket_directories = '{self._folder}'\n"
        )
        options = f"-c config_file={own}"
        log = self._folder / "log"
        command = ["pg_ctl", "-w", "-t", "3600", "-D", str(self.data), "-l", str(log)]
        done = as_postgres([*command, "-o", options, "start"])
        is_running = done.returncode == 0
        while is_running and not self._is_ready():
            time.sleep(0.2)
            is_running = (self.data / "postmaster.pid").exists()
        if not is_running:
            raise Failed(_reason(log.read_text(errors="replace") if log.exists() else done.stderr))

    def _is_ready(self) -> bool:
        # pg_ctl returns while it still recovers.
        # Not to `assess`, which may not exist at that moment.
        url = self.url.replace(f"/{STANZA}", "/postgres")
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url):
            return True
        return False

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists():
            as_postgres(["pg_ctl", "-w", "-m", "immediate", "-D", str(self.data), "stop"])

    def last_commit(self) -> datetime | None:
        """Return the time of the last commit that was recovered."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute("SELECT pg_last_xact_replay_timestamp()").fetchone()
        return row[0] if row else None


def _reason(log: str) -> str:
    """Say why PostgreSQL did not recover, from its log."""
    fatal = re.findall(r"(?:FATAL|PANIC): +(.*)", log)
    restored = re.findall(r'restored log file "(\w+)"', log)
    if any("before configured recovery target" in line for line in fatal):
        after = f" after {restored[-1]}" if restored else ""
        return f"the archive ends{after}: a file of WAL is missing, or the moment is too late"
    return f"PostgreSQL does not recover: {'; '.join(fatal) or log[-1000:]}"


def play(url: str) -> None:
    """Use the service on the restored database, in another process."""
    # Without Redis, so that the drill uses up no real limit. Without a key, no webhook can be sent.
    own = {
        "DATABASE_URL": url,
        "DATABASE_POOLED": "false",
        "REDIS_URL": "",
        "WEBHOOK_KEY": "",
        "TRUSTED_PROXY_COUNT": "0",
        "WEB_CONCURRENCY": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "deploy.drills.restore_flows"],
        env=os.environ | own,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    print(done.stdout, end="", flush=True)
    if done.returncode:
        raise Failed("the service does not work on it, see above")


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Give a folder of the user postgres, which is removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="restored-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    folder.chmod(0o750)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def drill(arguments: argparse.Namespace) -> None:
    """Run all steps. Raise Failed, or another error, if one fails."""
    with own_folder() as folder:
        pgbackrest = PgBackRest(folder, arguments.config)
        if os.geteuid() == 0:
            shutil.chown(pgbackrest.file, "postgres")
            pgbackrest.file.chmod(0o600)
        info = pgbackrest.info()
        max_age = timedelta(hours=arguments.max_age)
        newest = checked(info, arguments.cluster, max_age, arguments.smallest)
        if arguments.moment:
            target = ["--type=time", f"--target={arguments.moment}"]
        else:
            target = [
                "--type=lsn",
                f"--target={last_place(info, newest)}",
                f"--set={newest['label']}",
            ]
        begun = time.monotonic()
        pgbackrest.run(*target, "--target-action=promote", "--archive-mode=off", "restore")
        progress(f"restored in {time.monotonic() - begun:.0f} s")
        restored = Restored(folder)
        try:
            begun = time.monotonic()
            restored.start()
            last = restored.last_commit()
            until = f", until {last:%Y-%m-%d %H:%M:%S} UTC" if last else ""
            progress(f"recovered from the archive in {time.monotonic() - begun:.0f} s{until}")
            play(restored.url)
        finally:
            restored.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cluster", required=True, metavar="SYSTEM_ID", help="docs/backups.md")
    parser.add_argument("--moment", help="such as 2026-11-24 09:59:59+05:30; all that is archived")
    parser.add_argument("--config", type=Path, default=Path("/etc/pgbackrest.conf"), metavar="FILE")
    parser.add_argument("--max-age", type=float, default=26, metavar="HOURS", help="26")
    parser.add_argument(
        "--smallest", type=float, default=0.8, metavar="SHARE", help="of the backup before; 0.8"
    )
    arguments = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):  # otherwise students' data would be left
        signal.signal(number, lambda *_: sys.exit(1))
    begun = time.monotonic()
    try:
        drill(arguments)
    except Exception as error:  # any error means that nothing was verified
        print(f"FAIL {type(error).__name__}: {' '.join(str(error).split())}", flush=True)
        return 1
    progress(f"all of it, in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
