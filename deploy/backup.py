#!/usr/bin/env python3
"""Back up the database: a dump, and a manifest with its checksum and the rows of each table.

    .venv/bin/python deploy/backup.py FOLDER [--keep N]

DATABASE_URL names the database, as for every command; its role must own the tables. Dump and counts
come from one snapshot, so they agree while the service keeps writing. pg_dump must be at least as
new as the server. The manifest, FOLDER/assess-<time>.json, is written last: a dump without one
is not a backup. The N newest backups are kept. Exits with status 0 only if all of this succeeded.
deploy/drills/restore.py tests whether a backup can be restored.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dj_database_url
import psycopg
from psycopg import sql

# Parts of a URL in libpq's terms, and their environment variables. Those keep the password out of
# the process list.
VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}


def parts(url: str) -> dict[str, str]:
    """Return the parts of a URL in libpq's terms, parsed as the service parses it.

    libpq itself would apply the port of `one,two:5433` to the second host only.
    """
    read: Mapping[str, Any] = dj_database_url.parse(url)
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    found = {name: read[key] for name, key in {**names, "dbname": "NAME"}.items()}
    found |= read.get("OPTIONS", {})
    return {name: str(value) for name, value in found.items() if value}


def environment(url: str) -> dict[str, str]:
    """Return the environment for PostgreSQL's programs to find the database."""
    given = {VARIABLES[name]: value for name, value in parts(url).items() if name in VARIABLES}
    return os.environ | given


def connect(url: str, *, autocommit: bool = False) -> psycopg.Connection[Any]:
    return psycopg.connect("", autocommit=autocommit, **parts(url))  # type: ignore[arg-type]  # text alone


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Return the number of rows of each table."""
    tables = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    ).fetchall()
    counted = {}
    for (table,) in tables:
        query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
        [row] = connection.execute(query).fetchall()
        counted[table] = int(row[0])
    return counted


def checksum(file: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def back_up(url: str, folder: Path) -> Path:
    """Make a backup and return its manifest. Raise an error if any step fails."""
    taken_at = datetime.now(UTC)
    name = f"assess-{taken_at:%Y%m%dT%H%M%SZ}"
    dump, manifest = folder / f"{name}.dump", folder / f"{name}.json"
    with connect(url) as connection:
        # The snapshot must last as long as the dump.
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        connection.commit()
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        [(snapshot,)] = connection.execute("SELECT pg_export_snapshot()").fetchall()
        command = ["pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={dump}"]
        subprocess.run([*command, "--no-password"], env=environment(url), check=True)
        rows = count_rows(connection)
    _flush(dump)
    told = {
        "dump": dump.name,
        "sha256": checksum(dump),
        "bytes": dump.stat().st_size,
        "taken_at": taken_at.isoformat(timespec="seconds"),
        "rows": rows,
    }
    unfinished = manifest.with_suffix(".part")
    unfinished.write_text(json.dumps(told, indent=2) + "\n")
    _flush(unfinished)
    unfinished.rename(manifest)
    _flush(folder)
    return manifest


def _flush(path: Path) -> None:
    """Wait until the file, or the folder's list of files, has been written to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def forget_old(folder: Path, keep: int) -> None:
    """Delete all but the newest backups, and the remains of failed runs."""
    manifests = sorted(folder.glob("assess-*.json"))
    kept = {manifest.stem for manifest in manifests[-keep:]}
    for file in folder.glob("assess-*.*"):
        if file.stem not in kept:
            file.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=int, default=14, help="how many backups to keep (14)")
    arguments = parser.parse_args()
    os.umask(0o077)
    if arguments.keep < 1:
        parser.error("--keep must be 1 or more.")
    try:
        manifest = back_up(os.environ["DATABASE_URL"], arguments.folder)
        forget_old(arguments.folder, arguments.keep)
    except KeyError:
        print("DATABASE_URL is not set.", file=sys.stderr)
        return 1
    except (OSError, psycopg.Error, subprocess.CalledProcessError) as error:
        print(f"No backup was made: {error}", file=sys.stderr)
        return 1
    print(manifest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
