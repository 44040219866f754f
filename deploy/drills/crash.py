"""Kill workers, server, PostgreSQL and Redis under load; nothing acknowledged may be lost.

    python -m deploy.drills.crash [--full] [--only PART ...]

Twelve clients ask for links, answer whole attempts, leave and read results. Each repeats a request
until it is answered and records every acknowledged write. The parts:

workers      one of gunicorn's workers is killed each second
server       the whole server is killed every few seconds, and started again
postgresql   PostgreSQL crashes, and recovers
connections  PostgreSQL has no connection left
redis        Redis is stopped, hangs, or answers slowly
disk         PostgreSQL's disk is full (needs root, to mount a small disk)

At the same time, a process issues, rotates and revokes tokens, and is killed every few seconds.
Each part ends with a comparison of the records with the database and a check of the invariants
(tests/support/invariants.py). Takes about a minute and a half; with --full four minutes, for the
figures of docs/reliability.md. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

from deploy.drills import full_disk
from deploy.drills.deployed import parsed
from tests.support.clients import Gate, Partner
from tests.support.cpu import descendants
from tests.support.databases import free_port
from tests.support.figures import Figure, at_least, at_most, exactly, exit_status, reported
from tests.support.ledger import Ledger, lost
from tests.support.programs import kill, until
from tests.support.slow_network import Conditions, SlowNetwork
from tests.support.stack import Stack
from tests.support.token_staff import TokenLoad
from tests.support.visits import Visits

if TYPE_CHECKING:
    from tests.support.server import Service

# Few connections, so that they are soon used up; two workers of four threads need eight.
SETTINGS = "max_connections = 40"
CLIENTS = 12
STAFF_PROJECTS = 60
SLOW = 0.2  # seconds there and back to Redis, longer than the service waits for it
FIRST_SUCCESS, ADDED_BY_REDIS = 1.0, 0.1  # seconds
SHOWN = 10  # violations printed; the figure counts them all
PROGRAM_OF_PROJECTS = """
import json
from partners.models import Partner, Project
partner = Partner.objects.create(name="Staff")
made = [Project.objects.create(partner=partner, name=str(n)) for n in range({count})]
print(json.dumps([project.project_id for project in made]))
"""


@dataclass(frozen=True)
class Plan:
    """How long each part takes, and how often it breaks something."""

    worker_seconds: float
    server_kills: int
    postgresql_crashes: int
    redis_seconds: float


SHORT, FULL = Plan(5, 2, 2, 3), Plan(60, 8, 10, 8)


class Crash:
    """One run: the service, its projects, and which attempts had ended before a part."""

    def __init__(self, stack: Stack, service: Service, plan: Plan) -> None:
        import django

        django.setup()
        from tests.support import invariants  # it needs the models

        self.stack, self.service, self.plan, self._invariants = stack, service, plan, invariants
        self._partners = [Partner.onboarded(service.manage) for _ in range(2)]
        program = PROGRAM_OF_PROJECTS.format(count=STAFF_PROJECTS)
        made = service.manage("shell", "--no-imports", "-c", program)
        self._staff_projects: list[str] = json.loads(made)
        self._ends = invariants.ends_of(service)

    @contextlib.contextmanager
    def load(self) -> Iterator[Ledger]:
        """Run clients and staff, from a second before the block to a second after it."""
        visits = self.visits(CLIENTS)
        with visits, TokenLoad(self.service, self._staff_projects, visits.ledger):
            time.sleep(1)
            yield visits.ledger
            time.sleep(1)

    def visits(self, threads: int, pause: float = 0) -> Visits:
        gate = Gate(self.service.port)
        return Visits(gate, self._partners, threads, pages=None, retries=True, pause=pause)

    def reckon(self, ledger: Ledger) -> list[Figure]:
        """Compare the ledger with the database, and check all rows."""
        gone = lost(ledger, self.service.rows)
        before, self._ends = self._ends, self._invariants.ends_of(self.service)
        changed = self._invariants.changed(before, self._ends)
        broken = self._invariants.violations_of(self.service)
        for words in [*gone, *changed, *broken, *ledger.complaints][:SHOWN]:
            print(f"     {words}")
        return [
            at_least("acknowledged: links", len(ledger.of("link")), 1),
            at_least("acknowledged: pages of answers", len(ledger.of("answers")), 1),
            reported(
                "acknowledged: attempts completed or left", len(ledger.of("completed", "left"))
            ),
            reported(
                "acknowledged: acts on tokens", len(ledger.of("issued", "rotated", "revoked"))
            ),
            reported(
                "requests sent again without an answer", sum(not a.status for a in ledger.asked)
            ),
            exactly("I-8: acknowledged writes lost", len(gone), 0),
            exactly("I-2: ended attempts that changed", len(changed), 0),
            exactly("I-1, I-3 to I-7: violations", len(broken), 0),
            exactly("answers that cannot be right", len(ledger.complaints), 0),
            exactly("failures not told as JSON or as the page", ledger.not_plain, 0),
        ]


def workers(run: Crash) -> list[Figure]:
    killed = 0
    with run.load() as ledger:
        end = time.monotonic() + run.plan.worker_seconds
        while time.monotonic() < end:
            time.sleep(1)
            if alive := descendants(run.service.pid):
                killed += kill(random.choice(alive))
    return [
        at_least("workers killed", killed, run.plan.worker_seconds * 0.8),
        exactly("answers of 5xx", ledger.crashes, 0),
        *run.reckon(ledger),
    ]


def server(run: Crash) -> list[Figure]:
    with run.load() as ledger:
        for _ in range(run.plan.server_kills):
            time.sleep(3)
            run.service.kill()
            run.service.start()  # as a supervisor would
        time.sleep(3)
    return [
        reported("times that the whole server was killed", run.plan.server_kills),
        exactly("answers of 5xx", ledger.crashes, 0),
        *run.reckon(ledger),
    ]


@dataclass(frozen=True)
class Outage:
    """A time in which PostgreSQL accepted no connections, on the monotonic clock."""

    began: float
    ended: float


def postgresql(run: Crash) -> list[Figure]:
    outages, cluster = [], run.stack.cluster
    with run.load() as ledger:
        for _ in range(run.plan.postgresql_crashes):
            time.sleep(3)
            crashed_at = time.monotonic()
            cluster.stop("immediate")
            # `start` returns late, so find out here when PostgreSQL accepts connections.
            starter = threading.Thread(target=cluster.start)
            starter.start()
            outages.append(Outage(crashed_at, accepting(cluster.url)))
            starter.join()
        time.sleep(3)
    longest = max(each.ended - each.began for each in outages)
    return [
        reported("crashes of PostgreSQL", len(outages)),
        reported("longest until it took connections again, s", longest),
        reported("answers of 5xx", ledger.crashes),
        *recovered(ledger, outages),
        *run.reckon(ledger),
    ]


def accepting(url: str, seconds: float = 60) -> float:
    """Wait until PostgreSQL accepts connections; return the time. Raise TimeoutError."""

    def is_accepting() -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url):
            return True
        return False

    return until(is_accepting, seconds)


def recovered(ledger: Ledger, outages: list[Outage]) -> list[Figure]:
    """Return how soon clients succeeded after each outage, and their failures after that."""
    slowest, late = 0.0, 0
    crashes = [outage.began for outage in outages[1:]] + [float("inf")]
    for outage, next_crash in zip(outages, crashes, strict=True):
        meanwhile = [a for a in ledger.asked if outage.ended <= a.ended < next_crash]
        first = min((a.ended for a in meanwhile if not a.has_failed), default=float("inf"))
        slowest = max(slowest, first - outage.ended)
        late += sum(a.has_failed and a.began > first for a in meanwhile)
    return [
        at_most("longest from connections again to the first success, s", slowest, FIRST_SUCCESS),
        exactly("failures after that first success", late, 0),
    ]


def connections(run: Crash) -> list[Figure]:
    with run.load() as ledger:
        with no_connections(run):
            begun = time.monotonic()
            time.sleep(2)
            longest = max(a.seconds for a in ledger.asked if a.began > begun)
        free_again = Outage(begun, time.monotonic())
        time.sleep(2)
    return [
        reported("answers of 5xx", ledger.crashes),
        at_most("longest wait for a refusal, s", longest, 5.0),
        *recovered(ledger, [free_again]),
        *run.reckon(ledger),
    ]


@contextlib.contextmanager
def no_connections(run: Crash) -> Iterator[None]:
    """Take every connection of PostgreSQL, also those of the service."""
    url = run.stack.cluster.url
    database = run.service.environment["DATABASE_URL"].rpartition("/")[2]
    end_theirs = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s"
    with contextlib.ExitStack() as taken:
        own = taken.enter_context(psycopg.connect(url, autocommit=True))
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                while True:
                    taken.enter_context(psycopg.connect(url))
            [[ended]] = own.execute(end_theirs, (database,))
            if not ended:
                break
            time.sleep(0.01)
        yield


def redis(run: Crash) -> list[Figure]:
    """Stop, pause and slow Redis; compare the time of 19 of 20 calls. Without hurry."""
    redis, service = run.stack.redis, run.service
    with run.visits(4, pause=0.02) as visits:
        ledger = visits.ledger
        usual, _ = spent(run, ledger, "ok")
        redis.stop()
        stopped, is_stopped_reported = spent(run, ledger, "degraded")
        redis.start()
        os.kill(redis.pid, signal.SIGSTOP)
        hanging, is_hanging_reported = spent(run, ledger, "degraded")
        os.kill(redis.pid, signal.SIGCONT)
        begun = time.monotonic()
        back = until(lambda: service.readiness()["status"] == "ok") - begun
        port = free_port()
        with SlowNetwork(port, redis.port) as line:
            line.conditions = Conditions(round_trip=SLOW)
            use_redis(service, f"redis://127.0.0.1:{port}/0")
            slow, is_slow_reported = spent(run, ledger, "degraded")
            use_redis(service, redis.url)
    states = {"stopped": stopped, "hanging": hanging, f"{SLOW} s away": slow}
    return [
        reported("usual time of 19 of 20 calls, s", usual),
        *(
            at_most(f"added with Redis {w}, s", s - usual, ADDED_BY_REDIS)
            for w, s in states.items()
        ),
        exactly(
            "states that /readyz reported",
            is_stopped_reported + is_hanging_reported + is_slow_reported,
            3,
        ),
        at_most("from Redis back to /readyz ok, s", back, 10),
        exactly("answers of 5xx", ledger.crashes, 0),
        *run.reckon(ledger),
    ]


def use_redis(service: Service, url: str) -> None:
    service.stop()
    service.environment["REDIS_URL"] = url
    service.start()


def spent(run: Crash, ledger: Ledger, state: str) -> tuple[float, bool]:
    """Let calls continue; return their 95th percentile, and whether /readyz has this state."""
    begun = time.monotonic()
    time.sleep(run.plan.redis_seconds)
    is_reported = run.service.readiness()["status"] == state
    calls = [a for a in ledger.asked if a.path.startswith("/partner/") and a.began > begun]
    taken = sorted(call.seconds for call in calls)
    return taken[int(0.95 * len(taken))], is_reported


def disk(run: Crash) -> list[Figure]:
    """Fill the disk for some seconds. If PostgreSQL stops, start it again."""
    cluster = run.stack.cluster
    with run.load() as ledger:
        with full_disk.filled(run.stack.folder):
            begun = time.monotonic()
            time.sleep(3)
            state = run.service.readiness()["status"]
        try:
            again = accepting(cluster.url, seconds=3)
        except TimeoutError:
            cluster.start()
            again = time.monotonic()
        time.sleep(2)
    return [
        reported("answers of 5xx", ledger.crashes, f"(/readyz said {state})"),
        *recovered(ledger, [Outage(begun, again)]),
        *run.reckon(ledger),
    ]


PARTS: dict[str, Callable[[Crash], list[Figure]]] = {
    part.__name__: part for part in (workers, server, postgresql, connections, redis, disk)
}


def play(names: list[str], plan: Plan, settings: str) -> Iterator[Figure]:
    """Run the parts on a new service; yield their figures."""
    with Stack(settings) as stack:
        service = stack.service()
        service.start()
        run = Crash(stack, service, plan)
        for name in names:
            print(f"\n{name}", flush=True)
            yield from PARTS[name](run)
        differing = 0
        try:
            service.manage("rescore", "--all")
        except AssertionError as difference:
            print(f"     {difference!s:.500}")
            differing = 1
        yield exactly("results that differ when scored again", differing, 0)


def main() -> int:
    arguments = parsed(__doc__, PARTS)
    plan = FULL if arguments.full else SHORT
    names = [name for name in arguments.only if name != "disk"]
    missed = exit_status(play(names, plan, SETTINGS)) if names else 0
    if "disk" in arguments.only and not full_disk.is_possible():
        print("disk: not played, as only root can mount a small disk")
    elif "disk" in arguments.only:
        with full_disk.small_disk():
            missed |= exit_status(play(["disk"], plan, full_disk.SETTINGS))
    return missed


if __name__ == "__main__":
    sys.exit(main())
