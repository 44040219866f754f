"""Restore the newest backup into an empty database and check that the service works on it.

    DRILL_SERVER_URL=postgres://... python -m deploy.drills.restore FOLDER [--max-age HOURS]

DRILL_SERVER_URL names a PostgreSQL server on which the role may create databases, preferably not
the production server. The other settings are those of the web process. The drill checks the dump's
checksum and age, restores it into a new database and compares the rows of each table with the
manifest. Then restore_flows.py uses the service on it: it signs in as staff, takes a link from the
partner's call to a stored answer, and scores a stored result again. The drill drops the database at
the end. Each step prints a line. The exit status is 0 only if every step succeeded.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from deploy.backup import checksum, connect, count_rows, environment

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A step of the drill failed. The text says how."""


def progress(what: str) -> None:
    print(f"ok   {what}", flush=True)


def newest(folder: Path, max_age: timedelta) -> dict[str, Any]:
    """Return the newest backup's manifest. Raise Failed if there is none, or it is too old."""
    manifests = sorted(folder.glob("assess-*.json"))
    if not manifests:
        raise Failed(f"there is no backup in {folder}")
    manifest: dict[str, Any] = json.loads(manifests[-1].read_text())
    age = datetime.now(UTC) - datetime.fromisoformat(manifest["taken_at"])
    if age > max_age:
        raise Failed(f"the newest backup, {manifests[-1].name}, is {age} old")
    progress(f"{manifests[-1].name}, {age.total_seconds() / 3600:.1f} hours old")
    return manifest


def check_file(dump: Path, manifest: dict[str, Any]) -> None:
    if dump.stat().st_size != manifest["bytes"] or checksum(dump) != manifest["sha256"]:
        raise Failed(f"{dump.name} is not what was written: its checksum differs")
    progress(f"checksum of {manifest['bytes']:,} bytes")


def restore(dump: Path, url: str) -> None:
    """Restore a dump into an empty database."""
    begun = time.monotonic()
    options = ["--exit-on-error", "--no-owner", "--no-privileges", "--jobs=2", "--no-password"]
    found = environment(url)
    database = found["PGDATABASE"]
    done = subprocess.run(
        ["pg_restore", *options, f"--dbname={database}", str(dump)],
        env=found,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Failed(f"pg_restore: {done.stderr.strip()[-2000:]}")
    progress(f"restored in {time.monotonic() - begun:.0f} s")


def compare_rows(url: str, expected: dict[str, int]) -> None:
    with connect(url) as connection:
        found = count_rows(connection)
    if found != expected:
        wrong = [name for name in {*found, *expected} if found.get(name) != expected.get(name)]
        raise Failed(f"other numbers of rows than at the backup: {', '.join(sorted(wrong))}")
    progress(f"{sum(found.values()):,} rows in {len(found)} tables")


def play(url: str) -> None:
    """Use the service on the restored database, in another process."""
    # Without Redis, so that the drill uses up no real limit.
    own = {"DATABASE_URL": url, "DATABASE_POOLED": "false", "REDIS_URL": "", "WEB_CONCURRENCY": "1"}
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


def drill(folder: Path, server_url: str, max_age: timedelta) -> None:
    """Run all steps. Raise Failed, or another error, if one fails."""
    manifest = newest(folder, max_age)
    dump = folder / manifest["dump"]
    check_file(dump, manifest)
    name = f"restore_drill_{secrets.token_hex(6)}"
    url = urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    with connect(server_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        restore(dump, url)
        compare_rows(url, manifest["rows"])
        play(url)
    finally:
        with connect(server_url, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--max-age", type=float, default=26, metavar="HOURS", help="26")
    arguments = parser.parse_args()
    begun = time.monotonic()
    try:
        server_url = os.environ["DRILL_SERVER_URL"]
        drill(arguments.folder, server_url, timedelta(hours=arguments.max_age))
    except Exception as error:  # any error means that nothing was verified
        print(f"FAIL {type(error).__name__}: {' '.join(str(error).split())}", flush=True)
        return 1
    progress(f"all of it, in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
