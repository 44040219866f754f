"""Migrate a large table under load; no request may wait for long.

    python -m deploy.drills.migrate [--rows 50000] [--attempts 50000]

Callers use the service, with two workers of four threads, without a pause: half of them ask for
links, which writes to the migrated table, the others for results. At the same time, the program
expands and contracts the table of links in steps (migrate_steps.py), with the options of the
Procfile's release line. Then a step meets a transaction that holds the table: it must give up, and
no call may wait for long behind it. Then come the migrations that give attempts
their project, as they ship. Last, without a target, come steps that the rules prevent: longer lock
timeouts, and an index and a constraint as `makemigrations` writes them.

Takes about two minutes; docs/reliability.md gives the figures of 1,000,000 rows. Exit status 1 if a
target is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING

import psycopg

from deploy.drills.shipped import ROOT
from tests.support.callers import Callers
from tests.support.clients import Partner
from tests.support.figures import Figure, at_most, exactly, exit_status, reported
from tests.support.programs import manage
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.support.server import Service

CALLERS = 8
LONGEST = 1.0  # seconds that a request may wait
BEFORE, AFTER = 1.0, 0.5  # seconds of load around a step
HELD = 5.0  # seconds for which the other transaction holds the table
LINKS_OF_A_STUDENT = 10
AT_ONCE = 100_000  # rows of a statement

STUDENTS = """
INSERT INTO assessments_student (project_id, email_key, email, name, mobile, created_at)
SELECT p.id, 'row-' || n || '@example.com', 'row-' || n || '@example.com', 'Row ' || n,
  '+9198' || lpad(n::text, 8, '0'), now() - interval '1 day'
FROM generate_series({first}, {last}) n, partners_project p
"""
LINKS = """
INSERT INTO assessments_assessmentlink
  (student_id, token_digest, name, mobile, issued_at, expires_at)
SELECT s.id, md5(s.id || ' ' || k) || md5(k || ' ' || s.id), s.name, '9876543210', s.created_at,
  s.created_at + interval '72 hours'
FROM assessments_student s, generate_series(1, {each}) k
WHERE s.email_key LIKE 'row-%' AND s.id % {parts} = {part}
"""
ATTEMPTS = """
INSERT INTO assessments_assessment (assessment_id, student_id, project_id, bank_id, language,
  browser_digest, consent_version, consented_at, started_at, finish_by_at)
SELECT 'asm_' || left(md5(s.id || ' ' || k), 16), s.id, s.project_id, b.id, 'en',
  md5(s.id || ' ' || k) || md5(k || ' ' || s.id), '1', s.created_at, s.created_at,
  s.created_at + interval '24 hours'
FROM assessments_student s, generate_series(1, {each}) k, assessments_itembank b
WHERE s.email_key LIKE 'row-%' AND s.id % {parts} = {part}
"""
# The last migration before those that give attempts their project, and the last of these.
BEFORE_PROJECTS, WITH_PROJECTS = "0038", "0047"
WAITING = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"


class Load:
    """The callers of one project, whose calls run during each step."""

    def __init__(self, service: Service) -> None:
        self._port = service.port
        self._partner = Partner.onboarded(service.manage)

    def during(self, step: Callable[[], object]) -> tuple[float, int]:
        """Return the seconds of the longest call during a step, and the number of failed calls."""
        partner = self._partner
        with Callers(self._port, partner.project_id, CALLERS, partner.credential) as callers:
            callers.wait_until_all_came_in()
            time.sleep(BEFORE)
            began = time.monotonic()
            step()
            time.sleep(AFTER)
            calls = callers.stop()
        met = [call for call in calls if call.ended >= began]
        longest = max(call.ended - call.began for call in met)
        return longest, sum(call.status != 200 for call in met)

    def bounded(self, name: str, step: Callable[[], object]) -> Iterator[Figure]:
        """Yield a step's figures with their targets."""
        longest, failed = self.during(step)
        yield at_most(f"{name}: longest call, s", longest, LONGEST)
        yield exactly(f"{name}: calls that failed", failed, 0)

    def compared(self, name: str, step: Callable[[], object]) -> Iterator[Figure]:
        """Yield a step's figures for comparison."""
        longest, failed = self.during(step)
        yield reported(f"{name}: longest call, s", longest)
        yield reported(f"{name}: calls that failed", failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=50_000, help="of the migrated table")
    parser.add_argument("--attempts", type=int, default=50_000, help="that get their project")
    plan = parser.parse_args()
    options = release_options()
    with Stack() as stack:
        service = stack.service()
        service.start()
        load = Load(service)
        fill(service, max(plan.rows, plan.attempts))
        fill_attempts(service, plan.attempts)
        print(
            f"{plan.rows:,} links, {plan.attempts:,} attempts, {CALLERS} callers, "
            f"release line with {options}",
            flush=True,
        )
        return exit_status(measure(service, load, options))


