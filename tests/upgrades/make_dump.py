"""Make the dumps of this release: `python -m tests.upgrades.make_dump`, once, before it is tagged.

It needs PostgreSQL 15, which TEST_DATABASE_URL names, and its pg_dump. It replaces dumps of the
same version. The bank is the tests' small one, in two languages, for size; its command loads it.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from config.env import VERSION
from tests.assessments.hindi import with_hindi
from tests.support.databases import PostgreSQLDatabase, SQLiteDatabase
from tests.support.programs import ROOT, manage
from tests.upgrades import dumps

SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "small-bank.json"
EMPTY = {"auth_user_user_permissions"}  # rights come from roles
HAPPEN = "from tests.upgrades.history import happen; happen()"


def make(kind, database, folder):
    environment = {"PATH": os.environ["PATH"], "MODE": "test", "DATABASE_URL": database.url}
    bank = folder / "bank.json"
    bilingual = with_hindi(json.loads(SMALL_BANK.read_bytes())) | {"languages": ["en", "hi"]}
    bank.write_text(json.dumps(bilingual))
    try:
        manage(environment, "migrate", "--noinput")
        manage(environment, "load_items", bank)
        facts = json.loads(manage(environment, "shell", "--no-imports", "-c", HAPPEN))
        empty = {each for each in database.tables() if not database.rows(f"SELECT 1 FROM {each}")}
        if empty - EMPTY:
            sys.exit(f"Nothing is in {', '.join(sorted(empty - EMPTY))}.")
        dumps.write(f"{VERSION}.{kind}", database, facts)
    finally:
        database.drop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make("sqlite", SQLiteDatabase(Path(folder)), Path(folder))
        make("postgresql", PostgreSQLDatabase(os.environ["TEST_DATABASE_URL"]), Path(folder))
