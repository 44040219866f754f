"""The parts of a drill: what the command line says, and the figures that they yield.

A drill is a table of parts. A part breaks something while deploy.drills.visits puts the service
under load, and yields figures, each beside its target. `lost_writes` compares what was acknowledged
with the database at the end. Exit status 1 if a target is missed, 2 if something is not installed.
"""

import argparse
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable

from deploy.drills.deployed import PATH, Deployed
from deploy.drills.machines import isolate
from lab.figures import Figure, exactly, exit_status
from tests.support.clients import Partner
from tests.support.ledger import lost

REQUESTS, FULL = 1_000, 10_000
_VIOLATIONS = (
    "import json; from tests.support import invariants; print(json.dumps(invariants.violations()))"
)
_SHOWN = 10  # lost writes and violations printed; the figures count them all


def parsed(what, parts=()):
    """Return the options of a drill, and make SIGTERM end it like an error."""
    parser = argparse.ArgumentParser(description=what.partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="longer, for figures to publish")
    if parts:
        parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), metavar="PART")
    # Otherwise the programs that it started would outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return parser.parse_args()


def require(*programs):
    """Exit with status 2 unless this is root and all programs are installed."""
    missing = [name for name in programs if not shutil.which(name, path=PATH)]
    if missing or os.geteuid():
        print("needs root, and:", *missing, file=sys.stderr)
        sys.exit(2)


def play(parts, names, *arguments):
    """Run the parts of these names, and yield their figures."""
    for name in names:
        print(f"\n{name}", flush=True)
        yield from parts[name](*arguments)


def lost_writes(ledger, rows):
    """Count the acknowledged writes that the database does not have; none may be missing."""
    gone = lost(ledger, rows)
    print(*(f"     {done}\n" for done in gone[:_SHOWN]), end="")
    return exactly(f"of {len(ledger.acknowledged)} acknowledged writes lost", len(gone), 0)


def violations(manage):
    """Count the rows that break an invariant of tests/support/invariants.py."""
    found = json.loads(manage("shell", "--no-imports", "-c", _VIOLATIONS))
    print(*(f"     {each}\n" for each in found[:_SHOWN]), end="")
    return exactly("invariants I-1, I-3 to I-7 broken", len(found), 0)


# A part takes the deployment, a partner, and the number of requests to send.
Part = Callable[[Deployed, Partner, int], Iterable[Figure]]


def main(module, what, parts, *programs):
    """Run the parts that the command line names; print their figures, return the exit status.

    `programs` are needed beside those of a cluster.
    """
    arguments = parsed(what, parts)
    cluster = ("postgres", "patroni", "etcd", "haproxy", "nginx", "pgbouncer")
    require(*cluster, "redis-server", "nft", *programs)
    deployed = Deployed(isolate(module))
    partner = Partner.onboarded(deployed.manage)
    requests = FULL if arguments.full else REQUESTS
    return exit_status(play(parts, arguments.only, deployed, partner, requests))
