"""Play a fault under load, and say what clients met and whether anything was lost."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import psycopg

from deploy.drills.deployed import Deployed
from deploy.drills.nodes import POSTGRESQL_PORT, Node
from tests.support.clients import Client, Failed, Partner
from tests.support.figures import Figure, at_least, at_most, exactly, reported
from tests.support.ledger import Ledger, lost
from tests.support.programs import until
from tests.support.visits import Visits

THREADS = 12
BEFORE, AFTER = 3.0, 5.0  # seconds of load before the fault and after the repair
STUCK, CALLS, USUAL = 60, 16, 2.0  # seconds after the repair; calls then; seconds for the slowest
_VIOLATIONS = (
    "import json; from tests.support import invariants; print(json.dumps(invariants.violations()))"
)


@dataclass(frozen=True)
class Fault:
    """What breaks, and how it is put right again.

    `without` is the target in seconds for the longest time without an acknowledged write, and
    `failed` the number of requests that may fail; None: the figure has no target. The load goes on
    for `lasts` seconds before the repair. What `loses` is played for comparison.
    """

    name: str
    act: Callable[[], object]
    repair: Callable[[], object]
    without: float | None
    failed: int | None = None
    lasts: float = 30.0
    pages: int | None = 3  # of a visit; None: all, and some students leave
    loses: bool = False
    more: Callable[[Outcome], list[Figure]] = field(default=lambda _: [])


@dataclass(frozen=True)
class Outcome:
    """What happened: the ledger of all requests, and when the repair began."""

    ledger: Ledger
    mended: float


def play_fault(deployed: Deployed, partner: Partner, fault: Fault) -> list[Figure]:
    """Break something while students take assessments, repair it, and compare."""
    name = fault.name
    deployed.nodes.until_whole()
    with Visits(deployed.gate, [partner], THREADS, pages=fault.pages) as visits:
        ledger = visits.ledger
        time.sleep(BEFORE)
        begun = time.monotonic()
        fault.act()
        time.sleep(fault.lasts)
        mended = time.monotonic()
        fault.repair()
        repaired = time.monotonic()
        deployed.nodes.until_whole(180)
        whole = time.monotonic()
        time.sleep(AFTER)
        ended = time.monotonic()
    time.sleep(max(0, repaired + STUCK - time.monotonic()))
    slowest = _slowest_call(deployed, partner)
    gone = lost(ledger, deployed.rows)
    violations = json.loads(deployed.manage("shell", "--no-imports", "-c", _VIOLATIONS))
    outcome = Outcome(ledger, mended)
    unanswered = _longest_gap(ledger, begun, ended)
    without = f"{name}: longest time without an acknowledged write, s"
    failures = f"{name}: of {len(ledger.asked)} requests failed {ledger.failures}"
    of = len(ledger.acknowledged)
    return [
        at_most(without, unanswered, fault.without)
        if fault.without
        else reported(without, unanswered),
        reported(failures, ledger.failed)
        if fault.failed is None
        else exactly(failures, ledger.failed, fault.failed),
        # If the program found no loss here, it could not find one elsewhere either.
        at_least(f"{name}: of {of} acknowledged writes lost", len(gone), 1)
        if fault.loses
        else exactly(f"{name}: of {of} acknowledged writes lost", len(gone), 0),
        # After a loss, answers that clients saw disagree with the rows; no row breaks a rule.
        exactly(f"{name}: invariants broken {violations[:3]}", len(violations), 0),
        reported(f"{name}: seconds from the repair until the cluster was whole", whole - repaired),
        at_most(f"{name}: the slowest of {CALLS} calls a minute later, s", slowest, USUAL),
        *fault.more(outcome),
    ]


def _longest_gap(ledger: Ledger, begun: float, ended: float) -> float:
    """Return the longest time without an acknowledged write between two moments, in seconds."""
    written = sorted(done.at for done in ledger.acknowledged if begun < done.at < ended)
    return max(later - earlier for earlier, later in pairwise([begun, *written, ended]))


def _slowest_call(deployed: Deployed, partner: Partner) -> float:
    """Return the longest of some calls at once, one for each thread of both web machines, in s.

    A thread that hung would keep its call waiting.
    """
    ledger = Ledger()

    def call(number: int) -> None:
        with contextlib.suppress(Failed):
            client = Client(deployed.gate, ledger)
            partner.link(client, f"later{number}@example.com")
            client.close()

    threads = [threading.Thread(target=call, args=(number,)) for number in range(CALLS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if ledger.failed:
        raise AssertionError(f"calls fail a minute later: {ledger.failures}")
    return ledger.quantile(1) / 1000


class Sampled:
    """A thread that repeats a function until it is stopped, or fails."""

    def __init__(self, sample: Callable[[], object], pause: float = 0.02) -> None:
        self._sample, self._pause = sample, pause
        self._stopping = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop it. Raise the error with which it ended before."""
        self._stopping.set()
        self._thread.join(60)
        if self._error is not None:
            raise self._error
        if self._thread.is_alive():
            raise TimeoutError("the function does not return")

    def _go_on(self) -> None:
        while not self._stopping.wait(self._pause):
            try:
                self._sample()
            except Exception as error:  # raised by `stop`
                self._error = error
                return


class Direct:
    """Connects to a node past HAProxy, as a client might that was never told of a new primary."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self.seen: list[tuple[float, list[str]]] = []  # who called themselves primary, and when
        self.written: list[float] = []  # acknowledged writes to the first node
        self._samples = [Sampled(self._look), Sampled(self._write)]

    def start(self) -> None:
        url = self._url(self._nodes[0])
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS drill_written (at float)")
        for sample in self._samples:
            sample.start()

    def stop(self) -> None:
        for sample in self._samples:
            sample.stop()

    def both(self) -> float:
        """Return for how long two called themselves primary, in seconds."""
        return sum(
            later - now for (now, names), (later, _) in pairwise(self.seen) if len(names) > 1
        )

    def _url(self, node: Node) -> str:
        return (
            f"postgres://postgres@{node.host.address}:{POSTGRESQL_PORT}/postgres?connect_timeout=2"
        )

    def _look(self) -> None:
        now = time.monotonic()
        self.seen.append((now, [node.name for node in self._nodes if self._is_primary(node)]))

    def _is_primary(self, node: Node) -> bool:
        # A frozen server would keep the sample waiting, so ask only those whose processes run.
        if node.is_frozen:
            return False
        return node.is_primary

    def _write(self) -> None:
        with (
            contextlib.suppress(psycopg.Error),
            psycopg.connect(self._url(self._nodes[0]), autocommit=True) as connection,
        ):
            connection.execute("INSERT INTO drill_written VALUES (%s)", (time.time(),))
            self.written.append(time.monotonic())


class Feed:
    """Follows list-assessments as a partner does."""

    def __init__(self, deployed: Deployed, partner: Partner) -> None:
        self._client = Client(deployed.gate, Ledger())
        self._partner = partner
        self._cursor = ""
        self.read: list[str] = []

    def go_on(self) -> None:
        """Read what has ended since the last time."""
        with contextlib.suppress(Failed):
            page = self._partner.ended(self._client, self._cursor)
            self._cursor = page["NextCursor"]
            self.read += [record["AssessmentId"] for record in page["Assessments"]]

    def read_to_the_end(self, ids: set[str]) -> None:
        """Read until all of these attempts have come, or for two minutes."""
        with contextlib.suppress(TimeoutError):
            until(lambda: (self.go_on(), time.sleep(1)) and ids <= set(self.read), 120)
