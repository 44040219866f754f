"""Restart, and kill, machines under load; count what is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

from bench.remote import Gate, Partner
from bench.visits import Load, missing
from deploy.drills.deployed import Deployed
from deploy.drills.programs import Machine
from deploy.drills.shipped import DEPLOY
from tests.support import cpu
from tests.support.figures import Figure, at_least, at_most, exactly, told

HALVES = ("first", "second")
THREADS = 12


def rolling_restart(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Restart both halves with the shipped script while at least so many requests are sent."""
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    ids = [machine.pid for machine in deployed.machines]
    with Load(gate, partner, THREADS) as load:
        load.until(requests // 5)
        begun = time.monotonic()
        for half in HALVES:
            restart_half(deployed, half)
        seconds = time.monotonic() - begun
        load.until(max(requests, load.tally.requests + 100))
        load.stop()
    restarted = sum(machine.pid not in ids for machine in deployed.machines)
    lost = missing(load.done, deployed.rows)
    return [
        exactly("rolling restart: machines restarted", restarted, 2),
        at_least("rolling restart: requests", load.tally.requests, requests),
        exactly(f"rolling restart: requests lost {load.tally.failures}", load.tally.failed, 0),
        exactly("rolling restart: acknowledged and not stored", len(lost), 0),
        told("rolling restart: seconds for both halves", seconds),
        told("rolling restart: p99, ms", load.tally.quantile(0.99)),
        told("rolling restart: slowest, ms", load.tally.quantile(1)),
    ]


def restart_half(deployed: Deployed, half: str) -> None:
    """Run deploy/restart-half; its command asks us to restart the machine."""
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
    while not asked.exists():
        time.sleep(0.02)
    machine.stop()
    machine.start()
    done.touch()


def killed_machine(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Kill a machine's processes at once: what it was working on is lost, and nothing after."""
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    machine = deployed.machines[1]
    with Load(gate, partner, THREADS) as load:
        load.until(requests // 3)
        for pid in (machine.pid, *cpu.descendants(machine.pid)):
            os.kill(pid, signal.SIGKILL)
        time.sleep(1)
        at_once = load.tally.failed
        load.until(max(requests, load.tally.requests + 100))
        later = load.tally.failed - at_once
        machine.stop()
        machine.start()
        load.until(load.tally.requests + 50)
        load.stop()
    lost = missing(load.done, deployed.rows)
    return [
        at_most(f"killed: requests lost {load.tally.failures}", load.tally.failed, THREADS),
        exactly("killed: of these later than a second after", later, 0),
        exactly("killed: acknowledged and not stored", len(lost), 0),
    ]


def careless_restart(deployed: Deployed, partner: Partner, requests: int) -> list[Figure]:
    """Restart a machine without taking it out of nginx first, for comparison."""
    gate = Gate(deployed.nginx.port, deployed.nginx.certificate)
    machine = deployed.machines[0]
    with Load(gate, partner, THREADS) as load:
        load.until(requests // 3)
        machine.stop()
        machine.start()
        load.until(max(requests, load.tally.requests + 100))
        load.stop()
    lost = missing(load.done, deployed.rows)
    return [
        told(f"restart of one machine as it is: lost {load.tally.failures}", load.tally.failed),
        exactly("restart of one machine as it is: acknowledged, not stored", len(lost), 0),
        exactly("link tokens in nginx's logs", deployed.nginx.leaks(), 0),
    ]
