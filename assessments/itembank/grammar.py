"""The rules that a row of whole numbers may follow, and what each of them says comes next.

Items are written with a few of these rules and checked against all of them: an item is sound
when every rule that reproduces the shown numbers predicts the same next one. A rule counts only
if each of its parts is seen at work at least twice; otherwise any row would fit something.
Every rule returns the set of its predictions, empty where it does not reproduce the row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Row = Sequence[int]
Rule = Callable[[Row], set[int]]


def add(row: Row) -> set[int]:
    """Each number is the one before it plus the same amount: 3, 7, 11, 15."""
    moves = set(steps(row))
    return {row[-1] + moves.pop()} if len(row) >= 3 and len(moves) == 1 else set()


def multiply(row: Row) -> set[int]:
    """Each number is the one before it times (or divided by) the same amount: 3, 6, 12, 24."""
    ratios = set(factors(row))
    return _whole(row[-1] * ratios.pop()) if len(row) >= 3 and len(ratios) == 1 else set()


def growing_steps(row: Row) -> set[int]:
    """The steps change by the same amount each time: 2, 3, 5, 8, 12."""
    return _one_level_down(row, add)


def multiplying_steps(row: Row) -> set[int]:
    """The steps are multiplied each time, as in "double and add 1": 1, 3, 7, 15, 31."""
    return _one_level_down(row, multiply)


def steps_of_steps(row: Row) -> set[int]:
    """The steps have growing or multiplying steps themselves: 1, 2, 5, 11, 21, 36."""
    if len(row) < 6:
        return set()
    return _one_level_down(row, growing_steps) | _one_level_down(row, multiplying_steps)


def swinging_steps(row: Row) -> set[int]:
    """The steps go up and down by turns and their size grows evenly: 10, 11, 9, 12, 8."""
    moves = steps(row)
    if len(row) < 5 or any(a * b >= 0 for a, b in zip(moves, moves[1:], strict=False)):
        return set()
    upwards = moves[-1] < 0
    return {row[-1] + (size if upwards else -size) for size in add([abs(move) for move in moves])}


def growing_factor(row: Row) -> set[int]:
    """Each number is the one before it times a number that itself grows: 1, 2, 6, 24, 120."""
    ratios = factors(row)
    changes = {b - a for a, b in zip(ratios, ratios[1:], strict=False)}
    if len(row) < 4 or len(changes) != 1:
        return set()
    return _whole(row[-1] * (ratios[-1] + changes.pop()))


def sum_of_two(row: Row) -> set[int]:
    """Each number is the sum of the two before it, plus the same amount: 2, 3, 5, 8, 13."""
    extra = {c - b - a for a, b, c in zip(row, row[1:], row[2:], strict=False)}
    return {row[-1] + row[-2] + extra.pop()} if len(row) >= 5 and len(extra) == 1 else set()


def steps_sum_of_two(row: Row) -> set[int]:
    """Each step is the sum of the two steps before it: 1, 2, 4, 7, 12, 20."""
    return _one_level_down(row, sum_of_two)


def by_turns(row: Row) -> set[int]:
    """Two operations take turns, each adding or multiplying: 2, 5, 10, 13, 26."""
    if len(row) < 5:
        return set()
    moves = list(zip(row, row[1:], strict=False))
    resting, following = moves[(len(moves) - 1) % 2 :: 2], moves[len(moves) % 2 :: 2]
    return _same_move(following, row[-1]) if _same_move(resting, row[-1]) else set()


def three_by_turns(row: Row) -> set[int]:
    """Three steps of different size come round again and again: 1, 3, 4, 8, 10, 11, 15."""
    moves = steps(row)
    if len(row) < 7 or any(a != b for a, b in zip(moves, moves[3:], strict=False)):
        return set()
    return {row[-1] + moves[-3]}


def interleaved(row: Row) -> set[int]:
    """Two rows take turns, each with a simple rule of its own: 1, 20, 3, 18, 5, 16."""
    if len(row) < 6:
        return set()
    own, other = row[len(row) % 2 :: 2], row[(len(row) + 1) % 2 :: 2]
    simple: tuple[Rule, ...] = (add, multiply, growing_steps)
    if not any(rule(other) for rule in simple):
        return set()
    return {value for rule in simple for value in rule(own)}


GRAMMAR: tuple[Rule, ...] = (
    add,
    multiply,
    growing_steps,
    multiplying_steps,
    steps_of_steps,
    swinging_steps,
    growing_factor,
    sum_of_two,
    steps_sum_of_two,
    by_turns,
    three_by_turns,
    interleaved,
)


def predictions(row: Row) -> set[int]:
    """Return what comes next according to all rules that reproduce the row."""
    return {value for rule in GRAMMAR for value in rule(row)}


def steps(row: Row) -> list[int]:
    """Return the differences between neighbours."""
    return [b - a for a, b in zip(row, row[1:], strict=False)]


def factors(row: Row) -> list[Fraction]:
    """Return the ratios between neighbours; none where a number is 0."""
    return [] if 0 in row else [Fraction(b, a) for a, b in zip(row, row[1:], strict=False)]


def _one_level_down(row: Row, rule: Rule) -> set[int]:
    return {row[-1] + step for step in rule(steps(row))} if len(row) > 1 else set()


def _whole(value: Fraction) -> set[int]:
    return {int(value)} if value.denominator == 1 else set()


def _same_move(pairs: Sequence[tuple[int, int]], last: int) -> set[int]:
    """Return where the one operation that explains all pairs leads from the last number."""
    found: set[int] = set()
    sums = {after - before for before, after in pairs}
    if len(sums) == 1:
        found.add(last + sums.pop())
    if all(before and after for before, after in pairs):
        ratios = {Fraction(after, before) for before, after in pairs}
        if len(ratios) == 1:
            found |= _whole(last * ratios.pop())
    return found
