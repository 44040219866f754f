"""The parts of bench/api.py: each measures one thing and gives its figures, target beside."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Self

from bench import api_cost, api_scale, api_start, api_statements
from bench.api_cost import Cost, Side
from bench.server_settings import altered
from tests.support.figures import Figure, at_most, exactly, told
from tests.support.stack import Stack

if TYPE_CHECKING:
    from bench.api_rows import Rows
    from bench.floor_server import Floor
    from tests.support.server import Service

OPERATIONS = ("link", "results")
FEW = 10_000  # attempts
NO_LIMIT = "100000000"  # calls a minute: counted, and never reached
RATIO, AMBITION = 1.75, 1.5
SLOWEST_MS, MANY_CONNECTIONS, EVEN = 100, 64, 0.75
MEMORY_MIB, READY_SECONDS, GROWTH = 110, 2.0, 1.15
UNIT = "CPU s of 1,000 calls"


@dataclass(frozen=True)
class Plan:
    """How much to measure. `seconds` are of one run, `attempts` those in the large tables."""

    rounds: int
    seconds: float
    connections: int
    attempts: int
    starts: int
    metrics: bool


@dataclass
class Ground:
    """What is measured on: the service and the floor on one database, and a copy to fill."""

    stack: Stack
    plan: Plan
    service: Service
    large: Service
    floor: Floor
    made: dict[str, Any]
    rows: Rows

    @classmethod
    def prepare(cls, exits: ExitStack, stack: Stack, plan: Plan) -> Self:
        """Make it, with few rows. The service and the floor run."""
        service = stack.service(
            LINK_RATE_PER_MINUTE=NO_LIMIT,
            RESULTS_RATE_PER_MINUTE=NO_LIMIT,
            METRICS_TOKEN=secrets.token_urlsafe(32) if plan.metrics else "",
        )
        from bench import api_rows  # these need what the stack has set
        from bench.floor_server import Floor

        program = "import json; from bench import api_prepare; print(json.dumps(api_prepare"
        program += f".callers({api_rows.PROJECTS})))"
        made = json.loads(service.manage("shell", "--no-imports", "-c", program))
        large = api_scale.twin(stack, service)
        exits.callback(large.close)
        rows = api_rows.fill(stack.cluster, service.environment["DATABASE_URL"], made, FEW)
        floor = Floor(service, stack.folder, NO_LIMIT)
        exits.callback(floor.stop)
        floor.start()
        service.start()
        return cls(stack, plan, service, large, floor, made, rows)

    @property
    def sides(self) -> tuple[Side, Side]:
        """The service and the floor, in this order."""
        service = self.side("service", self.service, self.rows)
        return service, self.side("floor", self.floor, self.rows)

    def side(self, name: str, server: Service | Floor, rows: Rows) -> Side:
        behind = self.stack.cluster.pid, self.stack.redis.pid
        return Side(name, server.port, server.pid, *behind, rows.calls)

    def rounds(self, sides: Sequence[Side], name: str) -> dict[str, list[Cost]]:
        """Measure each side in turns, as the plan says, and print the rounds."""
        plan = self.plan
        costs = api_cost.rounds(sides, name, plan.rounds, plan.seconds, plan.connections)
        for one, other in zip(*costs.values(), strict=True):
            print(f"     {name}: {one}   against {other}: {one.total / other.total:.2f}")
        return costs


def same_work(ground: Ground) -> Iterator[Figure]:
    """See whether the floor does what the service does."""
    from bench import floor_same

    made, differ = floor_same.compare(ground.service, ground.sides, ground.made)
    print(*differ, sep="\n")
    yield exactly(f"of {made} right and wrong calls, answered differently", len(differ), 0)
    for name in OPERATIONS:
        sent, trips = [], []
        for side in ground.sides:
            sent.append(api_statements.statements(ground.stack, ground.service, side, name))
            trips.append(api_statements.redis_trips(ground.stack, side, name))
            for sql in sent[-1]:
                print(f"     {name}, {side.name}: {sql[:75]}")
        yield exactly(f"{name}: SQL statements, against the floor's", len(sent[0]), len(sent[1]))
        yield exactly(f"{name}: questions to Redis, against the floor's", *trips)
    for side in ground.sides:
        found = api_statements.on_disk(ground.service, side, "link")
        yield exactly(f"links on disk when answered, {side.name}", found, api_statements.CALLS)


def ratio(ground: Ground) -> Iterator[Figure]:
    """Compare what the operations cost."""
    for name in OPERATIONS:
        costs = ground.rounds(ground.sides, name)
        times = api_cost.ratio(*costs.values())
        yield at_most(f"{name}: times the floor's CPU (ambition {AMBITION})", times, RATIO)
        yield told(f"{name}: the same, best round of each", api_cost.best_ratio(*costs.values()))
        for side, found in costs.items():
            yield from costs_by_part(f"{name}, {side}", found)
    # Among them: that Redis was left alone for some seconds, which would make calls cheap.
    errors = ground.service.logs().count('"level": "ERROR"')
    yield exactly("errors in the service's log", errors, 0)


def slowest(ground: Ground) -> Iterator[Figure]:
    """Measure the slowest of a hundred answers at many connections."""
    for name in OPERATIONS:
        for side in ground.sides:
            cost = api_cost.cost(side, name, 2 * ground.plan.seconds, MANY_CONNECTIONS)
            text = f"{name}, {side.name}, {MANY_CONNECTIONS} connections"
            yield told(f"{text}: calls", cost.answered.per_second, "a second")
            p99 = 1000 * cost.answered.quantile(0.99)
            if side.name == "floor":
                yield told(f"{text}: p99, ms", p99)
            else:
                yield at_most(f"{text}: p99, ms", p99, SLOWEST_MS)
                yield at_most(f"{text}: busier worker's share", cost.busiest, EVEN)


def starts(ground: Ground) -> Iterator[Figure]:
    """Start the service several times, and leave it running."""
    yield told("a worker after this load, MiB", api_start.worker_mib(ground.service.pid))
    seconds = []
    for _ in range(ground.plan.starts):
        ground.service.stop()
        seconds.append(api_start.ready_seconds(ground.service))
    yield at_most("a worker at rest, MiB", api_start.worker_mib(ground.service.pid), MEMORY_MIB)
    yield at_most("seconds from start to ready, the median", median(seconds), READY_SECONDS)
    yield told("seconds from start to ready, the slowest", max(seconds), f"of {len(seconds)}")


def scale(ground: Ground) -> Iterator[Figure]:
    """Compare few rows with many: two services of one PostgreSQL, each with its database."""
    from bench import api_rows

    begun, attempts = time.monotonic(), f"{ground.plan.attempts:,} attempts"
    url = ground.large.environment["DATABASE_URL"]
    rows = api_rows.fill(ground.stack.cluster, url, ground.made, ground.plan.attempts)
    yield told(f"seconds to fill in {attempts}", time.monotonic() - begun)
    for name, (table, indexes) in api_scale.bytes_each(ground.large).items():
        yield told(f"bytes of each {name} in its table", round(table))
        yield told(f"bytes of each {name} in its indexes", round(indexes))
    ground.large.start()
    few, large = ground.sides[0], ground.side(attempts, ground.large, rows)
    # Since the checkpoint that the filling ended with nothing has been written: each page that is
    # touched now goes into the log whole, once.
    yield from written(ground, large, "after a checkpoint")
    with altered(ground.stack.cluster, {"full_page_writes": "off"}):
        yield from written(ground, large, "no page images")
    for name in OPERATIONS:
        costs = ground.rounds((large, few), name)
        times = api_cost.ratio(*costs.values())
        yield at_most(f"{name}: times the CPU of {FEW:,} attempts", times, GROWTH)
        yield told(f"{name}: the same, best round of each", api_cost.best_ratio(*costs.values()))
        yield from costs_by_part(f"{name}, {attempts}", costs[attempts])
        yield from costs_by_part(f"{name}, {FEW:,} attempts", costs[few.name])


def written(ground: Ground, side: Side, when: str) -> Iterator[Figure]:
    """Tell what a link writes to PostgreSQL's log."""
    for name in ("link of a known student", "link of a new student"):
        found = api_scale.log_bytes(ground.large, side, name, ground.plan.seconds)
        yield told(f"WAL bytes, {name}, {when}", round(found))


def costs_by_part(name: str, costs: list[Cost]) -> Iterator[Figure]:
    """Tell what calls cost, by where, as the median of the rounds."""
    yield told(f"{name}: in all", median(cost.total for cost in costs), UNIT)
    yield told(f"{name}: web server", median(cost.application for cost in costs), UNIT)
    yield told(f"{name}: PostgreSQL", median(cost.postgresql for cost in costs), UNIT)
    yield told(f"{name}: Redis", median(cost.redis for cost in costs), UNIT)
    yield told(f"{name}: busier worker", median(cost.busiest for cost in costs), "share of its CPU")


RATIO_ONLY = (same_work, ratio)
ALL = (*RATIO_ONLY, slowest, starts, scale)
