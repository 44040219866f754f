"""Shares, changes and medians of counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# A percentage of fewer is mostly chance.
LEAST_BASE = 10
BIN_WIDTHS = (1, 2, 5, 10, 15, 30, 60)
MOST_BINS = 12
# Durations above this quantile may share the last bin.
USUAL = 0.9


def percent(part: int, base: int) -> float | None:
    """Return a percentage; None if the base is too small."""
    return 100 * part / base if base >= LEAST_BASE else None


def change(now: int, before: int) -> int | None:
    """Return the growth of a count in percent; None if there were too few before."""
    grown = percent(now - before, before)
    return None if grown is None else round(grown)


def quantile(minutes: Mapping[int, int], share: float) -> int | None:
    """Return the quantile in whole minutes for a share of all; None if there are no counts.

    `minutes` maps whole minutes to counts. The median of an even number is the lower middle.
    """
    wanted = max(1, math.ceil(share * sum(minutes.values())))
    seen = 0
    for minute in sorted(minutes):
        seen += minutes[minute]
        if seen >= wanted:
            return minute
    return None


def median(minutes: Mapping[int, int]) -> int | None:
    """Return the median in whole minutes; None if there are no counts."""
    return quantile(minutes, 0.5)


@dataclass(frozen=True, slots=True)
class Bin:
    """A count of durations from `first` to `last` whole minutes, or longer without a `last`."""

    first: int
    last: int | None
    count: int


def bins(minutes: Mapping[int, int]) -> list[Bin]:
    """Return the durations in at most MOST_BINS bins of one width; the last one may be open."""
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
    total: Counter[str] = Counter()
    for histogram in histograms:
        total.update(histogram)
    return dict(total)


def top(counts: Mapping[str, int], most: int) -> tuple[list[tuple[str, int]], int]:
    """Return the largest counts with their names, and the number of names left out.

    Equal counts are in alphabetical order.
    """
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ranked[:most], len(ranked[most:])
