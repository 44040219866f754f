"""Migrate a large table under load; no request may wait long.

    python -m deploy.drills.migrate [--rows 50000] [--callers 8]

The service, with two workers of four threads, is called without a pause: half of the callers ask
for links, which writes to the migrated table, half for results. Meanwhile the table of links goes
through an expand and a contract in steps (migrate_steps.py), with the options of the Procfile's
release line. Then a step meets a transaction that holds the table: it must give up, and nobody may
have waited long behind it. Last, without a target, what the rules prevent: longer lock timeouts,
and an index and a constraint as `makemigrations` writes them.

About two minutes; docs/reliability.md gives the figures of 1,000,000 rows. Exit status 1 if a
target is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import psycopg

from deploy.drills.shipped import ROOT
from tests.support.callers import Callers
from tests.support.clients import Partner
from tests.support.figures import Figure, at_most, exactly, reported
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.support.server import Service

LONGEST = 1.0  # seconds that a request may wait
BEFORE, AFTER = 1.0, 0.5  # seconds of load around a step
HELD = 5.0  # seconds for which the other transaction has the table
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
WAITING = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"


class Load:
    """The callers of one project, and what they met during a step."""

    def __init__(self, service: Service, callers: int) -> None:
        self._port, self._count = service.port, callers
        self._partner = Partner.onboarded(service.manage)

    def during(self, step: Callable[[], None]) -> tuple[float, int]:
        """Return the seconds of the longest call around a step, and how many calls failed."""
        partner = self._partner
        with Callers(self._port, partner.project_id, self._count, partner.credential) as callers:
            callers.wait_until_all_came_in()
            time.sleep(BEFORE)
            began = time.monotonic()
            step()
            time.sleep(AFTER)
            calls = callers.stop()
        met = [call for call in calls if call.ended >= began]
        longest = max(call.ended - call.began for call in met)
        return longest, sum(call.status != 200 for call in met)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=50_000, help="of the migrated table")
    parser.add_argument("--callers", type=int, default=8)
    given = parser.parse_args()
    options = release_options()
    with Stack() as stack:
        service = stack.service()
        service.start()
        load = Load(service, given.callers)
        fill(service, given.rows)
        print(
            f"{given.rows:,} links, {given.callers} callers, release line with {options}",
            flush=True,
        )
        figures = [*steps(service, load, options), *in_the_way(service, load, options)]
        print("\nFor comparison, what the rules keep away:", flush=True)
        compare(service, load, options)
    return 0 if all(figure.met for figure in figures) else 1


def steps(service: Service, load: Load, options: str) -> Iterator[Figure]:
    """Take the table through all steps; give the figures of each."""
    longest, _ = load.during(lambda: time.sleep(2))
    yield shown(reported("longest call without a migration, s", longest))
    for name in ("column", "index", "constraint", "validate", "contract"):
        longest, failed = load.during(lambda name=name: apply(service, name, options))
        yield shown(at_most(f"longest call during: {name}, s", longest, LONGEST))
        yield shown(exactly(f"calls that failed during: {name}", failed, 0))


def in_the_way(service: Service, load: Load, options: str) -> Iterator[Figure]:
    """Meet a transaction that holds the table; the step gives up, and succeeds after it."""
    gave_up = False

    def step() -> None:
        nonlocal gave_up
        gave_up = not is_applied_while_held(service, options)

    longest, failed = load.during(step)
    yield shown(exactly("step that gave up on a held table", gave_up, True))
    yield shown(at_most("longest call behind it, s", longest, LONGEST))
    yield shown(exactly("calls that failed behind it", failed, 0))
    longest, failed = load.during(lambda: apply(service, "column", options))
    yield shown(at_most("longest call during the same step once more, s", longest, LONGEST))
    yield shown(exactly("calls that failed during it", failed, 0))
    apply(service, "contract", options, plain=True)


def compare(service: Service, load: Load, options: str) -> None:
    for timeout in ("2s", "0"):
        others = f"-c lock_timeout={timeout}"
        longest, failed = load.during(lambda o=others: is_applied_while_held(service, o))
        shown(reported(f"longest call, table held {HELD:g} s, lock_timeout={timeout}, s", longest))
        shown(reported("  calls that failed", failed))
    for name in ("index", "constraint"):
        longest, failed = load.during(lambda n=name: apply(service, n, options, plain=True))
        shown(reported(f"longest call during: {name} as makemigrations has it, s", longest))
        shown(reported("  calls that failed", failed))


def is_applied_while_held(service: Service, options: str) -> bool:
    """Add the column while another transaction reads the table; return whether it got through."""
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
    """Keep a transaction open that has read the links' table.

    It ends HELD seconds after somebody has begun to wait for the whole table, or with the block.
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
    """Apply a step in a process of its own, as the release line does."""
    code = f"from deploy.drills.migrate_steps import apply; apply({step!r}, plain={plain})"
    service.environment["PGOPTIONS"] = options
    service.manage("shell", "--no-imports", "-v", "0", "-c", code)


def fill(service: Service, rows: int) -> None:
    """Make so many links, ten a student."""
    for first in range(1, rows // LINKS_OF_A_STUDENT + 1, AT_ONCE):
        last = min(first + AT_ONCE - 1, rows // LINKS_OF_A_STUDENT)
        service.rows(STUDENTS.format(first=first, last=last))
    parts = max(1, rows // AT_ONCE)
    for part in range(parts):
        service.rows(LINKS.format(each=LINKS_OF_A_STUDENT, parts=parts, part=part))
    service.rows("VACUUM ANALYZE assessments_student, assessments_assessmentlink")


def release_options() -> str:
    """Return the PGOPTIONS of the Procfile's release line."""
    found = re.search(r'^release: PGOPTIONS="([^"]+)"', (ROOT / "Procfile").read_text(), re.M)
    assert found
    return found[1]


def shown(figure: Figure) -> Figure:
    print(figure, flush=True)
    return figure


if __name__ == "__main__":
    sys.exit(main())
