"""What calls cost: CPU of the web server, of PostgreSQL and of Redis, each apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench import load
from bench.load import Answered, Call
from tests.support import cpu

WARM_UP = 1.0  # seconds


class Failed(Exception):
    """An answer was not the right one: no figure of this run means anything."""


@dataclass(frozen=True)
class Side:
    """One server under load: its port and first process, what stands behind it, what to ask it.

    `calls` gives calls without end by the name of what they are.
    """

    name: str
    port: int
    pid: int
    postgresql: int
    redis: int
    calls: Callable[[str], Iterator[Call]]


@dataclass(frozen=True)
class Cost:
    """CPU seconds, user and system, of 1,000 calls; and the part of the busiest worker process."""

    application: float
    postgresql: float
    redis: float
    busiest: float
    answered: Answered

    @property
    def total(self) -> float:
        return self.application + self.postgresql + self.redis

    def __str__(self) -> str:
        parts = f"{self.application:.3f} + {self.postgresql:.3f} + {self.redis:.3f}"
        return f"{self.total:.3f} = {parts}"


def cost(side: Side, name: str, seconds: float, connections: int) -> Cost:
    """Call for some seconds and return what it cost. Raise Failed for a wrong answer."""
    processes = [side.pid, side.postgresql, side.redis, *cpu.descendants(side.pid)]
    before = [cpu.seconds(pid) for pid in processes]
    answered = load.run(side.port, side.calls(name), seconds, connections)
    spent = [cpu.seconds(pid) - begun for pid, begun in zip(processes, before, strict=True)]
    if answered.faults:
        raise Failed(f"{side.name}: {answered.faults[0]}")
    web, postgresql, redis = (1000 * value / answered.count for value in spent[:3])
    workers = spent[3:]
    return Cost(web, postgresql, redis, max(workers) / (sum(workers) or 1), answered)


def rounds(
    sides: Sequence[Side], name: str, count: int, seconds: float, connections: int
) -> dict[str, list[Cost]]:
    """Return the costs of each side, by its name, taken in turns so that noise meets all alike."""
    for side in sides:
        cost(side, name, min(WARM_UP, seconds / 2), connections)
    found: dict[str, list[Cost]] = {side.name: [] for side in sides}
    for number in range(count):
        # Who comes first changes, as the first finds the machine as the last round left it.
        for side in sides if number % 2 == 0 else reversed(sides):
            found[side.name].append(cost(side, name, seconds, connections))
    return found


def ratio(costs: Sequence[Cost], others: Sequence[Cost]) -> float:
    """Return how many times as much a call costs: the median of the rounds, pair by pair."""
    return median(one.total / other.total for one, other in zip(costs, others, strict=True))


def best_ratio(costs: Sequence[Cost], others: Sequence[Cost]) -> float:
    """Return the same of the cheapest round of each: what else runs only adds to a cost."""
    return min(one.total for one in costs) / min(other.total for other in others)
