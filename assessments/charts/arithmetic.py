"""Shares, changes and medians of counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# A percentage of fewer says more about chance than about the service.
LEAST_BASE = 10
BIN_WIDTHS = (1, 2, 5, 10, 15, 30, 60)
MOST_BINS = 12
# What is slower than this share of all goes together into the last bin.
USUAL = 0.9


def percent(part: int, base: int) -> float | None:
    """Return how many of a hundred; None if the base is too small to say so."""
    return 100 * part / base if base >= LEAST_BASE else None


def change(now: int, before: int) -> int | None:
    """Return by how many percent a count grew; None if there were too few before to say so."""
    grown = percent(now - before, before)
    return None if grown is None else round(grown)


def quantile(minutes: Mapping[int, int], share: float) -> int | None:
    """Return the fewest whole minutes that a share of all did not exceed; None without any.

    `minutes` maps whole minutes to how many took them. Of an even number the lower middle counts.
    """
    wanted = max(1, math.ceil(share * sum(minutes.values())))
    seen = 0
    for minute in sorted(minutes):
        seen += minutes[minute]
        if seen >= wanted:
            return minute
    return None


def median(minutes: Mapping[int, int]) -> int | None:
    """Return the whole minutes that half of all did not exceed; None without any."""
    return quantile(minutes, 0.5)


@dataclass(frozen=True, slots=True)
class Bin:
    """How many took so long: from `first` to `last` whole minutes, None: or longer."""

    first: int
    last: int | None
    count: int


def bins(minutes: Mapping[int, int]) -> list[Bin]:
    """Return the durations in at most MOST_BINS bins of one width, the last one open if need be."""
    found = {minute: count for minute, count in minutes.items() if count}
    slow = quantile(found, USUAL)
    if slow is None:
        return []
    lowest = min(found)
    widths = (each for each in BIN_WIDTHS if slow // each - lowest // each < MOST_BINS)
    width = next(widths, BIN_WIDTHS[-1])
    first = lowest // width
    last = min(max(found) // width, first + MOST_BINS - 1)
    counts = dict.fromkeys(range(first, last + 1), 0)
    for minute, count in found.items():
        counts[min(minute // width, last)] += count
    is_open = max(found) // width > last
    return [
        Bin(
            first=place * width,
            last=None if is_open and place == last else (place + 1) * width - 1,
            count=count,
        )
        for place, count in counts.items()
    ]


def added(histograms: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of counts by name."""
    total: dict[str, int] = {}
    for histogram in histograms:
        for name, count in histogram.items():
            total[name] = total.get(name, 0) + count
    return total


def top(counts: Mapping[str, int], most: int) -> tuple[list[tuple[str, int]], int]:
    """Return the largest counts with their names, and how many names are left over.

    Equal counts stand in the order of the alphabet.
    """
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ranked[:most], len(ranked[most:])
