"""Ask for twice what the service can answer: it must serve nearly as much, and refuse the rest.

    python -m deploy.drills.overload [--full]

h2load opens a landing page. Ten seconds with few connections give the capacity; then twice as many
requests a second come for a minute, with --full for three, each over a new connection. Meanwhile
four students take the assessment and repeat what is refused, and a Prometheus evaluates the shipped
alerts. Takes two minutes. Needs root, the programs of docs/cluster.md, h2load and prometheus.
"""

import subprocess
import sys
import time
from dataclasses import dataclass

from deploy.drills.parts import lost_writes, main, violations
from deploy.drills.visits import Visits
from lab.figures import at_least, at_most, exactly, reported
from tests.support.clients import Client
from tests.support.ledger import Ledger
from tests.support.programs import until

FEW = 16  # connections
CAPACITY_SECONDS, OVERLOAD_SECONDS, AFTER_SECONDS = 10, 60, 5
TIMES, STUDENTS = 2, 4
SERVED, SECONDS, NORMAL_WITHIN = 0.8, 5.0, 10  # the last in seconds
ALERT = "AssessmentOverloaded"


@dataclass(frozen=True)
class Answer:
    """One answer to h2load: seconds since the epoch, its status, and seconds until its end."""

    began: float
    status: int
    seconds: float


def opened(deployed, link, *options):
    """Open a link with these options of h2load; return the answers."""
    log = deployed.folder / "h2load.log"
    log.unlink(missing_ok=True)
    command = ["h2load", "--h1", f"--connect-to={deployed.nginx.host.address}:443", link]
    command += [f"--log-file={log}", *map(str, options)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    rows = (map(int, line.split("\t")[:3]) for line in log.open())
    return [Answer(began / 1e6, status, took / 1e6) for began, status, took in rows]


def as_fast_as_answered(deployed, link, seconds):
    """Open it over few connections, each as soon as it has an answer."""
    return opened(deployed, link, "-c", FEW, "-D", seconds, "--warm-up-time", 3)


def at_a_rate(deployed, link, rate, seconds):
    """Open it so many times a second, each time over a new connection."""
    count, each = round(rate * seconds), round(rate / 10)
    return opened(deployed, link, "-c", count, "-n", count, "-r", each, "--rate-period", "100ms")


def quantile(answers, share):
    ordered = sorted(each.seconds for each in answers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def of(status, answers):
    return [each for each in answers if each.status == status]


def overload(deployed, partner, requests):
    """Open landing pages at the rate of the capacity, then at twice that rate."""
    client = Client(deployed.gate, Ledger())
    link = partner.link(client, "waits@example.com")
    client.close()
    usual = as_fast_as_answered(deployed, link, CAPACITY_SECONDS)
    capacity = len(of(200, usual)) / CAPACITY_SECONDS
    yield reported("landing pages a second: the capacity", capacity)
    yield reported("their p99, s", quantile(usual, 0.99))

    seconds = OVERLOAD_SECONDS * (3 if requests > 1_000 else 1)
    prometheus = deployed.prometheus
    prometheus.start()
    until(prometheus.has_read_all, 30)
    with Visits(deployed.gate, [partner], STUDENTS, retries=True) as visits:
        answers = at_a_rate(deployed, link, TIMES * capacity, seconds)
        alert = prometheus.alerts().get(ALERT, "none")
        ended = time.time()
        after = as_fast_as_answered(deployed, link, NORMAL_WITHIN + AFTER_SECONDS)
    prometheus.stop()
    served, refused = of(200, answers), of(503, answers)
    others = len(answers) - len(served) - len(refused)
    again = [each for each in after if each.began > ended + NORMAL_WITHIN]
    yield reported("asked for a second", len(answers) / seconds)
    yield at_least("served, of the capacity", len(served) / seconds / capacity, SERVED)
    yield at_most("p99 of those served, s", quantile(served, 0.99), SECONDS)
    yield at_least("refused with 503", len(refused), 1)
    yield at_most("p99 of those refused, s", quantile(refused or served, 0.99), SECONDS)
    yield exactly("answered otherwise, or not at all", others, 0)
    yield exactly(f"{ALERT} is {alert}", int(alert in ("pending", "firing")), 1)
    yield exactly(f"{NORMAL_WITHIN} s later: refused", len(again) - len(of(200, again)), 0)
    yield at_most("then p99, of the usual one", quantile(again, 0.99) / quantile(usual, 0.99), 2)
    ledger = visits.ledger
    yield at_least("pages that students answered meanwhile", len(ledger.of("answers")), 1)
    yield reported(f"their requests that were refused {ledger.failures}", ledger.crashes)
    yield exactly("refusals without the page or body that says what to do", ledger.not_plain, 0)
    yield exactly("answers that cannot be right", len(ledger.complaints), 0)
    yield lost_writes(ledger, deployed.rows)
    yield violations(deployed.manage)


if __name__ == "__main__":
    parts = {"overload": overload}
    sys.exit(main("deploy.drills.overload", __doc__, parts, "h2load", "prometheus"))
