"""Choosing the wrong options of an item, so that the options alone give nothing away."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

OPTIONS = 5

Value = TypeVar("Value", bound=Hashable)
Features = Callable[[Value], Sequence[Hashable]]


def choose_options(
    *,
    key: Value,
    slips: Iterable[Value],
    views: Sequence[Features[Value]],
    place: int,
    typical: bool,
    order: Callable[[Value], tuple[int, ...]],
    accepts: Callable[[Sequence[Value]], bool],
    rng: random.Random,
) -> list[Value] | None:
    """Return the key and four of the slips in order, the key at the given place (from 1).

    Somebody who sees only the options may take the one that has most in common with the others,
    in one view of them or another. `typical` says whether that leads to the key: asked for in
    one item out of five or six, it helps no more than guessing. Return None if no four slips fit
    that are also accepted.
    """
    pool = sorted(set(slips) - {key}, key=order)
    sets = list(combinations(pool, OPTIONS - 1))
    rng.shuffle(sets)
    for wrong in sets:
        options = sorted((key, *wrong), key=order)
        if options.index(key) != place - 1 or not accepts(options):
            continue
        if _is_typical(key, options, views) is typical:
            return options
    return None


def some(values: Iterable[Value], most: int, rng: random.Random) -> list[Value]:
    """Return so many of the values, or all: of many there would be too many sets to look at."""
    found = list(values)
    return found if len(found) <= most else rng.sample(found, most)


def most_typical(options: Sequence[Value], features: Features[Value]) -> list[Value]:
    """Return the options that share most features with the others."""
    shared = _shared(options, features)
    return [option for option, score in zip(options, shared, strict=True) if score == max(shared)]


def least_typical(options: Sequence[Value], features: Features[Value]) -> list[Value]:
    """Return the options that share fewest features with the others."""
    shared = _shared(options, features)
    return [option for option, score in zip(options, shared, strict=True) if score == min(shared)]


def _shared(options: Sequence[Value], features: Features[Value]) -> list[int]:
    described = [tuple(features(option)) for option in options]
    counts = Counter(pair for each in described for pair in enumerate(each))
    return [sum(counts[pair] for pair in enumerate(each)) for each in described]


def _is_typical(
    key: Value, options: Sequence[Value], views: Sequence[Features[Value]]
) -> bool | None:
    """Tell whether every view that prefers some options prefers the key; None if only some do."""
    preferred = [most_typical(options, view) for view in views]
    telling = [each for each in preferred if len(each) < len(options)]
    if all(key not in each for each in telling):
        return False
    return True if [key] in telling and all(key in each for each in telling) else None
