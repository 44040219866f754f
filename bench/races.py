"""Race students, partners and staff against each other on a real gunicorn, and count the winners.

    python bench/races.py [--tenth] [--only NAME] [--sqlite]

In full it takes about a quarter of an hour on two cores. Beside each figure stands what it must be:

starts      1,000 links are started by 16 browsers at once (8 on SQLite): one attempt each.
twice       1,000 links are started twice at once by one browser: each time it looks like once.
statements  1,000 pages are answered by 16 hands at once: one row each, the last write wins.
puzzles     1,000 puzzles are answered by 16 hands at once: the first stored choice stands.
finishes    1,000 attempts are finished twice at once: each time it looks like once.
ends        10,000 attempts are finished and left at once: each comes to one end, and stays there.
tokens      200 tokens end (revoked, rotated, expired) while 16 backends call with them: none that
            began to call after that is let in.
rotations   200 tokens are rotated by two of staff at once: one wins, the other is told.
limit       Of 6,000 calls in one minute over 8 workers, 300 are let in; and again where the 8
            workers belong to two gunicorns, as on two machines, with one Redis.

After each the invariants of all rows are checked. Everything runs on a PostgreSQL and a Redis of
the program's own; the service of the first eight has 4 workers of 4 threads. With --sqlite the
races of the students run on SQLite, 1,000 of each at most. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench.races_answers import puzzle_races, statement_races
from bench.races_ends import end_races, finish_races
from bench.races_ground import run_in
from bench.races_limits import limit_races
from bench.races_starts import double_races, start_races
from bench.races_tokens import rotation_races, token_races
from tests.support.figures import Figure, exactly
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.support.server import Service

WORKERS = 4  # of four threads each: sixteen requests run at once
RACES, ENDS, TOKENS, ROTATIONS, LIMIT = 1000, 10_000, 50, 200, 300

Part = Callable[["Service", int], list[Figure]]
OF_STUDENTS: dict[str, tuple[Part, int]] = {
    "starts": (start_races, RACES),
    "twice": (double_races, RACES),
    "statements": (statement_races, RACES),
    "puzzles": (puzzle_races, RACES),
    "finishes": (finish_races, RACES),
    "ends": (end_races, ENDS),
}
OF_TOKENS: dict[str, tuple[Part, int]] = {
    "tokens": (token_races, TOKENS),
    "rotations": (rotation_races, ROTATIONS),
}
NAMES = [*OF_STUDENTS, *OF_TOKENS, "limit"]


def run(part: Callable[[], list[Figure]], service: Service) -> bool:
    """Run a part, print its figures, and return whether all targets are met."""
    begun = time.monotonic()
    figures = part()
    seconds = time.monotonic() - begun
    figures.append(sound(service))
    for figure in figures:
        print(figure)
    print(f"     {seconds:.0f} s\n", flush=True)
    return all(figure.met for figure in figures)


def sound(service: Service) -> Figure:
    """Return the figure of the invariants; what breaks one is told beside it."""
    found = run_in(service, "invariants.violations()")
    for violation in found[:20]:
        print(violation)
    return exactly("invariants I-1 to I-7: violations", len(found), 0)


def limits(stack: Stack, limit: int) -> bool:
    """Count over eight workers, of one gunicorn and then of two that share what machines share."""
    one = stack.service(WEB_CONCURRENCY="8")
    one.start()
    print(f"{limit} calls a minute, 8 workers of one gunicorn")
    met = run(lambda: limit_races([one], limit), one)
    one.stop()
    first = stack.service(WEB_CONCURRENCY="4")
    second = stack.service(WEB_CONCURRENCY="4", DATABASE_URL=first.environment["DATABASE_URL"])
    first.start()
    second.start()
    print(f"{limit} calls a minute, 4 workers each of two gunicorns, one Redis")
    return run(lambda: limit_races([first, second], limit), first) and met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tenth", action="store_true", help="a tenth of the races")
    parser.add_argument("--only", choices=NAMES, help="one of the races")
    parser.add_argument("--sqlite", action="store_true", help="the students' races, on SQLite")
    arguments = parser.parse_args()
    parts = OF_STUDENTS if arguments.sqlite else OF_STUDENTS | OF_TOKENS
    names = [arguments.only] if arguments.only else NAMES
    database = "sqlite" if arguments.sqlite else "postgresql"
    most = RACES if arguments.sqlite else ENDS
    share = 10 if arguments.tenth else 1
    met = []
    with Stack() as stack:
        print(f"{WORKERS} workers, {database}, {os.cpu_count()} cores\n")
        if set(names) & set(parts):
            service = stack.service(database, WEB_CONCURRENCY=str(WORKERS))
            service.start()
            for name, (part, count) in parts.items():
                if name in names:
                    races = min(count, most) // share
                    print(f"{name}: {races}")
                    met.append(run(partial(part, service, races), service))
            service.stop()
        if "limit" in names and not arguments.sqlite:
            met.append(limits(stack, LIMIT // share))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
