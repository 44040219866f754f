"""Generated aptitude items, before they get a code and a place in a bank."""

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
    """An item as generated; the same rule, seed and place always give the same item.

    `text` is the question. Its material is in `passage` (paragraphs per language), `lines` (rows of
    signs, the same in every language) or `figure`. An option has a label per language; if the label
    is only a letter, `option_figures` has its picture. `seconds` is the time that a reader of
    class 10 is expected to need, including reading.
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
    """This rule and seed give no sound item."""


def in_all(sign: str) -> dict[str, str]:
    """Return a label of numbers or letters, which is the same in every language."""
    return dict.fromkeys(LANGUAGES, sign)


def seeded(family: str, rule: str, seed: int) -> random.Random:
    """Return a random generator for one item, seeded so that its numbers are reproducible."""
    return random.Random(f"{family} {rule} {seed}")  # noqa: S311 - to be repeated, not secret


def rule_difficulty(
    base: float, weights: Mapping[str, float], radicals: Mapping[str, int]
) -> float:
    """Return the difficulty expected from an item's radicals, within +-2.8."""
    expected = base + sum(weights[name] * count for name, count in radicals.items())
    return round(max(-HARDEST, min(HARDEST, expected)), 4)
