"""Choose the wrong options of an item so that the options alone do not reveal the key."""

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
    """Return the key and four of the slips in order, with the key at the given place (from 1).

    A student who sees only the options may pick the one that has most in common with the others, in
    one of `views`. `typical` says whether this leads to the key: if it does in one item of five or
    six, it works no better than guessing. Returns None if no four slips fit and are accepted.
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
    """Return at most `most` of the values, to limit the number of sets to check."""
    found = list(values)
    return found if len(found) <= most else rng.sample(found, most)


def most_typical(options: Sequence[Value], features: Features[Value]) -> list[Value]:
    """Return the options that share the most features with the others."""
    shared = _shared(options, features)
    return [option for option, score in zip(options, shared, strict=True) if score == max(shared)]


def least_typical(options: Sequence[Value], features: Features[Value]) -> list[Value]:
    """Return the options that share the fewest features with the others."""
    shared = _shared(options, features)
    return [option for option, score in zip(options, shared, strict=True) if score == min(shared)]


def _shared(options: Sequence[Value], features: Features[Value]) -> list[int]:
    described = [tuple(features(option)) for option in options]
    counts = Counter(pair for each in described for pair in enumerate(each))
    return [sum(counts[pair] for pair in enumerate(each)) for each in described]


def _is_typical(
    key: Value, options: Sequence[Value], views: Sequence[Features[Value]]
) -> bool | None:
    """Tell whether all views that prefer some options prefer the key; None if they disagree."""
    preferred = [most_typical(options, view) for view in views]
    telling = [each for each in preferred if len(each) < len(options)]
    if all(key not in each for each in telling):
        return False
    return True if [key] in telling and all(key in each for each in telling) else None
