"""Test the restore drill: it must pass on a sound backup and fail on each spoiled one.

    python -m deploy.drills.backups [--attempts 2000]

The program fills a new PostgreSQL with completed attempts. deploy/backup.py backs it up, and
deploy/drills/restore.py restores it; each must take less than ten minutes. Then the program spoils
the backup in several ways, and the drill must fail each time. Takes about two minutes;
docs/reliability.md gives the figures of 100,000 attempts. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.drills.shipped import DEPLOY, ROOT, environment
from tests.support.cluster import Cluster
from tests.support.figures import Figure, at_most, exactly, exit_status, reported
from tests.support.programs import manage

ATTEMPTS, BATCH = 2_000, 10_000
SECONDS = 600
SMALL_BANK = ROOT / "tests" / "assessments" / "data" / "bank-2026.1.json"
COURSES = ROOT / "assessments" / "demo" / "courses.csv"


def fill(url: str, attempts: int) -> int:
    """Fill an empty database; return the number of answers."""
    os.environ |= {
        "MODE": "test",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
    }
    import django

    django.setup()
    from django.core.management import call_command

    from partners.models import Project
    from tests.support import prepare

    call_command("migrate", verbosity=0)
    silent = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    call_command("load_items", str(SMALL_BANK), **silent)
    call_command("onboard_partner", "Backups", project="Drill", courses=COURSES, **silent)
    attempt = prepare.completed(Project.objects.get())
    for first in range(1, attempts, BATCH):
        prepare.copies(attempt, min(BATCH, attempts - first))
    return attempts * attempt.answers.count()


class Backups:
    """The scripts of deploy/, run on a cluster's database with backups in a folder."""

    def __init__(self, cluster: Cluster, url: str, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        secret = "a secret key of the drill, which is as long as such a key has to be, and longer"
        self.environment = {
            **environment("assess.env", {}),
            "PATH": cluster.path,
            "HOME": str(folder),
            "SECRET_KEY": secret,
            "DATABASE_URL": url,
            "DATABASE_POOLED": "false",
            "DRILL_SERVER_URL": cluster.url,
            "STATIC_ROOT": str(folder.parent / "static"),
            "METRICS_TOKEN": "",  # the file has a line there that says how to make one
            # The shipped address has a placeholder, which settings refuse.
            "REDIS_URL": "",
            "WEB_CONCURRENCY": "1",
        }
        manage(self.environment, "collectstatic", "--noinput")

    def run(self, command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command],
            env=self.environment | more,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

    def back_up(self) -> float:
        """Make a backup and return the seconds it took. Raise an error if it failed."""
        begun = time.monotonic()
        done = self.run([str(DEPLOY / "backup.py"), str(self.folder), "--keep", "1"])
        if done.returncode:
            raise AssertionError(done.stderr)
        return time.monotonic() - begun

    def drill(self, **more: str) -> tuple[int, str, float]:
        """Return the drill's exit status, output and seconds."""
        begun = time.monotonic()
        done = self.run(["-m", "deploy.drills.restore", str(self.folder)], **more)
        return done.returncode, done.stdout + done.stderr, time.monotonic() - begun

    @property
    def manifest(self) -> Path:
        [found] = self.folder.glob("*.json")
        return found

    @property
    def dump(self) -> Path:
        return self.manifest.with_suffix(".dump")

    @contextmanager
    def changed(self, file: Path, change: Callable[[bytes], bytes]) -> Iterator[None]:
        kept = file.read_bytes()
        file.write_bytes(change(kept))
        try:
            yield
        finally:
            file.write_bytes(kept)


def with_member(name: str, value: object) -> Callable[[bytes], bytes]:
    return lambda text: json.dumps(json.loads(text) | {name: value}).encode()


def spoiled(backups: Backups, cluster: Cluster) -> Iterator[tuple[str, int]]:
    """Spoil the backup in each way; yield the way and the drill's exit status."""
    halfway = backups.dump.stat().st_size // 2
    changes: list[tuple[str, Path, Callable[[bytes], bytes]]] = [
        ("a changed byte", backups.dump, lambda b: b[:halfway] + b"\1\2" + b[halfway + 2 :]),
        ("a cut-off dump", backups.dump, lambda b: b[:halfway]),
        ("another number of rows", backups.manifest, with_member("rows", {"no_table": 1})),
        ("a backup of last year", backups.manifest, with_member("taken_at", "2020-01-01T00:00Z")),
    ]
    for what, file, change in changes:
        with backups.changed(file, change):
            yield what, backups.drill()[0]
    no_server = "postgres://postgres@127.0.0.1:1/postgres"
    yield "no server to restore on", backups.drill(DRILL_SERVER_URL=no_server)[0]
    cluster.execute(
        "DELETE FROM assessments_answer WHERE assessment_id ="
        " (SELECT max(id) FROM assessments_assessment WHERE completed_at IS NOT NULL)"
    )
    backups.back_up()
    yield "a result without its answers", backups.drill()[0]


def measure(attempts: int) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="drill-") as scratch:
        folder = Path(scratch)
        cluster = Cluster(folder / "postgresql")
        try:
            cluster.create()
            cluster.start()
            answers = fill(cluster.url, attempts)
            backups = Backups(cluster, cluster.url, folder / "backups")
            made_in = backups.back_up()
            status, said, took = backups.drill()
            print(*(f"     {line}" for line in said.splitlines()), sep="\n")
            size = backups.dump.stat().st_size
            # Each of them restores again: with fewer rows it would show the same.
            found = dict(spoiled(backups, cluster))
        finally:
            cluster.close()
    return [
        reported("attempts in the database", attempts),
        reported("answers in the database", answers),
        reported("size of the dump, MB", size / 1e6),
        at_most("seconds for the backup", made_in, SECONDS),
        exactly("exit status of the drill", status, 0),
        at_most("seconds for the drill", took, SECONDS),
        *(exactly(f"exit status of a drill with {what}", code, 1) for what, code in found.items()),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, default=ATTEMPTS)
    arguments = parser.parse_args()
    return exit_status(measure(arguments.attempts))


if __name__ == "__main__":
    sys.exit(main())
