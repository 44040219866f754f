"""Measure the CPU time of calls in the web server, PostgreSQL and Redis."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from bench.api.calls import Call, Calls, run
from tests.support import cpu

CONNECTIONS = 16
OPERATIONS: dict[str, Callable[[Calls], Iterator[Call]]] = {
    "link": Calls.link,
    "results": Calls.results,
}
Cost = tuple[float, ...]  # CPU seconds, user and system, of 1,000 calls: web, PostgreSQL, Redis


@dataclass(frozen=True)
class Side:
    """A server under load: its port, the first process of each program, and its calls."""

    name: str
    port: int
    pids: tuple[int, int, int]  # web server, PostgreSQL, Redis
    calls: Calls


def in_turns(
    operation: str, sides: Sequence[Side], rounds: int, seconds: float
) -> list[list[Cost]]:
    """Measure each side in turns. Return its rounds, and print them with their medians."""
    for side in sides:
        _measure(operation, side, seconds)  # warms it up
    costs: list[list[Cost]] = [[] for _ in sides]
    pairs = list(zip(sides, costs, strict=True))
    for number in range(rounds):
        # Alternate who goes first, because the previous round affects the first side.
        for side, own in pairs if number % 2 == 0 else reversed(pairs):
            own.append(_measure(operation, side, seconds))
    print(f"\n{operation}, CPU s of 1,000 calls       web PostgreSQL Redis   all   rounds")
    for side, own in pairs:
        web, postgresql, redis = (median(values) for values in zip(*own, strict=True))
        parts = f"{web:6.2f} {postgresql:10.2f} {redis:5.2f} {_total(own):5.2f}"
        print(f"{side.name:30} {parts}  ", *(f"{sum(cost):.2f}" for cost in own))
    print(f"load average {os.getloadavg()[0]:.1f}")
    return costs


def ratio(costs: Sequence[Sequence[Cost]]) -> float:
    """Return the first side's median cost divided by the second's."""
    one, other = map(_total, costs)
    return one / other


def waits(operation: str, side: Side, seconds: float, connections: int) -> tuple[float, float]:
    """Return the median and the 99th of 100 of the milliseconds that calls take."""
    took = run(side.port, OPERATIONS[operation](side.calls), seconds, connections)
    ordered = [1000 * each for each in quantiles(took, n=100)]
    return ordered[49], ordered[98]


def _total(costs: Sequence[Cost]) -> float:
    return median(map(sum, costs))


def _measure(operation: str, side: Side, seconds: float) -> Cost:
    calls = OPERATIONS[operation](side.calls)
    before = [cpu.seconds(pid) for pid in side.pids]
    answered = len(run(side.port, calls, seconds, CONNECTIONS))
    after = [cpu.seconds(pid) for pid in side.pids]
    return tuple(1000 * (b - a) / answered for a, b in zip(before, after, strict=True))
