"""A database of a drill: completed attempts, and what is in it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

import psycopg

from deploy.drills.shipped import ROOT

BATCH = 10_000
SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "small-bank.json"
COURSES = ROOT / "assessments" / "demo" / "courses.csv"


class Database:
    """A database that a drill asks; `url` is set by the subclass."""

    url: str

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql)

    def value(self, sql: str) -> object:
        with psycopg.connect(self.url) as connection:
            row = connection.execute(sql).fetchone()
        assert row is not None
        return row[0]

    @property
    def system_id(self) -> str:
        return str(self.value("SELECT system_identifier FROM pg_control_system()"))

    @property
    def timeline(self) -> int:
        """The number that docs/backups.md has the operator note before a restore."""
        return int(str(self.value("SELECT timeline_id FROM pg_control_checkpoint()")))


def fill(url: str, attempts: int) -> Callable[[int], None]:
    """Fill an empty database; return a function that adds more attempts."""
    os.environ |= {
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
    }
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from partners.models import Project
    from tests.support import prepare

    call_command("migrate", verbosity=0)
    silent = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    call_command("load_items", str(SMALL_BANK), **silent)
    call_command("onboard_partner", "Backups", project="Drill", courses=COURSES, **silent)
    attempt = prepare.completed(Project.objects.get())

    def add(count: int) -> None:
        for first in range(0, count, BATCH):
            prepare.copies(attempt, min(BATCH, count - first))
        connection.close()

    add(attempts - 1)
    return add


def contents(url: str) -> dict[str, tuple[int, int]]:
    """Return the number of rows of each table, and a sum over what is in them."""
    with psycopg.connect(url) as connection:
        names = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        ).fetchall()
        return {
            name: connection.execute(
                f'SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) FROM "{name}" t'
            ).fetchone()
            or (0, 0)
            for (name,) in names
        }
