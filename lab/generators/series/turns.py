"""Rows in which operations, or whole rows, alternate.

Each writer takes a random generator and returns a Row, which may not be sound.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import chain, cycle, islice

from lab.generators.series.row import Row, made, sums


def by_turns(rng: random.Random) -> Row:
    """Two steps alternate: 5, 12, 10, 17, 15, 22."""
    one, two = rng.randint(4, 11), rng.choice((-3, -2, -1, 2, 3))
    numbers = sums(rng.randint(3, 30), [one, two] * 3)[: rng.choice((6, 7))]
    key, last = numbers[-1], numbers[-2]
    slips = (key + one, key + two, last + one, last + two, last - one, last - two)
    return made(numbers, {"operations": 1}, slips)


def times_by_turns(rng: random.Random) -> Row:
    """Multiplication and addition alternate: 3, 6, 10, 20, 24, 48."""
    factor, amount = rng.choice((2, 2, 2, 3)), rng.choice((-4, -3, -2, 2, 3, 4, 5))
    operations = [lambda n: n * factor, lambda n: n + amount]
    if rng.randrange(2):
        operations.reverse()
    numbers = _apply(rng.randint(2, 7), operations, 7)
    last, before = numbers[-2], numbers[-3]
    slips = (
        last * factor,
        last + amount,
        last - amount,
        (last + amount) * factor,
        last * factor + amount,
        last * factor - amount,
        2 * last - before,
    )
    return made(numbers, {"operations": 1, "multiplying": 1}, slips)


def three_by_turns(rng: random.Random) -> Row:
    """Three steps alternate: 4, 7, 9, 15, 18, 20, 26."""
    moves = rng.sample((1, 2, 3, 4, 5, 6, 8, -1, -2, -3), 3)
    numbers = sums(rng.randint(5, 30), list(islice(cycle(moves), rng.choice((7, 8)))))
    last = numbers[-2]
    slips = tuple(last + move for move in moves) + (numbers[-1] + moves[0],)
    return made(numbers, {"operations": 2, "period": 1}, slips)


def three_operations(rng: random.Random) -> Row:
    """Addition, multiplication and subtraction alternate: 3, 7, 14, 12, 16, 32, 30."""
    more, less = rng.randint(2, 6), rng.randint(1, 5)
    operations = [lambda n: n + more, lambda n: n * 2, lambda n: n - less]
    turn = rng.randrange(3)
    numbers = _apply(rng.randint(2, 8), operations[turn:] + operations[:turn], 8)
    last = numbers[-2]
    slips = (last + more, last * 2, last - less, last + less, last - more)
    radicals = {"operations": 2, "period": 1, "multiplying": 1}
    return made(numbers, radicals, (*slips, numbers[-1] + more, numbers[-1] - less))


def turning_steps(rng: random.Random) -> Row:
    """Every second step grows, the others are constant: 5, 7, 6, 10, 9, 15, 14."""
    size, growth, other = rng.randint(2, 4), rng.choice((1, 2, 3)), rng.choice((-3, -2, -1, 1, 2))
    growing = [size + growth * place for place in range(4)]
    pairs = zip(growing, [other] * 4, strict=True)
    moves = list(chain.from_iterable(pairs if rng.randrange(2) else (p[::-1] for p in pairs)))
    numbers = sums(rng.randint(4, 30), moves[: rng.choice((7, 8))])
    key, last = numbers[-1], numbers[-2]
    slips = (key - growth, key + growth, last + other, last - other, last + (last - numbers[-3]))
    return made(numbers, {"operations": 1, "rows": 1, "nested": 1}, (*slips, key + other))


def growing_by_turns(rng: random.Random) -> Row:
    """Multiplying alternates with adding a growing amount: 2, 3, 6, 8, 16, 19, 38."""
    amount, growth, way = rng.randint(1, 4), rng.choice((1, 2, 3)), rng.choice((1, 1, -1))
    numbers = [rng.randint(2, 6) if way > 0 else rng.randint(7, 12)]
    for place in range(4):
        more = way * (amount + growth * place)
        numbers += [numbers[-1] + more, 2 * (numbers[-1] + more)]
    numbers = numbers[: rng.choice((7, 8))]
    key, last = numbers[-1], numbers[-2]
    slips = (2 * last, key - growth, key + growth, key - 2 * growth, last + (last - numbers[-3]))
    radicals = {"operations": 1, "multiplying": 1, "nested": 1}
    return made(numbers, radicals, (*slips, key + more, key - more))


def interleaved(rng: random.Random) -> Row:
    """Two rows alternate; one adds and one subtracts: 3, 40, 7, 35, 11, 30."""
    one, two = rng.randint(3, 9), -rng.randint(2, 8)
    first = sums(rng.randint(2, 20), [one] * 4)
    second = sums(rng.randint(30, 60), [two] * 4)
    rows = [first, second] if rng.randrange(2) else [second, first]
    return _woven(rows, rng.choice((7, 8)), {"operations": 1, "rows": 1})


def interleaved_multiplying(rng: random.Random) -> Row:
    """Two rows alternate; one multiplies: 2, 30, 4, 26, 8, 22, 16."""
    factor, step = rng.choice((2, 2, 3)), rng.choice((-7, -6, -5, -4, 3, 4, 5, 6))
    first = [rng.randint(2, 6)]
    while len(first) < 5:
        first.append(first[-1] * factor)
    second = sums(rng.randint(30, 60) if step < 0 else rng.randint(3, 25), [step] * 4)
    # A row that multiplies shows four numbers, because three could also have growing steps.
    length, rows = rng.choice(((7, [first, second]), (8, [first, second]), (8, [second, first])))
    return _woven(rows, length, {"operations": 1, "rows": 1, "multiplying": 1})


def interleaved_growing(rng: random.Random) -> Row:
    """Two rows alternate; the steps of one grow: 3, 50, 5, 46, 8, 42, 12, 38, 17."""
    size, growth, step = rng.randint(1, 4), rng.randint(1, 3), rng.choice((-7, -6, -4, -3, 3, 5))
    first = sums(rng.randint(2, 15), [size + growth * place for place in range(4)])
    second = sums(rng.randint(40, 60) if step < 0 else rng.randint(3, 25), [step] * 4)
    # A row with growing steps shows four numbers.
    length, rows = rng.choice(((7, [first, second]), (8, [first, second]), (8, [second, first])))
    return _woven(rows, length, {"operations": 1, "rows": 1, "nested": 1})


def three_rows(rng: random.Random) -> Row:
    """Three rows alternate: 1, 30, 12, 4, 28, 17, 7, 26, 22."""
    steps = rng.sample((2, 3, 4, 5, 6, 8), 3)
    rows = [
        sums(rng.randint(3, 20), [steps[0]] * 4),
        sums(rng.randint(35, 60), [-steps[1]] * 4),
        sums(rng.randint(8, 40), [steps[2] * rng.choice((1, -1))] * 4),
    ]
    rng.shuffle(rows)
    return _woven(rows, rng.choice((10, 11)), {"operations": 2, "rows": 2})


def _apply(start: int, operations: Sequence[Callable[[int], int]], count: int) -> list[int]:
    """Return the start and the `count` numbers after it, by alternating operations."""
    numbers = [start]
    for operation in islice(cycle(operations), count):
        numbers.append(operation(numbers[-1]))
    return numbers


def _woven(rows: Sequence[Sequence[int]], length: int, radicals: dict[str, int]) -> Row:
    """Alternate the rows. The slips continue another row, or use another row's step."""
    numbers = list(chain.from_iterable(zip(*rows, strict=True)))[: length + 1]
    key = numbers[-1]
    last = numbers[-1 - len(rows)]
    moves = [row[1] - row[0] for row in rows]
    slips = [last + sign * move for move in moves for sign in (1, -1)]
    slips += [row[-1] for row in rows] + [key + move for move in moves]
    slips += [n + move for n in numbers[-len(rows) : -1] for move in moves]
    return made(numbers, radicals, slips)
