"""Run the service with the configuration of deploy/ on its machines, and put it under strain.

    python -m deploy.drills.machines [--full] [--only PART ...]

All programs run with the files of deploy/, each machine of docs/cluster.md in a network namespace.

turns    two web machines answer the requests of a student and of a member of staff in turn
locked   a row is locked for 8 s: calls for it fail in time, others do not notice
guessing 12 guess passwords, each from another address: students' p95 at most doubles
stalled  500 connections stop half-way through a request: p95 of the others under 200 ms
jobs     the commands of the other units run once: release, purge, norms, webhooks

Takes about three minutes; --full sends ten times as many requests. Needs root, for network
namespaces. Exit status 1 if a target is missed, 2 if a program is not installed.
deploy.drills.rolling and .failover restart and break machines, .backups plays backups.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psycopg

from deploy.drills.deployed import Deployed, Part, play
from deploy.drills.guessing import guessing
from deploy.drills.programs import UNIT
from deploy.drills.shipped import DEPLOY, ROOT, commands, variables
from deploy.drills.stalled import stalled
from tests.support.clients import Client, Failed, Partner, RemoteBrowser
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.ledger import Ledger
from tests.support.staff_sign_in import sign_in

STAFF_PAGES = (
    "/admin/",
    "/admin/partners/project/",
    "/admin/assessments/student/",
    "/admin/tokens/accesstoken/",
    "/admin/partners/auditevent/",
)
SIGN_OUT = "/admin/logout/"
BLOCKED = 6  # calls that want a locked row; the machines have sixteen threads
HELD = 8.0  # seconds
ANSWERED = 5.0  # seconds for a call that waits for a lock
DELIVERER, DELIVERS = "assess-webhooks.service", 5.0  # seconds
PLAYED_ELSEWHERE = {
    UNIT,
    DELIVERER,
    "assess-failed@.service",
    "assess-patroni.service",
    "assess-backup@.service",
    "assess-noted@.service",
}


class InTurn:
    """Makes nginx ask the other machine each time, by marking one half as restarting."""

    def __init__(self, marks: Path) -> None:
        self._marks = [marks / "restarting-first", marks / "restarting-second"]

    def __call__(self) -> None:
        self._marks.reverse()
        self._marks[0].touch()
        self._marks[1].unlink(missing_ok=True)

    def end(self) -> None:
        for mark in self._marks:
            mark.unlink(missing_ok=True)


def in_turn(deployed: Deployed, partner: Partner, _: int) -> list[Figure]:
    """Take a whole assessment and use the back office on two machines in turn."""
    turns, ledger = InTurn(deployed.nginx.marks), Ledger()
    gate = replace(deployed.gate, before=turns)
    before = len(deployed.nginx.access_log())
    status = take_assessment(RemoteBrowser(Client(gate, ledger)), partner)
    pages = work_as_staff(RemoteBrowser(Client(gate, ledger)), deployed)
    turns.end()
    time.sleep(0.2)  # until nginx has written the last line
    asked = [line["upstream"] for line in deployed.nginx.access_log()[before:]]
    repeated = sum(first == second for first, second in zip(asked, asked[1:], strict=False))
    return [
        at_least("in turn: requests of a student and of staff", len(asked), 40),
        exactly("in turn: machines", len(set(asked)), 2),
        exactly("in turn: two requests in a row on one machine", repeated, 0),
        exactly(f"in turn: requests that failed {ledger.failures}", ledger.failed, 0),
        exactly("in turn: assessments completed", int(status == "Completed"), 1),
        exactly("in turn: pages of the back office", pages, len(STAFF_PAGES)),
    ]


def take_assessment(browser: RemoteBrowser, partner: Partner) -> str:
    """Answer all questions; return the status that the partner reads."""
    client = browser.client
    last = browser.finish(browser.start(partner.link(client, "turns@example.com")))
    assert last.name == "result", last.text
    [record] = partner.results(client, "turns@example.com")
    return str(record["Status"])


def work_as_staff(browser: RemoteBrowser, deployed: Deployed) -> int:
    """Sign in for the first time; return the number of admin pages shown."""
    password = secrets.token_urlsafe(24)
    account = ("--noinput", "--username", "machines", "--email", "machines@example.com")
    deployed.manage("createsuperuser", *account, DJANGO_SUPERUSER_PASSWORD=password)
    sign_in(browser, "machines", password)
    return sum(SIGN_OUT in browser.get(path).text for path in STAFF_PAGES)


def locked_row(deployed: Deployed, partner: Partner, _: int) -> list[Figure]:
    """Lock a student's row for some seconds; make calls for that student and for others."""
    partner.link(Client(deployed.gate, Ledger()), "locked@example.com")
    waiting, others, after = Ledger(), Ledger(), Ledger()

    def call_for_the_locked() -> None:
        client = Client(deployed.gate, waiting)
        try:
            partner.link(client, "locked@example.com")
        except Failed as failed:
            assert failed.status == 500, failed
        finally:
            client.close()

    threads = [threading.Thread(target=call_for_the_locked) for _ in range(BLOCKED)]
    with psycopg.connect(deployed.nodes.url) as holder:
        holder.execute(
            "SELECT 1 FROM assessments_student WHERE email_key = 'locked@example.com' FOR UPDATE"
        )
        for thread in threads:
            thread.start()
        client, end = Client(deployed.gate, others), time.monotonic() + HELD
        while time.monotonic() < end:
            partner.link(client, f"{secrets.token_hex(4)}@example.com")
        for thread in threads:
            thread.join()
    partner.link(Client(deployed.gate, after), "locked@example.com")
    return [
        exactly("locked row: calls for it that were refused", waiting.failed, BLOCKED),
        at_most("locked row: the slowest of these, s", waiting.quantile(1) / 1000, ANSWERED),
        reported("locked row: calls for others meanwhile", len(others.asked)),
        exactly("locked row: of these failed", others.failed, 0),
        exactly("locked row: calls for it afterwards that failed", after.failed, 0),
    ]


