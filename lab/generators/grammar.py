"""The rules that a row of whole numbers may follow, and the next number that each one predicts.

Generators write items with a few of these rules and check them against all: an item is sound if
every rule that reproduces the shown numbers predicts the same next one. A rule counts only if the
row shows each of its parts at least twice; otherwise some rule would fit any row. Every rule
returns the set of its predictions, which is empty if it does not reproduce the row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, product

Row = Sequence[int]
Rule = Callable[[Row], set[int]]

# Sequences that many people know.
SQUARES = tuple(n * n for n in range(1, 26))
CUBES = tuple(n**3 for n in range(1, 9))
TRIANGLES = tuple(accumulate(range(1, 31)))
DOUBLES = tuple(2**n for n in range(11))
FACTORIALS = (1, 2, 6, 24, 120, 720)
PRIMES = tuple(n for n in range(2, 120) if all(n % d for d in range(2, n)))
KNOWN = (SQUARES, CUBES, TRIANGLES, DOUBLES, FACTORIALS, PRIMES)


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
    """The steps alternate between up and down, and their size grows evenly: 10, 11, 9, 12, 8."""
    moves = steps(row)
    if len(row) < 5 or any(a * b >= 0 for a, b in zip(moves, moves[1:], strict=False)):
        return set()
    upwards = moves[-1] < 0
    return {row[-1] + (size if upwards else -size) for size in add([abs(move) for move in moves])}


def growing_factor(row: Row) -> set[int]:
    """Each number is the one before it times (or divided by) a growing one: 1, 2, 6, 24, 120."""
    ratios = factors(row)
    if len(row) < 4 or 0 in ratios:
        return set()
    found: set[int] = set()
    for numbers, inverted in ((ratios, False), ([1 / ratio for ratio in ratios], True)):
        changes = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
        if len(changes) == 1:
            following = numbers[-1] + changes.pop()
            if not inverted:
                found |= _whole(row[-1] * following)
            elif following:
                found |= _whole(row[-1] / following)
    return found


def sum_of_two(row: Row) -> set[int]:
    """Each number is the sum of the two before it, plus the same amount: 2, 3, 5, 8, 13."""
    extra = {c - b - a for a, b, c in zip(row, row[1:], row[2:], strict=False)}
    return {row[-1] + row[-2] + extra.pop()} if len(row) >= 5 and len(extra) == 1 else set()


def sum_and_growing(row: Row) -> set[int]:
    """Each is the sum of the two before it, plus a growing amount: 2, 3, 6, 11, 20, 35."""
    extra = [c - b - a for a, b, c in zip(row, row[1:], row[2:], strict=False)]
    if len(row) < 6:
        return set()
    return {row[-1] + row[-2] + more for more in add(extra) | multiply(extra) | turning(extra)}


def times_of_two(row: Row) -> set[int]:
    """Each is the sum of multiples of the two before it, plus the same amount: 1, 2, 5, 12, 29."""
    found: set[int] = set()
    if len(row) < 6:
        return found
    for one, two in product(range(-3, 4), repeat=2):
        extra = {c - one * b - two * a for a, b, c in zip(row, row[1:], row[2:], strict=False)}
        if two and len(extra) == 1:
            found.add(one * row[-1] + two * row[-2] + extra.pop())
    return found


def product_of_two(row: Row) -> set[int]:
    """Each number is the product of the two before it, plus the same amount: 2, 3, 6, 18, 108."""
    extra = {c - b * a for a, b, c in zip(row, row[1:], row[2:], strict=False)}
    return {row[-1] * row[-2] + extra.pop()} if len(row) >= 5 and len(extra) == 1 else set()


def sum_of_three(row: Row) -> set[int]:
    """Each number is the sum of the three before it, plus the same amount: 1, 2, 3, 6, 11, 20."""
    if len(row) < 6:
        return set()
    extra = {row[n] - sum(row[n - 3 : n]) for n in range(3, len(row))}
    return {sum(row[-3:]) + extra.pop()} if len(extra) == 1 else set()


def sum_of_all(row: Row) -> set[int]:
    """Each number is the sum of all before it: 1, 3, 4, 8, 16, 32."""
    is_sum = len(row) >= 5 and all(row[n] == sum(row[:n]) for n in range(2, len(row)))
    return {sum(row)} if is_sum else set()


def steps_sum_of_two(row: Row) -> set[int]:
    """Each step is the sum of the two steps before it: 1, 2, 4, 7, 12, 20."""
    return _one_level_down(row, sum_of_two)


def multiply_and_growing(row: Row) -> set[int]:
    """Each is the one before it times the same amount, plus a growing one: 1, 3, 8, 19, 42."""
    found: set[int] = set()
    if len(row) < 5:
        return found
    for factor in (Fraction(1, 2), Fraction(2), Fraction(3), Fraction(4), Fraction(5)):
        extra = [b - factor * a for a, b in zip(row, row[1:], strict=False)]
        if all(each.denominator == 1 for each in extra):
            more = [int(each) for each in extra]
            for following in add(more) | multiply(more) | turning(more):
                found |= _whole(factor * row[-1] + following)
    return found


def by_turns(row: Row) -> set[int]:
    """Two operations alternate, each adding or multiplying: 2, 5, 10, 13, 26."""
    if len(row) < 5:
        return set()
    moves = list(zip(row, row[1:], strict=False))
    resting, following = moves[(len(moves) - 1) % 2 :: 2], moves[len(moves) % 2 :: 2]
    return _move(following, row[-1]) if _move(resting, row[-1]) else set()


def three_by_turns(row: Row) -> set[int]:
    """Three operations repeat in turn: 1, 3, 4, 8, 10, 11, 15."""
    if len(row) < 7:
        return set()
    moves = list(zip(row, row[1:], strict=False))
    start = len(moves)
    others = moves[(start + 1) % 3 :: 3], moves[(start + 2) % 3 :: 3]
    return _move(moves[start % 3 :: 3], row[-1]) if all(_move(m, 0) for m in others) else set()


def turning_steps(row: Row) -> set[int]:
    """The steps are two alternating rows, or follow two operations: 5, 7, 6, 10, 9, 15, 14."""
    return _one_level_down(row, interleaved) | _one_level_down(row, by_turns)


def interleaved(row: Row) -> set[int]:
    """Two rows alternate, each with its own simple rule: 1, 20, 3, 18, 5, 16."""
    if len(row) < 6:
        return set()
    own, other = row[len(row) % 2 :: 2], row[(len(row) + 1) % 2 :: 2]
    return _simple(own) if _simple(other) else set()


def three_rows(row: Row) -> set[int]:
    """Three rows alternate, each with its own simple rule: 1, 9, 2, 3, 8, 4, 5, 7, 8."""
    if len(row) < 9:
        return set()
    own, one, two = (row[(len(row) + n) % 3 :: 3] for n in range(3))
    return _simple(own) if _simple(one) and _simple(two) else set()


def paired(row: Row) -> set[int]:
    """Every second number follows from the one before it by one rule: 3, 9, 7, 49, 4, 16, 5."""
    if len(row) < 6:
        return set()
    pairs = list(zip(row[::2], row[1::2], strict=False))
    squared = all(b == a * a for a, b in pairs)
    if len(row) % 2 == 0:
        return _simple(row[::2]) if squared or _move(pairs, 0) else set()
    return _move(pairs, row[-1]) | ({row[-1] ** 2} if squared else set())


def known(row: Row) -> set[int]:
    """Squares, cubes, primes or the like, changed by one amount, or by two that alternate."""
    found: set[int] = set()
    if len(row) < 4:
        return found
    for numbers in (each[::way] for each in KNOWN for way in (1, -1)):
        for start in range(len(numbers) - len(row)):
            # A fast check that is necessary in both cases.
            if row[2] - row[0] != numbers[start + 2] - numbers[start]:
                continue
            extra = [a - b for a, b in zip(row, numbers[start:], strict=False)]
            if len(set(extra)) == 1:
                found.add(numbers[start + len(row)] + extra[0])
            elif len(row) >= 5:
                found |= {numbers[start + len(row)] + more for more in turning(extra)}
    return found


def known_steps(row: Row) -> set[int]:
    """The steps are squares, cubes, primes or the like: 1, 3, 6, 11, 18."""
    moves, found = steps(row), set()
    for numbers in (each[::way] for each in KNOWN for way in (1, -1)):
        for start in range(len(numbers) - len(moves)):
            if len(moves) >= 4 and tuple(moves) == numbers[start : start + len(moves)]:
                found.add(row[-1] + numbers[start + len(moves)])
    return found


def digit_sum(row: Row) -> set[int]:
    """Each number is the one before it plus or minus the sum of its digits: 13, 17, 25, 32."""
    found: set[int] = set()
    if len(row) < 4 or min(row) < 0:
        return found
    for sign in (1, -1):
        after = [number + sign * sum(map(int, str(number))) for number in row]
        if after[:-1] == list(row[1:]):
            found.add(after[-1])
    return found


GRAMMAR: tuple[Rule, ...] = (
    add,
    multiply,
    growing_steps,
    multiplying_steps,
    steps_of_steps,
    swinging_steps,
    growing_factor,
    sum_of_two,
    sum_and_growing,
    times_of_two,
    product_of_two,
    sum_of_three,
    sum_of_all,
    steps_sum_of_two,
    multiply_and_growing,
    by_turns,
    three_by_turns,
    turning_steps,
    interleaved,
    three_rows,
    paired,
    known,
    known_steps,
    digit_sum,
)


def predictions(row: Row) -> set[int]:
    """Return the next numbers predicted by all rules that reproduce the row."""
    return {value for rule in GRAMMAR for value in rule(row)}


def steps(row: Row) -> list[int]:
    """Return the differences between neighbours."""
    return [b - a for a, b in zip(row, row[1:], strict=False)]


def factors(row: Row) -> list[Fraction]:
    """Return the ratios between neighbours, or none if a number is 0."""
    return [] if 0 in row else [Fraction(b, a) for a, b in zip(row, row[1:], strict=False)]


def turning(row: Row) -> set[int]:
    """Return the next of two alternating amounts, each shown twice: 1, -1, 1, -1."""
    is_turning = len(row) >= 4 and all(a == b for a, b in zip(row, row[2:], strict=False))
    return {row[-2]} if is_turning and row[0] != row[1] else set()


def _simple(row: Row) -> set[int]:
    return add(row) | multiply(row) | growing_steps(row) | multiplying_steps(row)


def _one_level_down(row: Row, rule: Rule) -> set[int]:
    return {row[-1] + step for step in rule(steps(row))} if len(row) > 1 else set()


def _whole(value: Fraction) -> set[int]:
    return {int(value)} if value.denominator == 1 else set()


def _move(pairs: Sequence[tuple[int, int]], last: int) -> set[int]:
    """Apply the operation that explains all pairs to the last number, and return the results.

    It adds or multiplies; with three pairs, it may also add a growing amount.
    """
    found: set[int] = set()
    sums = [after - before for before, after in pairs]
    if len(pairs) >= 2 and len(set(sums)) == 1:
        found.add(last + sums[0])
    if len(pairs) >= 3:
        found |= {last + more for more in add(sums)}
    if len(pairs) >= 2 and all(before and after for before, after in pairs):
        ratios = {Fraction(after, before) for before, after in pairs}
        if len(ratios) == 1:
            found |= _whole(last * ratios.pop())
    return found
