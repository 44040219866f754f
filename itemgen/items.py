"""A generated aptitude item, before it is given a code and written to a bank."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LANGUAGES: tuple[str, ...] = ("en", "hi")
DISCRIMINATION = 1.1
HARDEST = 2.8


@dataclass(frozen=True)
class Draft:
    """An item as its generator made it; the same rule, seed and place make the same item.

    `text` is the question itself; what it is about stands in `passage` (paragraphs per language),
    `lines` (rows of signs, the same in every language) or `figure`. An option has a label per
    language, and a picture in `option_figures` where its label is only a letter. `seconds` is the
    time that a reader of class 10 is expected to need, reading included.
    """

    family: str
    rule: str
    text: Mapping[str, str]
    options: tuple[Mapping[str, str], ...]
    key: int
    radicals: Mapping[str, int]
    b: float
    seconds: int
    lines: tuple[str, ...] = ()
    passage: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    figure: Mapping[str, Any] | None = None
    option_figures: tuple[Mapping[str, Any], ...] = ()

    @property
    def guessing(self) -> float:
        """Return the chance of a correct answer by guessing, somewhat below one in n."""
        return round(0.9 / len(self.options), 4)


class CannotGenerate(RuntimeError):
    """No sound item came of this rule and seed."""


def in_all(sign: str) -> dict[str, str]:
    """Return a label of numbers or letters, which reads alike in every language."""
    return dict.fromkeys(LANGUAGES, sign)


def seeded(family: str, rule: str, seed: int) -> random.Random:
    """Return the random numbers of one item, always the same ones."""
    return random.Random(f"{family} {rule} {seed}")  # noqa: S311 - to be repeated, not secret


def rule_difficulty(
    base: float, weights: Mapping[str, float], radicals: Mapping[str, int]
) -> float:
    """Return the difficulty that an item's radicals let expect, within +-2.8."""
    expected = base + sum(weights[name] * count for name, count in radicals.items())
    return round(max(-HARDEST, min(HARDEST, expected)), 4)
