"""A second, independent opinion on what comes next: try every rule with every number in it.

Each rule is run forward from the first shown number with all values of its parameters; whatever
reproduces what is shown says what comes next. Nothing is shared with assessments.itembank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

Number = int | Fraction
Move = Callable[[Number], Number]

STEPS = range(-60, 61)
SMALL = range(-15, 16)
TINY = range(-8, 9)
TIMES = sorted({Fraction(n, d) for n in range(1, 6) for d in range(1, 6)})


def next_numbers(shown: Sequence[int]) -> set[int]:
    """Return every whole number that some rule which fits the shown ones leads to."""
    found = set(_continued(shown))
    return {int(value) for value in found if Fraction(value).denominator == 1}


def _continued(shown: Sequence[int]) -> Iterator[Number]:
    length = len(shown)
    for times, plus in product(TIMES, STEPS):
        if length >= (3 if times == 1 or plus == 0 else 4):
            yield from _run(shown, [shown[0]], lambda row, t=times, p=plus: row[-1] * t + p)
    if length >= 4:
        for step, growth in product(STEPS, SMALL):
            yield from _run(
                shown, [shown[0]], lambda row, s=step, g=growth: row[-1] + s + g * (len(row) - 1)
            )
        for times, growth in product(TIMES, range(-3, 4)):
            yield from _run(
                shown, [shown[0]], lambda row, t=times, g=growth: row[-1] * (t + g * (len(row) - 1))
            )
    if length >= 5:
        for extra in STEPS:
            yield from _run(shown, list(shown[:2]), lambda row, e=extra: row[-1] + row[-2] + e)
        for size, growth in product(range(1, 61), range(0, 16)):
            for sign in (1, -1):
                yield from _run(
                    shown,
                    [shown[0]],
                    lambda row, s=size, g=growth, d=sign: (
                        row[-1] + d * (-1) ** (len(row) - 1) * (s + g * (len(row) - 1))
                    ),
                )
        yield from _by_turns(shown)
    if length >= 6:
        for step, growth, change in product(TINY, repeat=3):
            yield from _run(
                shown,
                [shown[0]],
                lambda row, s=step, g=growth, c=change: (
                    row[-1] + s + g * (len(row) - 1) + c * (len(row) - 1) * (len(row) - 2) // 2
                ),
            )
        for step in SMALL:
            yield from _run(
                shown,
                list(shown[:3]),
                lambda row, s=step: row[-1] + (row[-1] - row[-2]) + (row[-2] - row[-3]) + s,
            )
        own, other = shown[length % 2 :: 2], shown[(length + 1) % 2 :: 2]
        if any(True for _ in _simple(other)):
            yield from _simple(own)
    if length >= 7:
        for moves in product({b - a for a, b in zip(shown, shown[1:], strict=False)}, repeat=3):
            yield from _run(shown, [shown[0]], lambda row, m=moves: row[-1] + m[(len(row) - 1) % 3])


def _simple(shown: Sequence[int]) -> Iterator[Number]:
    """Adding or multiplying; in four numbers or more also steps that grow."""
    for step in STEPS:
        yield from _run(shown, [shown[0]], lambda row, s=step: row[-1] + s)
    for times in TIMES:
        yield from _run(shown, [shown[0]], lambda row, t=times: row[-1] * t)
    if len(shown) >= 4:
        for step, growth in product(STEPS, SMALL):
            yield from _run(
                shown, [shown[0]], lambda row, s=step, g=growth: row[-1] + s + g * (len(row) - 1)
            )


def _by_turns(shown: Sequence[int]) -> Iterator[Number]:
    moves: list[Move] = [lambda n, s=step: n + s for step in STEPS]
    moves += [lambda n, t=times: n * t for times in TIMES]
    first = [move for move in moves if move(shown[0]) == shown[1]]
    second = [move for move in moves if move(shown[1]) == shown[2]]
    for pair in product(first, second):
        yield from _run(shown, [shown[0]], lambda row, p=pair: p[(len(row) - 1) % 2](row[-1]))


def _run(
    shown: Sequence[int], row: list[Number], grow: Callable[[list[Number]], Number]
) -> Iterator[Number]:
    """Yield the number after the shown ones if this rule reproduces them all."""
    if len(shown) <= len(row):
        return
    for expected in shown[len(row) :]:
        row.append(grow(row))
        if row[-1] != expected:
            return
    yield grow(row)
