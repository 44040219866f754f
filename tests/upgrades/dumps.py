"""Dumps of the databases of releases, as SQL, and how they are loaded.

An operator upgrades a database with its constraints, triggers and list of applied migrations, so a
dump is the text of `pg_dump` or of SQLite, not Django's `dumpdata`. PostgreSQL's has INSERTs, so
that loading needs no psql. NAME.json has what a test must know to go on, such as made-up secrets.

A dump ages, and an open attempt must stay open. So all times in both texts are moved on by as much
as has passed since the dump was made: tables with triggers need no UPDATE then. No time is stored
in another form, but in sessions, which end.
"""

import gzip
import json
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from tests.support.databases import SQLiteDatabase
from tests.support.programs import run

FOLDER = Path(__file__).parent
TIME = re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d")
# Statements of PostgreSQL's dump that only psql or a later version knows.
NOT_SQL = re.compile(r"^\\.*|^SET transaction_timeout.*", re.MULTILINE)


def write(name, database, facts):
    """Keep the dump of a database, and the facts with the time of now."""
    if isinstance(database, SQLiteDatabase):
        with closing(sqlite3.connect(database.url.removeprefix("sqlite:///"))) as connection:
            text = "\n".join(connection.iterdump())
    else:
        options = ("--no-owner", "--no-privileges", "--no-comments", "--rows-per-insert=500")
        done = run(["pg_dump", *options, database.url])
        assert done.returncode == 0, done.stderr
        text = NOT_SQL.sub("", done.stdout)
    facts = {"made_at": now().isoformat(" "), **facts}
    (FOLDER / f"{name}.sql.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (FOLDER / f"{name}.json").write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


def load(name, database):
    """Load a dump into an empty database; return its facts. All times are moved on."""
    facts = (FOLDER / f"{name}.json").read_text()
    age = now() - datetime.fromisoformat(json.loads(facts)["made_at"])
    text = moved(gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode(), age)
    if isinstance(database, SQLiteDatabase):
        with closing(sqlite3.connect(database.url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
    else:
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(text)
    return json.loads(moved(facts, age))


def now():
    return datetime.now(UTC).replace(microsecond=0)


def moved(text, by):
    """Return the text with its times moved by whole seconds. Their fractions and zones stay."""

    def move(found):
        at = datetime.fromisoformat(found[0]) + timedelta(seconds=by.total_seconds())
        return at.isoformat(found[0][10])

    return TIME.sub(move, text)
