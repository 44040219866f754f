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
    key: Value,
    slips: Iterable[Value],
    features: Features[Value],
    place: int,
    typical: bool,
    order: Callable[[Value], tuple[int, ...]],
    accepts: Callable[[Sequence[Value]], bool],
    rng: random.Random,
) -> list[Value] | None:
    """Return the key and four of the slips in order, the key at the given place (from 1).

    Somebody who sees only the options may take the one that has most in common with the others.
    `typical` says whether that leads to the key; asked for in one item out of five, it helps
    as little as guessing. Return None if no four slips fit that are also accepted.
    """
    pool = sorted(set(slips) - {key}, key=order)
    sets = list(combinations(pool, OPTIONS - 1))
    rng.shuffle(sets)
    for wrong in sets:
        options = sorted((key, *wrong), key=order)
        if options[place - 1] != key or not accepts(options):
            continue
        likeliest = most_typical(options, features)
        if likeliest == [key] if typical else key not in likeliest:
            return options
    return None


def most_typical(options: Sequence[Value], features: Features[Value]) -> list[Value]:
    """Return the options that share most features with the others."""
    described = [tuple(features(option)) for option in options]
    counts = Counter(pair for each in described for pair in enumerate(each))
    shared = [sum(counts[pair] for pair in enumerate(each)) for each in described]
    return [option for option, score in zip(options, shared, strict=True) if score == max(shared)]
