"""Hold the two operations against the least that they could cost.

    python bench/api.py [--quick | --ratio-only] [--attempts 1000000] [--rounds 5] [--seconds 4]

The service, as it is deployed, and the floor (bench/floor.py: a bare WSGI app that makes the same
checks, sends as many SQL statements in the same order, and counts the same in Redis) stand under
the same gunicorn with two workers of four threads. They share one PostgreSQL, durable as in
production, one Redis and the same tables, and are called in turns: 16 keep-alive connections, each
with one call at a time. CPU is user and system seconds of 1,000 calls: of the web server's
processes, of PostgreSQL's and of Redis. A ratio is the median of the rounds, each held against the
floor's run beside it. Links are asked for in turns for a known and for a new student; results for
known students, four in five with one completed attempt, which the partner has read before (the
first reading notes its time, by one more statement).

Then the slowest answers at 64 connections, the memory of a worker, the time to be ready, what a
call costs with so many attempts in the tables instead of 10,000, and what it writes to disk.

`--ratio-only` stops after the ratio; `--metrics` sets METRICS_TOKEN, so that the service counts
its calls; `--quick` takes short rounds and few rows. Beside other programs all figures are too
high, and the ratio with them. Exit status 1 if a target is missed, 2 if an answer was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench import api_parts
from bench.api_cost import Failed
from bench.api_parts import Plan
from tests.support.stack import Stack

FULL = Plan(rounds=5, seconds=4, connections=16, attempts=1_000_000, starts=3, metrics=False)
QUICK = Plan(rounds=1, seconds=1, connections=16, attempts=20_000, starts=1, metrics=False)


def plan() -> tuple[Plan, bool]:
    """Return what the command line asks for, and whether it is the ratio alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="short rounds, few rows")
    parser.add_argument("--ratio-only", action="store_true", help="nothing after the ratio")
    parser.add_argument("--metrics", action="store_true", help="with the service's metrics on")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="of a run; a round has two")
    parser.add_argument("--connections", type=int)
    parser.add_argument("--attempts", type=int, help="in the large tables")
    given = vars(parser.parse_args())
    ratio_only, base = given.pop("ratio_only"), QUICK if given.pop("quick") else FULL
    return Plan(**vars(base) | {k: v for k, v in given.items() if v is not None}), ratio_only


def measure(asked: Plan, ratio_only: bool) -> bool:
    """Run the parts, print their figures, and return whether all targets are met."""
    met = True
    with contextlib.ExitStack() as exits:
        ground = api_parts.Ground.prepare(exits, exits.enter_context(Stack()), asked)
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {asked}\n")
        for part in api_parts.RATIO_ONLY if ratio_only else api_parts.ALL:
            begun = time.monotonic()
            for figure in part(ground):
                print(figure, flush=True)
                met &= figure.met
            print(f"     {time.monotonic() - begun:.0f} s\n")
    return met


def main() -> int:
    try:
        return 0 if measure(*plan()) else 1
    except Failed as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
