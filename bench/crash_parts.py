"""The parts of bench/crash.py: a disaster each, under load, and what is counted of it."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench import disasters
from bench.clerk import Clerk
from bench.disasters import Outage, Recovery, readiness, recoveries
from bench.ledger import Ledger, crashes
from bench.persistent import Load
from bench.races_ground import onboard
from bench.reckoning import Reckoning
from deploy.drills import full_disk
from tests.support.figures import Figure, at_least, at_most, exactly, told

if TYPE_CHECKING:
    from tests.support.cluster import Cluster
    from tests.support.server import Service
    from tests.support.stack import Stack

CLERKS_PROJECTS = 60
# A load that leaves the machine time: what Redis costs must not hide in a queue.
UNHURRIED = {"students": 2, "partners": 4, "pause": 0.02}
SLOW = 0.2  # seconds there and back to Redis, longer than the service waits for it
# To reach, in seconds.
FIRST_SUCCESS, ADDED_BY_REDIS = 1.0, 0.1


@dataclass(frozen=True)
class Plan:
    """How long, and how often."""

    worker_seconds: float = 60
    server_kills: int = 8
    postgresql_crashes: int = 10
    redis_seconds: float = 8


QUICK = Plan(worker_seconds=5, server_kills=2, postgresql_crashes=2, redis_seconds=3)


class Crash:
    """One run: the service, its clients' projects, and what was found so far."""

    def __init__(self, stack: Stack, service: Service, plan: Plan, logs: Path) -> None:
        self.stack, self.service, self.plan, self._logs = stack, service, plan, logs
        self._grounds = [onboard(service) for _ in range(2)]
        self._clerks_projects = projects(service, CLERKS_PROJECTS)
        self._reckoning = Reckoning(service)
        self._loads = 0

    def ledger(self) -> Ledger:
        self._loads += 1
        return Ledger(self._logs / str(self._loads))

    @contextlib.contextmanager
    def load(self, ledger: Ledger) -> Iterator[None]:
        """Let everybody act, from a second before to a second after."""
        with (
            Clerk(self.service, self._clerks_projects, ledger),
            Load(self.service.port, self._grounds, ledger),
        ):
            time.sleep(1)
            yield
            time.sleep(1)

    def unhurried(self, ledger: Ledger) -> Load:
        return Load(self.service.port, self._grounds, ledger, **UNHURRIED)

    def reckon(self, ledger: Ledger) -> list[Figure]:
        """Hold the log against the database."""
        ledger.close()
        return self._reckoning.figures(ledger)


def projects(service: Service, count: int) -> list[str]:
    """Return the projectIds of so many new projects without a token."""
    program = (
        "import json; from partners.models import Partner, Project;"
        "partner = Partner.objects.create(name='Clerks');"
        f"made = [Project.objects.create(partner=partner, name=str(n)) for n in range({count})];"
        "print(json.dumps([project.project_id for project in made]))"
    )
    made: list[str] = json.loads(service.manage("shell", "--no-imports", "-c", program))
    return made


def workers(run: Crash) -> list[Figure]:
    ledger = run.ledger()
    with run.load(ledger):
        killed = disasters.kill_workers(run.service, run.plan.worker_seconds)
    return [
        at_least("workers killed", killed, run.plan.worker_seconds * 0.8),
        exactly("answers of 5xx", crashes(ledger.asked), 0),
        *run.reckon(ledger),
    ]


def server(run: Crash) -> list[Figure]:
    ledger = run.ledger()
    with run.load(ledger):
        disasters.kill_server(run.service, run.plan.server_kills, every=3)
    return [
        told("times that the whole server was killed", run.plan.server_kills),
        exactly("answers of 5xx", crashes(ledger.asked), 0),
        *run.reckon(ledger),
    ]


def postgresql(run: Crash) -> list[Figure]:
    ledger = run.ledger()
    with run.load(ledger):
        outages = disasters.restart_postgresql(run.stack, run.plan.postgresql_crashes, every=3)
    return [
        told("crashes of PostgreSQL", len(outages)),
        told("longest until it took connections again, s", max(o.seconds for o in outages)),
        told("answers of 5xx", crashes(ledger.asked)),
        *recovered(recoveries(ledger, outages)),
        *run.reckon(ledger),
    ]


