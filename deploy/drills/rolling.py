"""Restart machines on purpose under load, and count the requests that fail.

    python -m deploy.drills.rolling [--full] [--only PART ...]

switch      deploy/cluster/switch-over makes another node the primary: calls wait, and none fails
everything  each program of each machine is restarted, one after the other: no request may fail
killed      a web machine is killed: only the requests that it was handling may be lost
workers     a worker of gunicorn is killed every four seconds, eight times, with --full 25 times:
            only the requests that it was handling may be lost, and the shipped alert must come

Takes about five minutes; --full sends 10,000 requests. Needs root, prometheus, and the programs of
docs/cluster.md.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

from deploy.drills.machines import DEPLOY
from deploy.drills.parts import lost_writes, main
from deploy.drills.visits import Visits
from lab.figures import at_least, at_most, exactly, reported
from tests.support.cpu import descendants
from tests.support.programs import kill, until

HALVES = ("first", "second")
THREADS = 12
WAITS = 10.0  # seconds that a call may wait in PgBouncer
LOST_BY_WORKERS = 0.01


def switch(deployed, partner, requests):
    """Make another node the primary while students take assessments."""
    before = deployed.nodes.primary
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 4)
        begun = time.monotonic()
        deployed.switch_over()
        seconds = time.monotonic() - begun
        visits.until(max(requests, len(visits.ledger.asked) + 200))
    deployed.nodes.until_whole()
    is_other = deployed.nodes.primary is not before
    yield exactly("another node is the primary", int(is_other), 1)
    yield from without_failure(deployed, visits, requests)
    yield reported("the script took, s", seconds)


def without_failure(deployed, visits, requests):
    """Yield the figures of planned work, which no request may notice but by waiting."""
    ledger = visits.ledger
    yield at_least("requests", len(ledger.asked), requests)
    yield exactly(f"requests that failed {ledger.failures}", ledger.failed, 0)
    yield lost_writes(ledger, deployed.rows)
    yield reported("p99, ms", ledger.quantile(0.99))
    yield at_most("slowest request, s", ledger.quantile(1) / 1000, WAITS)


def everything(deployed, partner, requests):
    """Restart every program of every machine, in the order of docs/cluster.md, under load."""
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 10)
        begun = time.monotonic()
        for half in HALVES:
            # gunicorn, PgBouncer and HAProxy of a machine that nginx asks nothing meanwhile.
            restart_half(deployed, half)
        first = deployed.nodes.primary
        for node in deployed.nodes.others(first):
            node.restart()
            deployed.nodes.until_whole()
        deployed.switch_over()
        deployed.nodes.until_whole()
        first.restart()
        deployed.nodes.until_whole()
        deployed.redis.stop()
        deployed.redis.start()
        deployed.nginx.signal(signal.SIGHUP)
        seconds = time.monotonic() - begun
        visits.until(max(requests, len(visits.ledger.asked) + 100))
    yield from without_failure(deployed, visits, requests)
    yield reported("restarting everything took, s", seconds)


def restart_half(deployed, half):
    """Run deploy/restart-half with a command that makes this process restart the machine."""
    mine = deployed.webs[HALVES.index(half)]
    other = deployed.webs[1 - HALVES.index(half)]
    asked, done = deployed.folder / f"asked-{half}", deployed.folder / f"done-{half}"

    def restart():
        until(asked.exists, 300)
        mine.restart_all()
        done.touch()

    thread = threading.Thread(target=restart)
    thread.start()
    command = f"touch {asked}; until [ -e {done} ]; do sleep 0.05; done"
    subprocess.run(
        [str(DEPLOY / "restart-half"), half, command, mine.ready_url, other.ready_url],
        env=os.environ | {"ASSESS_RUN": str(deployed.nginx.marks)},
        check=True,
        timeout=300,
    )
    thread.join()


def killed(deployed, partner, requests):
    """Kill a web machine's processes; only the requests in progress may be lost."""
    web, requests = deployed.webs[1], requests // 10
    with Visits(deployed.gate, [partner], THREADS) as visits:
        visits.until(requests // 3)
        web.kill()
        time.sleep(1)
        at_once = visits.ledger.failed
        visits.until(max(requests, len(visits.ledger.asked) + 100))
        later = visits.ledger.failed - at_once
        web.start()
        visits.until(len(visits.ledger.asked) + 50)
    ledger = visits.ledger
    yield at_most(f"requests lost {ledger.failures}", ledger.failed, THREADS)
    yield exactly("of these later than a second after", later, 0)
    yield lost_writes(ledger, deployed.rows)
    yield exactly("link tokens in nginx's logs", deployed.nginx.leaks(), 0)


def workers(deployed, partner, requests):
    """Kill workers under load; count what students see, since nginx repeats no POST for them."""
    prometheus, kills = deployed.prometheus, 25 if requests > 1_000 else 8
    prometheus.start()
    until(prometheus.has_read_all, 30)
    with Visits(deployed.gate, [partner], THREADS) as visits:
        for _ in range(kills):
            time.sleep(4)
            kill(random.choice(descendants(deployed.webs[0].pid)))
    alert = prometheus.alerts().get("AssessmentWorkersDie", "none")
    prometheus.stop()
    ledger = visits.ledger
    share = f"share of {len(ledger.asked)} requests lost {ledger.failures}"
    yield at_most(share, ledger.failed / len(ledger.asked), LOST_BY_WORKERS)
    yield exactly(f"AssessmentWorkersDie is {alert}", int(alert in ("pending", "firing")), 1)
    yield lost_writes(ledger, deployed.rows)


PARTS = {part.__name__: part for part in (switch, everything, killed, workers)}

if __name__ == "__main__":
    sys.exit(main("deploy.drills.rolling", __doc__, PARTS, "prometheus"))