def measure(service: Service, load: Load, options: str) -> Iterator[Figure]:
    """Apply all steps to the table; yield the figures of each."""
    yield from load.compared("no migration", lambda: time.sleep(2))
    for name in ("column", "index", "constraint", "validate", "contract"):
        yield from load.bounded(name, partial(apply, service, name, options))

    got_through = []
    yield from load.bounded(
        "a held table", lambda: got_through.append(is_applied_while_held(service, options))
    )
    yield exactly("a held table: the step got through", sum(got_through), 0)
    yield from load.bounded("column, once more", partial(apply, service, "column", options))
    apply(service, "contract", options, plain=True)

    migrate(service, BEFORE_PROJECTS, options)
    yield from load.bounded(
        "the projects of attempts", partial(migrate, service, WITH_PROJECTS, options)
    )
    [left] = service.rows("SELECT count(*) FROM assessments_assessment WHERE project_id IS NULL")
    yield exactly("attempts without a project", left["count"], 0)
    service.manage("migrate")

    for timeout in ("2s", "0"):
        others = f"-c lock_timeout={timeout}"
        yield from load.compared(
            f"held {HELD:g} s, lock_timeout={timeout}",
            partial(is_applied_while_held, service, others),
        )
    for name in ("index", "constraint"):
        yield from load.compared(
            f"{name} as makemigrations writes it",
            partial(apply, service, name, options, plain=True),
        )


def is_applied_while_held(service: Service, options: str) -> bool:
    """Add the column while another transaction reads the table; return whether it succeeded."""
    with held(service):
        try:
            apply(service, "column", options)
        except AssertionError as refused:
            if "lock timeout" not in str(refused):
                raise
            return False
    return True


@contextmanager
def held(service: Service) -> Iterator[None]:
    """Keep a transaction open that has read the table of links.

    It ends HELD seconds after another process begins to wait for the table, or with the block.
    """
    is_over = Event()

    def hold() -> None:
        url = service.environment["DATABASE_URL"]
        with psycopg.connect(url) as holding, psycopg.connect(url, autocommit=True) as looking:
            holding.execute("SELECT 1 FROM assessments_assessmentlink LIMIT 1")
            has_it.set()
            while not looking.execute(WAITING).fetchone() and not is_over.wait(0.05):
                pass
            is_over.wait(HELD)

    has_it = Event()
    holder = Thread(target=hold)
    holder.start()
    has_it.wait()
    try:
        yield
    finally:
        is_over.set()
        holder.join()


def apply(service: Service, step: str, options: str, *, plain: bool = False) -> None:
    """Apply a step in another process, as the release line does."""
    code = f"from deploy.drills.migrate_steps import apply; apply({step!r}, plain={plain})"
    service.environment["PGOPTIONS"] = options
    service.manage("shell", "--no-imports", "-v", "0", "-c", code)


def migrate(service: Service, name: str, options: str) -> None:
    """Migrate the attempts' app to a migration, in another process."""
    environment = {**service.environment, "PGOPTIONS": options}
    manage(environment, "migrate", "assessments", name, seconds=1800)


def fill(service: Service, rows: int) -> None:
    """Create `rows` links, ten for each student."""
    for first in range(1, rows // LINKS_OF_A_STUDENT + 1, AT_ONCE):
        last = min(first + AT_ONCE - 1, rows // LINKS_OF_A_STUDENT)
        service.rows(STUDENTS.format(first=first, last=last))
    parts = max(1, rows // AT_ONCE)
    for part in range(parts):
        service.rows(LINKS.format(each=LINKS_OF_A_STUDENT, parts=parts, part=part))
    service.rows("VACUUM ANALYZE assessments_student, assessments_assessmentlink")


def fill_attempts(service: Service, attempts: int) -> None:
    """Create `attempts` open attempts, ten for each student."""
    parts = max(1, attempts // AT_ONCE)
    for part in range(parts):
        service.rows(ATTEMPTS.format(each=LINKS_OF_A_STUDENT, parts=parts, part=part))
    service.rows("VACUUM ANALYZE assessments_assessment")


def release_options() -> str:
    """Return the PGOPTIONS of the Procfile's release line."""
    found = re.search(r'^release: PGOPTIONS="([^"]+)"', (ROOT / "Procfile").read_text(), re.M)
    assert found
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
