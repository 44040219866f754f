"""Rows of whole numbers, and helpers shared by their writers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate


@dataclass(frozen=True)
class Row:
    """The shown numbers, the next one, the radicals, and the values of likely slips."""

    shown: tuple[int, ...]
    key: int
    radicals: dict[str, int] = field(default_factory=dict)
    slips: tuple[int, ...] = ()


def made(numbers: Sequence[int], radicals: dict[str, int], slips: Sequence[int] = ()) -> Row:
    return Row(tuple(numbers[:-1]), numbers[-1], radicals, tuple(slips))


def sums(start: int, moves: Sequence[int]) -> list[int]:
    return list(accumulate(moves, initial=start))
