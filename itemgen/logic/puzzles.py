"""What a verbal logic item says, before it is put into words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

UNKNOWN = "unknown"


class Statement(NamedTuple):
    """A sentence of a scene by its name, and the numbers of the things it is about."""

    says: str
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Premises, a question, the key, and what may be offered beside it.

    Nothing in `wrong` follows, however the premises are read. What is in `lures` follows only if
    "if" is taken for "if and only if", or "all" the same way; `lured` of them are to be shown.
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
    """Return how hard premises are to join as they come.

    0: each begins with what the one before ended with; 1: each has something in common with the
    one before; 2: for some, that one must be looked for.
    """
    pairs = list(zip(premises, premises[1:], strict=False))
    if all(before.about[-1] == after.about[0] for before, after in pairs):
        return 0
    return 1 if all(set(before.about) & set(after.about) for before, after in pairs) else 2


def arranged(rng: random.Random, premises: Sequence[Statement], order: int) -> list[Statement]:
    """Return premises, given as a chain, in this order: as they are, reversed or scrambled."""
    if order == 0:
        return list(premises)
    if order == 1:
        return list(reversed(premises))
    mixed = list(premises)
    rng.shuffle(mixed)
    return mixed
