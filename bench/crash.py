"""Kill workers, server, PostgreSQL and Redis under load: nothing that was acknowledged may be lost.

    python bench/crash.py [--quick] [--only PART]

Partners' programs and students, on twelve connections, keep a log of every write that was
acknowledged to them, while
- workers: one of gunicorn's workers is killed each second, for a minute;
- server: the whole server is killed every few seconds, and started again;
- postgresql: PostgreSQL is crashed ten times and recovers;
- connections: PostgreSQL has no connection left;
- redis: Redis is stopped, hangs, or answers slowly;
- disk: PostgreSQL's disk is full (as root: a small disk is mounted for it).
Beside them a member of staff issues, rotates and revokes tokens, and is killed every few seconds.
After each the log is held against the database, and the invariants (tests/support/invariants.py)
are checked. Some four minutes; --quick one. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench import crash_parts
from bench.crash_parts import Crash, Plan
from bench.reckoning import scores
from deploy.drills import full_disk
from tests.support.figures import Figure
from tests.support.stack import Stack

# Few connections, so that they are soon used up; two workers of four threads need eight.
SETTINGS = "max_connections = 40"
QUICK = Plan(worker_seconds=5, server_kills=2, postgresql_crashes=2, redis_seconds=3)
Part = Callable[[Crash], list[Figure]]
PARTS: tuple[Part, ...] = (
    crash_parts.workers,
    crash_parts.server,
    crash_parts.postgresql,
    crash_parts.connections,
    crash_parts.redis,
)


def measure(parts: Sequence[Part], plan: Plan, logs: Path, settings: str) -> bool:
    """Run parts on a service of their own, print their figures; return whether all are met.

    The clients' logs go into the folder `logs`.
    """
    if not parts:
        return True
    met = []
    with Stack(settings) as stack:
        service = stack.service()
        service.start()
        run = Crash(stack, service, plan, logs)
        for part in parts:
            begun = time.monotonic()
            figures = part(run)
            print(part.__name__, *figures, sep="\n")
            print(f"     {time.monotonic() - begun:.0f} s\n", flush=True)
            met += [figure.met for figure in figures]
        last = scores(service)
        print(last, end="\n\n")
    return all(met) and last.met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="about a minute in all")
    names = [part.__name__ for part in (*PARTS, crash_parts.disk)]
    parser.add_argument("--only", choices=names, help="one part")
    arguments = parser.parse_args()
    # Else what was started here would outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen = {arguments.only} if arguments.only else set(names)
    plan = QUICK if arguments.quick else Plan()
    print(f"2 workers, PostgreSQL with fsync, 12 connections, {os.cpu_count()} cores\n")
    with tempfile.TemporaryDirectory(prefix="acknowledged-") as name:
        logs = Path(name)
        met = measure([part for part in PARTS if part.__name__ in chosen], plan, logs, SETTINGS)
        if "disk" in chosen and not full_disk.is_possible():
            print("disk: not run, as only root can mount a small disk")
        elif "disk" in chosen:
            with full_disk.small_disk():
                met &= measure([crash_parts.disk], plan, logs, full_disk.SETTINGS)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
