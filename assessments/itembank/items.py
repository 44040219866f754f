"""A generated aptitude item, before it is given a code and written to a bank."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

DISCRIMINATION = 1.1
HARDEST = 2.8


@dataclass(frozen=True)
class Draft:
    """An item as its generator made it; the same rule, seed and place make the same item."""

    family: str
    text: Mapping[str, str]
    lines: tuple[str, ...]
    options: tuple[str, ...]
    key: int
    radicals: Mapping[str, int]
    b: float

    @property
    def guessing(self) -> float:
        """Return the chance of a correct answer by guessing, somewhat below one in n."""
        return round(0.9 / len(self.options), 4)


class CannotGenerate(RuntimeError):
    """No sound item came of this rule and seed."""


def seeded(family: str, rule: str, seed: int) -> random.Random:
    """Return the random numbers of one item, always the same ones."""
    return random.Random(f"{family} {rule} {seed}")  # noqa: S311 - to be repeated, not secret


def rule_difficulty(
    base: float, weights: Mapping[str, float], radicals: Mapping[str, int]
) -> float:
    """Return the difficulty that an item's radicals let expect, within +-2.8."""
    expected = base + sum(weights[name] * count for name, count in radicals.items())
    return round(max(-HARDEST, min(HARDEST, expected)), 4)
