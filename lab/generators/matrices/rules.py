"""The rules that a matrix can follow, and the value that each predicts for the empty place.

A rule is about one attribute, and holds in every row or in every column. Along diagonals, students
notice at most equal values, or the same three values again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from lab.generators.matrices.cells import CYCLES, NUMBERS, PARTS, Value, domain

# Predicts the third value from the first and the second; None if the rule does not apply.
Rule = Callable[[Any, Any], Value | None]
Parts = tuple[int, ...]
PartsRule = Callable[[Parts, Parts], Parts]

# Ways through the nine places in threes. The empty place comes last.
STRAIGHT = (((0, 1, 2), (3, 4, 5), (6, 7, 8)), ((0, 3, 6), (1, 4, 7), (2, 5, 8)))
DIAGONALS = (((1, 5, 6), (2, 3, 7), (0, 4, 8)), ((0, 5, 7), (2, 4, 6), (1, 3, 8)))
EMPTY = 8


def _alike(a: Value, b: Value) -> Value | None:
    return a if a == b else None


ANY: tuple[Rule, ...] = (_alike, lambda a, b: a, lambda a, b: b)
NUMERIC: tuple[Rule, ...] = (
    lambda a, b: 2 * b - a,
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: b - a,
)


def predictions(name: str, shown: Sequence[Value]) -> set[Value]:
    """Return the ninth values predicted by the rules that fit the eight shown values."""
    found = {value for way in STRAIGHT for value in _along(way, rules_of(name), shown)}
    found |= {value for way in DIAGONALS for value in _along(way, (_alike,), shown)}
    return found if name in PARTS else found & set(domain(name))


def numbers_expected(shown: Sequence[Value]) -> set[Value]:
    """Return the numbers of parts predicted by only counting parts in rows or columns."""
    numbers = [len(value) for value in shown if isinstance(value, tuple)]
    return {value for ways in STRAIGHT for value in _along(ways, rules_of("count"), numbers)}


def selection(first: bool, second: bool, both: bool) -> PartsRule:
    """Return the rule that keeps parts that are only in the first, only in the second, in both."""

    def kept(a: Parts, b: Parts) -> Parts:
        chosen = set(a) - set(b) if first else set()
        chosen |= set(b) - set(a) if second else set()
        chosen |= set(a) & set(b) if both else set()
        return tuple(sorted(chosen))

    return kept


ADDED = selection(True, True, True)
TAKEN = selection(True, False, False)
KEPT = selection(False, False, True)
EXCLUSIVE = selection(True, True, False)
SELECTIONS = tuple(selection(*kinds) for kinds in product((False, True), repeat=3))


def rules_of(name: str) -> tuple[Rule, ...]:
    """Return the rules that an attribute can follow, besides the distribution of three values."""
    if name in PARTS:
        return SELECTIONS
    if name in CYCLES:
        return (*ANY, lambda a, b: (2 * b - a) % CYCLES[name])
    return (*ANY, *NUMERIC) if name in NUMBERS else ANY


def _along(
    ways: Sequence[Sequence[int]], rules: Sequence[Rule], shown: Sequence[Value]
) -> Iterator[Value]:
    *whole, begun = [[shown[place] for place in way if place != EMPTY] for way in ways]
    for rule in rules:
        expected = rule(*begun)
        if expected is not None and all(rule(a, b) == c for a, b, c in whole):
            yield expected
    three = set(whole[0])
    if len(three) == 3 and set(whole[1]) == three and len(set(begun)) == 2 and set(begun) < three:
        yield from three - set(begun)
