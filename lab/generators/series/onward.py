"""Rows in which each number follows in the same way from those before it.

Each writer takes a random generator and returns a Row, which may not be sound.
"""

from __future__ import annotations

import operator
import random
from itertools import accumulate

from lab.generators.series.row import Row, made, sums


def add(rng: random.Random) -> Row:
    """Add the same amount: 14, 21, 28, 35."""
    step = rng.choice((3, 4, 6, 7, 8, 9, 11, 12))
    return _evenly(rng.randint(2, 30), step)


def take_away(rng: random.Random) -> Row:
    """Subtract the same amount: 80, 73, 66, 59."""
    return _evenly(rng.randint(50, 110), -rng.choice((3, 4, 6, 7, 8, 9)))


def multiply(rng: random.Random) -> Row:
    """Multiply by 2 or 3, or halve: 3, 6, 12, 24."""
    factor, count = rng.choice(((2, 6), (3, 5)))
    start = rng.randint(2, 5)
    numbers = [start * factor**place for place in range(count)]
    if factor == 2 and rng.randrange(2):
        numbers.reverse()
    last, before = numbers[-2], numbers[-3]
    slips = (2 * last - before, last * 5 // 2, last + numbers[0], (last + before) // 2, last // 4)
    return made(numbers, {"multiplying": 1}, slips)


def growing_steps(rng: random.Random) -> Row:
    """The steps grow evenly: 4, 6, 9, 13, 18."""
    step, growth = rng.randint(1, 5), rng.randint(1, 4)
    moves = [step + growth * place for place in range(5)]
    if rng.randrange(3) == 0:
        return made(sums(rng.randint(70, 110), [-move for move in moves]), {"nested": 1})
    return made(sums(rng.randint(2, 20), moves), {"nested": 1})


def sum_of_two(rng: random.Random) -> Row:
    """Each is the sum of the two before it: 3, 5, 8, 13."""
    numbers, count = [rng.randint(1, 8), rng.randint(2, 9)], rng.choice((6, 7))
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    last, before = numbers[-2], numbers[-3]
    slips = (2 * last, last + numbers[-4], 2 * last - before, sum(numbers[-4:-1]))
    return made(numbers, {"memory": 1}, slips)


def multiplying_steps(rng: random.Random) -> Row:
    """The steps double or treble: 7, 9, 13, 21, 37."""
    factor, step, count = rng.choice(((2, 2, 5), (2, 3, 5), (2, 1, 6), (3, 1, 5), (3, 2, 4)))
    moves = [step * factor**place for place in range(count)]
    if rng.randrange(3) == 0:
        numbers = sums(sum(moves) + rng.randint(4, 30), [-move for move in moves])
    else:
        numbers = sums(rng.randint(2, 30), moves)
    last, move = numbers[-2], numbers[-2] - numbers[-3]
    slips = (
        last + move,
        last + move * (factor + 1),
        last + move + step,
        2 * last,
        last + move + moves[-3],
        numbers[-1] + step,
        numbers[-1] - step,
    )
    return made(numbers, {"nested": 1, "multiplying": 1}, slips)


def growing_factor(rng: random.Random) -> Row:
    """Multiply or divide by a number that grows or shrinks by 1: 2, 4, 12, 48."""
    factors = rng.choice(((2, 3, 4, 5), (5, 4, 3, 2)))
    numbers = list(accumulate(factors, operator.mul, initial=rng.choice((1, 2, 3))))
    if rng.randrange(3) == 0:
        numbers.reverse()
    last, before = numbers[-2], numbers[-3]
    slips = (last * 4, last * 6, last * 3, 2 * last, 2 * last - before, last // 3, last // 4)
    return made(numbers, {"nested": 1, "multiplying": 1}, slips)


def swinging(rng: random.Random) -> Row:
    """Go up and down in turn, by more each time: 20, 21, 19, 22, 18."""
    size, growth, way = rng.randint(1, 4), rng.randint(1, 3), rng.choice((1, -1))
    moves = [way * (-1) ** place * (size + growth * place) for place in range(6)]
    numbers = sums(rng.randint(20, 50), moves)
    last, move = numbers[-2], moves[-1]
    slips = (last - move, last + moves[-3], last - moves[-2], last + move + growth * (-way))
    return made(numbers, {"operations": 1, "nested": 1}, (*slips, last - moves[-2] - growth))


def sum_with_extra(rng: random.Random) -> Row:
    """Each is the sum of the two before it, plus or minus an amount: 2, 4, 7, 12, 20."""
    numbers, extra = [rng.randint(1, 6), rng.randint(2, 9)], rng.choice((-3, -2, -1, 1, 2, 3))
    while len(numbers) < 7:
        numbers.append(numbers[-1] + numbers[-2] + extra)
    last, before = numbers[-2], numbers[-3]
    slips = (
        last + before,
        last + before - extra,
        last + before + 2 * extra,
        2 * last - before,
        2 * last + extra,
        last + numbers[-4] + extra,
    )
    return made(numbers, {"memory": 1, "operations": 1}, slips)


def steps_of_steps(rng: random.Random) -> Row:
    """The growth of the steps also grows: 1, 2, 5, 11, 21, 36."""
    step, growth, change = rng.randint(1, 4), rng.randint(1, 3), rng.choice((1, 2))
    growths = [growth + change * place for place in range(5)]
    moves = sums(step, growths)
    numbers = sums(rng.randint(1, 12), moves)
    last, move = numbers[-2], moves[-2]
    slips = (last + move, last + move + growths[-2], last + move + growth)
    return made(numbers, {"nested": 2}, (*slips, numbers[-1] + change, numbers[-1] - change))


def multiply_and_add(rng: random.Random) -> Row:
    """Multiply and add at each step: 3, 7, 15, 31."""
    factor, extra = rng.choice((2, 2, 3)), rng.choice((-4, -3, -2, -1, 1, 2, 3, 4, 5))
    numbers = [rng.randint(2, 8)]
    while len(numbers) < (6 if factor == 2 else 5):
        numbers.append(factor * numbers[-1] + extra)
    key, last, before = numbers[-1], numbers[-2], numbers[-3]
    slips = (
        key - extra,
        key + extra,
        key - 2 * extra,
        key + factor * extra,
        2 * last - before,
        factor * last,
        key + last - before,
    )
    return made(numbers, {"operations": 1, "multiplying": 1, "nested": 1}, slips)


def sum_of_three(rng: random.Random) -> Row:
    """Each is the sum of the three before it: 1, 3, 2, 6, 11, 19."""
    numbers = [rng.randint(1, 6) for _ in range(3)]
    while len(numbers) < 7:
        numbers.append(sum(numbers[-3:]))
    last, before = numbers[-2], numbers[-3]
    slips = (last + before, 2 * last, 2 * last - before, sum(numbers[-5:-1]))
    return made(numbers, {"memory": 2}, (*slips, last + before + numbers[-5]))


def times_of_two(rng: random.Random) -> Row:
    """Each is the one before and twice the one before that, or the reverse: 1, 3, 5, 11, 21."""
    one, two = rng.choice(((1, 2), (2, 1), (1, 3), (2, -2), (3, -2)))
    numbers = [rng.randint(1, 5), rng.randint(2, 6)]
    while len(numbers) < 7:
        numbers.append(one * numbers[-1] + two * numbers[-2])
    key, last, before = numbers[-1], numbers[-2], numbers[-3]
    slips = (
        last + before,
        2 * last,
        2 * last - before,
        2 * last + before,
        last + 2 * before,
        2 * last + 2 * before,
        key - before,
        key + before,
        key + numbers[0],
    )
    return made(numbers, {"memory": 1, "multiplying": 1, "operations": 1}, slips)


def sum_and_growing(rng: random.Random) -> Row:
    """Each is the sum of the two before it, plus a growing amount: 2, 3, 6, 11, 20, 35."""
    numbers = [rng.randint(1, 5), rng.randint(1, 6)]
    extra, growth = rng.randint(1, 3), rng.choice((1, 1, 2, -1))
    for place in range(5):
        numbers.append(numbers[-1] + numbers[-2] + extra + growth * place)
    key, last, before = numbers[-1], numbers[-2], numbers[-3]
    slips = (last + before, key - growth, key + growth, 2 * last - before, key - extra)
    radicals = {"operations": 1, "memory": 1, "nested": 1}
    return made(numbers, radicals, (*slips, key + 2 * growth, 2 * last))


def multiply_and_growing(rng: random.Random) -> Row:
    """Multiply, and then add more each time: 1, 3, 8, 19, 42."""
    factor, growth = rng.choice((2, 2, 3)), rng.choice((1, 2, 3, -1, -2))
    numbers, extra = [rng.randint(1, 6)], rng.randint(1, 4)
    for place in range(5 if factor == 2 else 4):
        numbers.append(factor * numbers[-1] + extra + growth * place)
    key, last, before = numbers[-1], numbers[-2], numbers[-3]
    slips = (factor * last, key - growth, key + growth, key - 2 * growth, 2 * last - before)
    radicals = {"operations": 1, "multiplying": 1, "nested": 2}
    return made(numbers, radicals, (*slips, key - extra, key + extra))


def _evenly(start: int, step: int) -> Row:
    numbers = sums(start, [step] * 5)
    key, last = numbers[-1], numbers[-2]
    slips = (last + 2 * step, last + 10, last - 10, key + 10, key - 10, last + step + 1)
    return made(numbers, {}, (*slips, last + step - 1, last + step + 2, last + step // 2))
