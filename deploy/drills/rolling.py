"""Restart and kill machines under load, and count lost requests.

    python -m deploy.drills.rolling [--full] [--only PART ...]

Two machines, nginx, PgBouncer and PostgreSQL run with the configuration and scripts of deploy/.

restart   deploy/restart-half restarts both machines: no request may be lost
killed    a machine is killed: only the requests that it was handling may be lost
careless  a machine is restarted without taking it out of nginx first, for comparison

Takes about a minute; --full sends 10,000 requests. Exit status 1 if a target is missed, 2 if a
program is not installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from deploy.drills.deployed import Deployed, Part, play
from deploy.drills.programs import Machine
from deploy.drills.shipped import DEPLOY
from tests.support.clients import Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.ledger import lost
from tests.support.programs import until
from tests.support.visits import Visits

HALVES = ("first", "second")
THREADS = 12


def rolling_restart(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Restart both halves with the shipped script while requests are sent."""
    ids = [machine.pid for machine in deployed.machines]
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 5)
        begun = time.monotonic()
        for half in HALVES:
            restart_half(deployed, half)
        seconds = time.monotonic() - begun
        visits.until(max(requests, len(visits.ledger.asked) + 100))
    restarted = sum(machine.pid not in ids for machine in deployed.machines)
    ledger = visits.ledger
    gone = lost(ledger, deployed.rows)
    return [
        exactly("rolling restart: machines restarted", restarted, 2),
        at_least("rolling restart: requests", len(ledger.asked), requests),
        exactly(f"rolling restart: requests lost {ledger.failures}", ledger.failed, 0),
        exactly("rolling restart: acknowledged and not stored", len(gone), 0),
        reported("rolling restart: seconds for both halves", seconds),
        reported("rolling restart: p99, ms", ledger.quantile(0.99)),
        reported("rolling restart: slowest, ms", ledger.quantile(1)),
    ]


def restart_half(deployed: Deployed, half: str) -> None:
    """Run deploy/restart-half with a command that makes this process restart the machine."""
    mine = deployed.machines[HALVES.index(half)]
    other = deployed.machines[1 - HALVES.index(half)]
    asked, done = deployed.folder / f"asked-{half}", deployed.folder / f"done-{half}"
    thread = threading.Thread(target=_restart_when_asked, args=(mine, asked, done))
    thread.start()
    command = f"touch {asked}; until [ -e {done} ]; do sleep 0.05; done"
    try:
        subprocess.run(
            [str(DEPLOY / "restart-half"), half, command, mine.ready_url, other.ready_url],
            env=os.environ | {"ASSESS_RUN": str(deployed.nginx.marks)},
            check=True,
            timeout=300,
        )
    finally:
        asked.touch()
        thread.join()
        asked.unlink()
        done.unlink()


def _restart_when_asked(machine: Machine, asked: Path, done: Path) -> None:
    until(asked.exists, 300)
    machine.stop()
    machine.start()
    done.touch()


def killed_machine(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Kill a machine's processes; only the requests in progress may be lost."""
    machine = deployed.machines[1]
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 3)
        machine.kill()
        time.sleep(1)
        at_once = visits.ledger.failed
        visits.until(max(requests, len(visits.ledger.asked) + 100))
        later = visits.ledger.failed - at_once
        machine.start()
        visits.until(len(visits.ledger.asked) + 50)
    ledger = visits.ledger
    gone = lost(ledger, deployed.rows)
    return [
        at_most(f"killed: requests lost {ledger.failures}", ledger.failed, THREADS),
        exactly("killed: of these later than a second after", later, 0),
        exactly("killed: acknowledged and not stored", len(gone), 0),
    ]


def careless_restart(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Restart a machine without taking it out of nginx first, for comparison."""
    machine = deployed.machines[0]
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 3)
        machine.stop()
        machine.start()
        visits.until(max(requests, len(visits.ledger.asked) + 100))
    ledger = visits.ledger
    gone = lost(ledger, deployed.rows)
    return [
        reported(f"restart of one machine as it is: lost {ledger.failures}", ledger.failed),
        exactly("restart of one machine as it is: acknowledged, not stored", len(gone), 0),
        exactly("link tokens in nginx's logs", deployed.nginx.leaks(), 0),
    ]


PARTS: dict[str, Part] = {
    "restart": rolling_restart,
    "killed": lambda deployed, partner, requests: killed_machine(deployed, partner, requests // 10),
    "careless": lambda deployed, partner, n: careless_restart(deployed, partner, n // 10),
}

if __name__ == "__main__":
    sys.exit(play(__doc__, PARTS))