def connections(run: Crash) -> list[Figure]:
    ledger = run.ledger()
    with run.load(ledger):
        with disasters.no_connections(run.stack, run.service):
            begun = time.monotonic()
            time.sleep(2)
            longest = max(a.ended - a.began for a in ledger.asked if a.began > begun)
        free_again = Outage(begun, time.monotonic())
        time.sleep(2)
    return [
        told("answers of 5xx", crashes(ledger.asked)),
        at_most("longest wait for a refusal, s", longest, 5.0),
        *recovered(recoveries(ledger, [free_again])),
        *run.reckon(ledger),
    ]


def disk(run: Crash) -> list[Figure]:
    """Fill the disk up for some seconds; PostgreSQL may stop over it, and is started again then."""
    ledger, cluster = run.ledger(), run.stack.cluster
    with run.load(ledger):
        with full_disk.filled(run.stack.folder):
            begun = time.monotonic()
            time.sleep(3)
            state = readiness(run.service)["status"]
        room_again = Outage(begun, _accepting_or_started(cluster))
        time.sleep(2)
    return [
        told("answers of 5xx", crashes(ledger.asked), f"(/readyz said {state})"),
        *recovered(recoveries(ledger, [room_again])),
        *run.reckon(ledger),
    ]


def _accepting_or_started(cluster: Cluster) -> float:
    """Return when it takes connections; it is started if it does not by itself."""
    try:
        return disasters.accepting(cluster.url, seconds=3)
    except TimeoutError:
        cluster.start()
        return time.monotonic()


def recovered(found: list[Recovery]) -> list[Figure]:
    slowest = max(each.first_success for each in found)
    return [
        at_most("longest from connections again to the first success, s", slowest, FIRST_SUCCESS),
        exactly("failures after that first success", sum(r.failures_after for r in found), 0),
    ]


def redis(run: Crash) -> list[Figure]:
    """Stop, pause and slow Redis; what a call costs more, by the time of 19 of 20 calls."""
    ledger, redis, service = run.ledger(), run.stack.redis, run.service
    with run.unhurried(ledger):
        usual, _ = spent(run, ledger, "ok")
        redis.stop()
        stopped, is_stopped_told = spent(run, ledger, "degraded")
        redis.start()
        with disasters.paused(redis.pid):
            hanging, is_hanging_told = spent(run, ledger, "degraded")
        back = awaited(service, "ok")
    with disasters.slowed(redis.port, SLOW) as port:
        service.stop()
        service.environment["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
        service.start()
        with run.unhurried(ledger):
            slow, is_slow_told = spent(run, ledger, "degraded")
        service.stop()
    service.environment["REDIS_URL"] = redis.url
    service.start()
    states = (("stopped", stopped), ("hanging", hanging), (f"{SLOW} s away", slow))
    return [
        told("usual time of 19 of 20 calls, s", usual),
        *(at_most(f"added with Redis {w}, s", s - usual, ADDED_BY_REDIS) for w, s in states),
        exactly("states that /readyz told", is_stopped_told + is_hanging_told + is_slow_told, 3),
        at_most("from Redis back to /readyz ok, s", back, 10),
        exactly("answers of 5xx", crashes(ledger.asked), 0),
        *run.reckon(ledger),
    ]


def spent(run: Crash, ledger: Ledger, state: str) -> tuple[float, bool]:
    """Let the calls go on; return the time of 19 of 20, and whether /readyz said that state."""
    begun = time.monotonic()
    time.sleep(run.plan.redis_seconds)
    is_told = readiness(run.service)["status"] == state
    taken = sorted(a.ended - a.began for a in ledger.asked if a.is_partners and a.began > begun)
    return taken[int(0.95 * len(taken))], is_told


def awaited(service: Service, state: str) -> float:
    """Return after how many seconds /readyz says a state, at most 30."""
    begun = time.monotonic()
    while readiness(service)["status"] != state and time.monotonic() < begun + 30:
        time.sleep(0.1)
    return time.monotonic() - begun
