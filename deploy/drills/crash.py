"""Kill workers, server, PostgreSQL and Redis under load; nothing acknowledged may be lost.

    python -m deploy.drills.crash [--full] [--only PART ...]

Twelve clients ask for links, answer whole attempts, leave and read results. Each repeats a request
until it is answered and records every acknowledged write. The parts:

workers      one of gunicorn's workers is killed each second
server       the whole server is killed every few seconds, and started again
postgresql   PostgreSQL crashes, and recovers
connections  PostgreSQL has no connection left
redis        Redis is stopped, hangs, or answers slowly
disk         PostgreSQL's disk is full

At the same time, a process issues, rotates and revokes tokens, and is killed every few seconds.
Each part ends with a comparison of the records with the database and a check of the invariants
(tests/support/invariants.py). Takes about a minute and a half; with --full four minutes. Needs
root, to mount a small disk.
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

import psycopg

from bench.stack import Stack
from deploy.drills.parts import lost_writes, parsed, play, require, violations
from deploy.drills.visits import Visits
from lab.figures import at_least, at_most, exactly, exit_status, reported
from tests.support.clients import Gate, Partner
from tests.support.cpu import descendants
from tests.support.programs import kill, until
from tests.support.token_staff import Ended, TokenStaff

# Few connections, so that they are soon used up; two workers of four threads need eight. By default
# PostgreSQL keeps more of its log than fits on the small disk.
SETTINGS = "max_connections = 40\nmax_wal_size = 64MB\nmin_wal_size = 32MB"
MEGABYTES = 400  # of the small disk
CLIENTS = 12
STAFF_PROJECTS = 60
WORKER_SECONDS, KILLS, REDIS_SECONDS = 6, 2, 3  # with --full, the first two times ten
SLOW = 0.2  # seconds there and back to Redis, longer than the service waits for it
FIRST_SUCCESS, ADDED_BY_REDIS = 1.0, 0.1  # seconds
PROGRAM_OF_PROJECTS = """
import json
from partners.models import Partner, Project
partner = Partner.objects.create(name="Staff")
made = [Project.objects.create(partner=partner, name=str(n)) for n in range({count})]
print(json.dumps([project.project_id for project in made]))
"""


class TokenLoad:
    """A context manager in which staff act on tokens and are killed every few seconds.

    Uses each of the `projects` once: a killed action may leave a live token behind, and a project
    may have only five.
    """

    def __init__(self, service, projects, ledger):
        self._service, self._projects, self._ledger = service, projects, ledger
        self._stopping, self._begun = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self):
        self._thread.start()
        self._begun.wait(60)
        return self

    def __exit__(self, *error):
        self._stopping.set()
        self._thread.join()

    def _go_on(self):
        while self._projects and not self._stopping.is_set():
            with contextlib.suppress(Ended), TokenStaff(self._service) as staff:
                project_id = self._projects.pop()
                staff.do("issue", project_id=project_id)  # returns once the process has started
                self._begun.set()
                killer = threading.Timer(random.uniform(1, 4), staff.kill)
                killer.start()
                try:
                    while not self._stopping.is_set():
                        self._act(staff, project_id)
                finally:
                    killer.cancel()

    def _act(self, staff, project_id):
        """Issue, rotate and revoke a token, and record each acknowledged action."""
        token_id = _id_of(staff.do("issue", project_id=project_id))
        self._ledger.note("issued", token_id=token_id)
        successor = _id_of(staff.do("rotate", token_id=token_id, overlap=3600))
        self._ledger.note("rotated", token_id=token_id)
        self._ledger.note("issued", token_id=successor)
        for each in (token_id, successor):
            staff.do("revoke", token_id=each)
            self._ledger.note("revoked", token_id=each)


def _id_of(made):
    return made["credential"].partition(":")[0]


class Crash:
    """One run: the service, its projects, and which attempts had ended before a part."""

    def __init__(self, stack, service, times):
        import django

        django.setup()
        from tests.support import invariants  # it needs the models

        self.stack, self.service, self.times, self._invariants = stack, service, times, invariants
        self._partners = [Partner.onboarded(service.manage) for _ in range(2)]
        program = PROGRAM_OF_PROJECTS.format(count=STAFF_PROJECTS * times)
        made = service.manage("shell", "--no-imports", "-c", program)
        self._staff_projects = json.loads(made)
        self._ends = invariants.ends_of(service)

    @contextlib.contextmanager
    def load(self):
        """Run clients and staff, from a second before the block to a second after it."""
        visits = self.visits(CLIENTS)
        with visits, TokenLoad(self.service, self._staff_projects, visits.ledger):
            time.sleep(1)
            yield visits.ledger
            time.sleep(1)

    def visits(self, threads, pause=0):
        gate = Gate(self.service.port)
        return Visits(gate, self._partners, threads, pages=None, retries=True, pause=pause)

    def reckon(self, ledger):
        """Compare the ledger with the database, and check all rows."""
        before, self._ends = self._ends, self._invariants.ends_of(self.service)
        changed = self._invariants.changed(before, self._ends)
        for words in [*changed, *ledger.complaints][:10]:
            print(f"     {words}")
        yield at_least("acknowledged links", len(ledger.of("link")), 1)
        yield at_least("acknowledged pages of answers", len(ledger.of("answers")), 1)
        ended, acts = ledger.of("completed", "left"), ledger.of("issued", "rotated", "revoked")
        yield reported("acknowledged attempts completed or left", len(ended))
        yield reported("acknowledged acts on tokens", len(acts))
        unanswered = sum(not asked.status for asked in ledger.asked)
        yield reported("requests sent again without an answer", unanswered)
        yield lost_writes(ledger, self.service.rows)
        yield violations(self.service.manage)
        yield exactly("I-2, ended attempts that changed", len(changed), 0)
        yield exactly("answers that cannot be right", len(ledger.complaints), 0)
        yield exactly("failures not told as JSON or as the page", ledger.not_plain, 0)


def workers(run):
    killed = 0
    with run.load() as ledger:
        seconds = WORKER_SECONDS * run.times
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(1)
            if alive := descendants(run.service.pid):
                killed += kill(random.choice(alive))
    yield at_least("killed", killed, seconds * 0.8)
    yield exactly("answers of 5xx", ledger.crashes, 0)
    yield from run.reckon(ledger)


def server(run):
    with run.load() as ledger:
        for _ in range(KILLS * run.times):
            time.sleep(3)
            run.service.kill()
            run.service.start()  # as a supervisor would
        time.sleep(3)
    yield exactly("answers of 5xx", ledger.crashes, 0)
    yield from run.reckon(ledger)


# When PostgreSQL stopped accepting connections, and accepted them again, on the monotonic clock.
Outage = tuple[float, float]


def postgresql(run):
    outages = []
    cluster = run.stack.cluster
    with run.load() as ledger:
        for _ in range(KILLS * run.times):
            time.sleep(3)
            crashed_at = time.monotonic()
            cluster.stop("immediate")
            # `start` returns late, so find out here when PostgreSQL accepts connections.
            starter = threading.Thread(target=cluster.start)
            starter.start()
            outages.append((crashed_at, accepting(cluster.url)))
            starter.join()
        time.sleep(3)
    longest = max(ended - began for began, ended in outages)
    yield reported("longest until it took connections again, s", longest)
    yield from recovered(ledger, outages)
    yield from run.reckon(ledger)


def accepting(url, seconds=60):
    """Wait until PostgreSQL accepts connections; return the time. Raise TimeoutError."""

    def is_accepting():
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url):
            return True
        return False

    return until(is_accepting, seconds)


def recovered(ledger, outages):
    """Yield how soon clients succeeded after each outage, and their failures after that."""
    slowest, late = 0.0, 0
    crashes = [began for began, _ in outages[1:]] + [float("inf")]
    for (_, again), next_crash in zip(outages, crashes, strict=True):
        meanwhile = [a for a in ledger.asked if again <= a.ended < next_crash]
        first = min((a.ended for a in meanwhile if not a.has_failed), default=float("inf"))
        slowest = max(slowest, first - again)
        late += sum(a.has_failed and a.began > first for a in meanwhile)
    yield reported("answers of 5xx", ledger.crashes)
    yield at_most("from connections again to the first success, s", slowest, FIRST_SUCCESS)
    yield exactly("failures after that first success", late, 0)


def connections(run):
    with run.load() as ledger:
        with no_connections(run):
            begun = time.monotonic()
            time.sleep(2)
            longest = max(a.seconds for a in ledger.asked if a.began > begun)
        again = time.monotonic()
        time.sleep(2)
    yield at_most("longest wait for a refusal, s", longest, 5.0)
    yield from recovered(ledger, [(begun, again)])
    yield from run.reckon(ledger)


@contextlib.contextmanager
def no_connections(run):
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


def redis(run):
    """Stop, pause and slow Redis; compare the time of 19 of 20 calls. Without hurry."""
    server, service = run.stack.redis, run.service
    with run.visits(4, pause=0.02) as visits:
        ledger = visits.ledger
        usual, _ = spent(run, ledger, "ok")
        server.stop()
        states = {"stopped": spent(run, ledger, "degraded")}
        server.start()
        server.pause()
        states["hanging"] = spent(run, ledger, "degraded")
        server.resume()
        begun = time.monotonic()
        back = until(lambda: service.readiness()["status"] == "ok") - begun
        use_redis(service, f"redis://127.0.0.1:{far_away(server.port)}/0")
        states[f"{SLOW} s away"] = spent(run, ledger, "degraded")
        use_redis(service, server.url)
    yield reported("usual time of 19 of 20 calls, s", usual)
    for state, (seconds, is_reported) in states.items():
        yield at_most(f"redis {state}: added to it, s", seconds - usual, ADDED_BY_REDIS)
        yield exactly(f"redis {state}: reported by /readyz", is_reported, 1)
    yield at_most("from its return to /readyz ok, s", back, 10)
    yield exactly("answers of 5xx", ledger.crashes, 0)
    yield from run.reckon(ledger)


def far_away(port):
    """Return a port on which what listens on another one answers SLOW seconds later."""

    async def carry(source, to, wait):
        with contextlib.suppress(OSError):
            while block := await source.read(65536):
                await asyncio.sleep(wait)
                to.write(block)
        to.close()

    async def serve(reader, writer):
        answers, requests = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, requests, 0), carry(answers, writer, SLOW))

    loop = asyncio.new_event_loop()
    listening = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return listening.sockets[0].getsockname()[1]


def use_redis(service, url):
    service.stop()
    service.environment["REDIS_URL"] = url
    service.start()


def spent(run, ledger, state):
    """Let calls continue; return their 95th percentile, and whether /readyz has this state."""
    begun = time.monotonic()
    time.sleep(REDIS_SECONDS)
    is_reported = run.service.readiness()["status"] == state
    calls = [a for a in ledger.asked if a.path.startswith("/partner/") and a.began > begun]
    taken = sorted(call.seconds for call in calls)
    return taken[int(0.95 * len(taken))], is_reported


def disk(run):
    """Fill the disk for some seconds. If PostgreSQL stops, start it again."""
    cluster, ballast = run.stack.cluster, run.stack.folder / "ballast"
    with run.load() as ledger:
        with ballast.open("wb") as file:
            for size in (2**20, 2**12):
                with contextlib.suppress(OSError):  # no space left
                    while True:
                        os.posix_fallocate(file.fileno(), file.tell(), size)
                        file.seek(size, os.SEEK_CUR)
        begun = time.monotonic()
        time.sleep(3)
        state = run.service.readiness()["status"]
        ballast.unlink()
        try:
            again = accepting(cluster.url, seconds=3)
        except TimeoutError:
            cluster.start()
            again = time.monotonic()
        time.sleep(2)
    print(f"     /readyz said {state}")
    yield from recovered(ledger, [(begun, again)])
    yield from run.reckon(ledger)


PARTS = {p.__name__: p for p in (workers, server, postgresql, connections, redis, disk)}


def figures(names, times):
    """Run the parts on a new service; yield their figures."""
    with Stack(SETTINGS) as stack:
        service = stack.service()
        service.start()
        yield from play(PARTS, names, Crash(stack, service, times))
        service.manage("rescore", "--all")  # fails if a result differs when scored again


@contextlib.contextmanager
def small_disk():
    """Put all temporary files, also those of a Stack, on a small disk in memory."""
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        options = f"size={MEGABYTES}m,mode=755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = None
            subprocess.run(["umount", folder], check=True)


def main():
    arguments = parsed(__doc__, PARTS)
    require("redis-server")
    times = 10 if arguments.full else 1
    names = [name for name in arguments.only if name != "disk"]
    missed = exit_status(figures(names, times)) if names else 0
    if "disk" in arguments.only:
        with small_disk():
            missed |= exit_status(figures(["disk"], times))
    return missed


if __name__ == "__main__":
    sys.exit(main())
