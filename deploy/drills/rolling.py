"""Restart machines on purpose under load, and count the requests that fail.

    python -m deploy.drills.rolling [--full] [--only PART ...]

The machines of docs/cluster.md run with the configuration and scripts of deploy/.

switch      deploy/cluster/switch-over makes another node the primary: calls wait, and none fails
everything  each program of each machine is restarted, one after the other: no request may fail
killed      a web machine is killed: only the requests that it was handling may be lost
careless    a web machine is restarted without taking it out of nginx first, for comparison

Takes about four minutes; --full sends 10,000 requests. Needs root, for network namespaces. Exit
status 1 if a target is missed, 2 if a program is not installed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from deploy.drills.deployed import Deployed, Part, play
from deploy.drills.nodes import Node
from deploy.drills.programs import Machine
from deploy.drills.shipped import DEPLOY
from tests.support.clients import Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.ledger import lost
from tests.support.programs import until
from tests.support.visits import Visits

HALVES = ("first", "second")
THREADS = 12
WAITS = 10.0  # seconds that a call may wait in PgBouncer


def switch_over(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Make another node the primary while students take assessments."""
    before = deployed.nodes.primary
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 4)
        begun = time.monotonic()
        deployed.switch_over()
        seconds = time.monotonic() - begun
        visits.until(max(requests, len(visits.ledger.asked) + 200))
    deployed.nodes.until_whole()
    after = deployed.nodes.primary
    ledger = visits.ledger
    return [
        exactly("switch-over: another node is the primary", int(after is not before), 1),
        at_least("switch-over: requests", len(ledger.asked), requests),
        exactly(f"switch-over: requests that failed {ledger.failures}", ledger.failed, 0),
        exactly("switch-over: acknowledged and lost", len(lost(ledger, deployed.rows)), 0),
        at_most("switch-over: the slowest request, s", ledger.quantile(1) / 1000, WAITS),
        reported("switch-over: the script took, s", seconds),
    ]


def everything(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Restart every program of every machine, one after the other, while requests are sent."""
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 10)
        begun = time.monotonic()
        restarted = restart_everything(deployed)
        seconds = time.monotonic() - begun
        visits.until(max(requests, len(visits.ledger.asked) + 100))
    ledger = visits.ledger
    gone = lost(ledger, deployed.rows)
    return [
        reported("everything restarted: programs", restarted),
        at_least("everything restarted: requests", len(ledger.asked), requests),
        exactly(f"everything restarted: requests that failed {ledger.failures}", ledger.failed, 0),
        exactly("everything restarted: acknowledged and lost", len(gone), 0),
        reported("everything restarted: in all, s", seconds),
        reported("everything restarted: p99, ms", ledger.quantile(0.99)),
        at_most("everything restarted: slowest request, s", ledger.quantile(1) / 1000, WAITS),
    ]


def restart_everything(deployed: Deployed) -> int:
    """Restart all programs in the order of docs/cluster.md; return how many there are."""
    restarted = 0
    for half in HALVES:
        # gunicorn, PgBouncer and HAProxy of a machine that nginx asks nothing meanwhile.
        restart_half(deployed, half)
        restarted += 3
    first = deployed.nodes.primary
    for node in deployed.nodes.standbys:
        restart_node(deployed, node)
        restarted += 2
    deployed.switch_over()
    deployed.nodes.until_whole()
    restart_node(deployed, first)
    deployed.redis.stop()
    deployed.redis.start()
    deployed.nginx.signal(signal.SIGHUP)
    return restarted + 4


def restart_node(deployed: Deployed, node: Node) -> None:
    """Restart etcd and Patroni with PostgreSQL on a standby; return once all is well again."""
    node.etcd.stop()
    node.etcd.start()
    node.stop()
    node.start()
    deployed.nodes.until_whole()


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
    machine.restart()
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
    "switch": switch_over,
    "everything": everything,
    "killed": lambda deployed, partner, requests: killed_machine(deployed, partner, requests // 10),
    "careless": lambda deployed, partner, n: careless_restart(deployed, partner, n // 10),
}

if __name__ == "__main__":
    sys.exit(play("deploy.drills.rolling", __doc__, PARTS))