def jobs(deployed: Deployed, partner: Partner, _: int) -> list[Figure]:
    """Run the commands of the other units, with their role in production."""
    environment = deployed.of_commands()
    units = {path.name for path in (DEPLOY / "systemd").glob("*.service")} - PLAYED_ELSEWHERE
    found = []
    for unit in sorted(units):
        changes = {"/srv/assess/.venv/bin/python": sys.executable}
        own = environment | variables(unit)
        within = deployed.machines[0].host.within
        statuses = [
            _status([*within, *command], own) for command in commands(unit, "ExecStart", changes)
        ]
        found.append(exactly(f"{unit}: commands that failed", sum(map(bool, statuses)), 0))
    return [*found, *delivered(deployed)]


def delivered(deployed: Deployed) -> list[Figure]:
    """Run the deliverer of webhooks for a while in the web process's role, and stop it."""
    [command] = commands(DELIVERER, "ExecStart", {"/srv/assess/.venv/bin/python": sys.executable})
    environment = deployed.machines[0].environment | {"WEBHOOK_KEY": secrets.token_urlsafe(50)}
    log = deployed.folder / "deliverer.log"
    with log.open("w") as output:
        deliverer = subprocess.Popen(
            [*deployed.machines[0].host.within, *command], cwd=ROOT, env=environment, stderr=output
        )
        with suppress(subprocess.TimeoutExpired):
            deliverer.wait(DELIVERS)
        is_running = deliverer.poll() is None
        deliverer.terminate()
        status = deliverer.wait(30)
    logged = log.read_text()
    print(logged[-1000:], file=sys.stderr, end="")
    return [
        exactly(f"{DELIVERER}: runs after {DELIVERS:.0f} s", int(is_running), 1),
        exactly(f"{DELIVERER}: errors in its log", logged.count('"ERROR"'), 0),
        exactly(f"{DELIVERER}: exit status after SIGTERM", status, 0),
    ]


def _status(command: list[str], environment: dict[str, str]) -> int:
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-1000:], done.stderr[-1000:], sep="\n", file=sys.stderr)
    return done.returncode


PARTS: dict[str, Part] = {
    "turns": in_turn,
    "locked": locked_row,
    "guessing": lambda deployed, partner, requests: guessing(deployed, partner, requests // 2),
    "stalled": lambda deployed, partner, requests: stalled(deployed, partner, requests // 5),
    "jobs": jobs,
}

if __name__ == "__main__":
    sys.exit(play("deploy.drills.machines", __doc__, PARTS))
