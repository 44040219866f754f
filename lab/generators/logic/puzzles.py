"""Verbal logic items before they are put into words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

UNKNOWN = "unknown"


class Statement(NamedTuple):
    """A sentence of a scene, by name, and the numbers of the things that it is about."""

    says: str
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Premises, a question, the key, and possible wrong options.

    Statements in `wrong` do not follow in any reading of the premises. Those in `lures` follow only
    if "if" is read as "if and only if", or "all" in both directions; `lured` of them are shown.
    """

    scene: str
    count: int
    premises: tuple[Statement, ...]
    question: str
    key: Statement
    wrong: tuple[Statement, ...]
    radicals: dict[str, int]
    lures: tuple[Statement, ...] = ()
    lured: int = 0


def integration(premises: Sequence[Statement]) -> int:
    """Return how hard it is to join the premises in this order.

    0: each begins with the end of the one before; 1: each has something in common with the one
    before; 2: some have nothing in common with the one before.
    """
    pairs = list(zip(premises, premises[1:], strict=False))
    if all(before.about[-1] == after.about[0] for before, after in pairs):
        return 0
    return 1 if all(set(before.about) & set(after.about) for before, after in pairs) else 2


def arranged(rng: random.Random, premises: Sequence[Statement], order: int) -> list[Statement]:
    """Return the premises of a chain in order (0), reversed (1) or scrambled (2)."""
    if order == 0:
        return list(premises)
    if order == 1:
        return list(reversed(premises))
    mixed = list(premises)
    rng.shuffle(mixed)
    return mixed
