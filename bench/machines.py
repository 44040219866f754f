"""Run the service as deploy/ has it, on two machines, and break what can break.

    python bench/machines.py [--quick] [--only PART …]

nginx, PgBouncer in transaction mode, PostgreSQL's roles and standby, the web process and the
scripts are those of deploy/, with the ports and folders of this run. Parts:
turns      a student's and a member of staff's requests, answered by two machines in turn
rolling    both machines restarted under load: none of 10,000 requests is lost; one killed; and what
           a restart loses that does not take the machine out of nginx first
stalled    500 connections that stop half-way: p95 of the others under 200 ms
smuggling  requests that two servers might cut in two places: never two answers for one
locked     a row that is locked for 8 s: who wants it is refused in time, nobody else notices
standby    the primary killed under load and its standby promoted, with and without waiting for the
           standby: what was acknowledged and lost is what that choice says; no link is used twice
jobs       what the other units start: release, purge, figures, backup; and the restore drill
`--quick` sends a tenth. Exit status 1 if a target is missed, 2 if a program is not installed.
About eight minutes on two idle cores, two with `--quick`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from bench import jobs
from bench.remote import Partner
from deploy.drills import machines as two_machines
from deploy.drills import rolling, smuggling, stalled, standby
from deploy.drills.deployed import Deployed
from deploy.drills.programs import NEEDED
from deploy.drills.shipped import missing_programs
from tests.support.figures import Figure

REQUESTS = 10_000
Run = Callable[[Deployed, Partner, int], list[Figure]]


def _rolling(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    return [
        *rolling.rolling_restart(deployed, partner, requests),
        *rolling.killed_machine(deployed, partner, requests // 10),
        *rolling.careless_restart(deployed, partner, requests // 10),
    ]


def _standby(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    return [
        *standby.fail_over(deployed, partner, is_synchronous=False),
        *standby.fail_over(deployed, partner, is_synchronous=True),
        *standby.switch_over(deployed, partner),
    ]


PARTS: dict[str, Run] = {
    "turns": lambda deployed, partner, _: two_machines.in_turn(deployed, partner),
    "rolling": _rolling,
    "stalled": lambda deployed, partner, requests: stalled.stalled(
        deployed, partner, requests // 5
    ),
    "smuggling": lambda deployed, _, __: smuggling.smuggling(deployed),
    "locked": lambda deployed, partner, _: two_machines.locked_row(deployed, partner),
    "standby": _standby,
    "jobs": lambda deployed, *_: jobs.jobs(deployed),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the requests")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    arguments = parser.parse_args()
    if missing := missing_programs(NEEDED):
        print(missing, file=sys.stderr)
        return 2
    requests = REQUESTS // 10 if arguments.quick else REQUESTS
    met = True
    with Deployed() as deployed:
        partner = Partner(deployed.onboard())
        for name in arguments.only:
            for figure in PARTS[name](deployed, partner, requests):
                print(figure, flush=True)
                met &= figure.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
