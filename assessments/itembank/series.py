"""Number series: rows of whole numbers that follow a rule, the next one asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assessments.itembank.grammar import predictions, steps
from assessments.itembank.items import CannotGenerate, Draft, rule_difficulty, seeded
from assessments.itembank.options import choose_options

FAMILY = "series"
TEXT = {"en": "Which number comes next?"}
BASE = -1.8
WEIGHTS = {
    "operations": 1.0,  # operations to be found, beyond the first
    "nested": 1.0,  # the rule is in the steps, or two operations make one step
    "rows": 1.2,  # rows that take turns, beyond the first
    "multiplying": 0.8,
    "memory": 1.5,  # numbers before the last one that are needed
    "falling": 0.3,  # some step goes down
    "large": 0.3,  # numbers beyond 50
}
LARGE = 50
LARGEST = 250
TRIES = 500


@dataclass(frozen=True)
class Row:
    """The shown numbers, the next one, what makes the row hard, and values slips lead to."""

    shown: tuple[int, ...]
    key: int
    radicals: dict[str, int]
    slips: tuple[int, ...] = ()


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound item of this rule with its key at this place (from 1).

    Sound: every rule of the grammar that reproduces the shown numbers predicts the key, and no
    other option. Raise CannotGenerate if the seed leads to none, KeyError for an unknown rule.
    """
    rng = seeded(FAMILY, rule, seed)
    for _ in range(TRIES):
        row = WRITERS[rule](rng)
        if not is_sound(row):
            continue
        options = choose_options(
            key=row.key,
            slips=slips_of(row),
            views=(_digits, _kind, lambda value: (*_digits(value), *_kind(value))),
            place=place,
            typical=typical,
            order=lambda value: (value,),
            accepts=lambda options: True,
            rng=rng,
        )
        if options is None:
            continue
        radicals = _radicals(row)
        return Draft(
            family=FAMILY,
            text=TEXT,
            lines=(", ".join([*map(str, row.shown), "?"]),),
            options=tuple(map(str, options)),
            key=place,
            radicals=radicals,
            b=rule_difficulty(BASE, WEIGHTS, radicals),
        )
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def is_sound(row: Row) -> bool:
    """Tell whether the key alone follows, from numbers that are comfortable to work with."""
    numbers = (*row.shown, row.key)
    return (
        predictions(row.shown) == {row.key}
        and all(0 < number <= LARGEST for number in numbers)
        and all(steps(numbers))
    )


def _add(rng: random.Random) -> Row:
    start, step = rng.randint(2, 15), rng.choice((3, 4, 6, 7))
    numbers = [start + step * place for place in range(6)]
    return Row(tuple(numbers[:-1]), numbers[-1], {})


def _growing_steps(rng: random.Random) -> Row:
    start, step, growth = rng.randint(2, 12), rng.randint(1, 4), rng.randint(1, 3)
    numbers = _sums(start, [step + growth * place for place in range(5)])
    return Row(tuple(numbers[:-1]), numbers[-1], {"nested": 1})


def _by_turns(rng: random.Random) -> Row:
    up, down = rng.randint(4, 9), rng.randint(1, 3)
    numbers = _sums(rng.randint(3, 20), [up, -down] * 3)
    key = numbers[-1]
    return Row(tuple(numbers[:-1]), key, {"operations": 1}, (key + up, key - up))


def _sum_of_two(rng: random.Random) -> Row:
    numbers = [rng.randint(1, 5), rng.randint(2, 7)]
    while len(numbers) < 7:
        numbers.append(numbers[-1] + numbers[-2])
    doubled = 2 * numbers[-2]
    return Row(tuple(numbers[:-1]), numbers[-1], {"memory": 1}, (doubled,))


def _interleaved(rng: random.Random) -> Row:
    rising, falling = rng.randint(3, 7), rng.randint(2, 6)
    first = _sums(rng.randint(2, 12), [rising] * 3)
    second = _sums(rng.randint(32, 48), [-falling] * 3)
    numbers = [number for pair in zip(first, second, strict=True) for number in pair]
    key = numbers[-1]
    slips = (first[-1] + rising, first[-1] - falling, key - falling, key + rising)
    return Row(tuple(numbers[:-1]), key, {"operations": 1, "rows": 1}, slips)


def _multiply_and_add(rng: random.Random) -> Row:
    factor, extra = rng.choice((2, 3)), rng.choice((-2, -1, 1, 2, 3))
    numbers = [rng.randint(2, 6)]
    while len(numbers) < 6:
        numbers.append(factor * numbers[-1] + extra)
    key = numbers[-1]
    slips = (key - extra, key + extra, key - 2 * extra, key + factor * extra)
    radicals = {"operations": 1, "multiplying": 1, "nested": 1}
    return Row(tuple(numbers[:-1]), key, radicals, slips)


WRITERS: dict[str, Callable[[random.Random], Row]] = {
    "add": _add,
    "growing_steps": _growing_steps,
    "by_turns": _by_turns,
    "sum_of_two": _sum_of_two,
    "interleaved": _interleaved,
    "multiply_and_add": _multiply_and_add,
}


def _sums(start: int, moves: Sequence[int]) -> list[int]:
    numbers = [start]
    for move in moves:
        numbers.append(numbers[-1] + move)
    return numbers


def _radicals(row: Row) -> dict[str, int]:
    """Complete the radicals with those that can be seen from the numbers themselves."""
    counted = {name: row.radicals.get(name, 0) for name in WEIGHTS}
    counted["falling"] = int(min(steps(row.shown)) < 0)
    counted["large"] = int(max(row.shown) > LARGE)
    return counted


def slips_of(row: Row) -> set[int]:
    """Return the values that common slips lead to: near misses, a step repeated or skipped.

    After a row that only rises, a number not above the last one would be ruled out at a glance.
    """
    last, moves = row.shown[-1], steps(row.shown)
    values = {row.key + error for error in (-10, -3, -2, -1, 1, 2, 3, 10)}
    values |= {last + move for move in moves} | {row.key + moves[0], row.key - moves[0]}
    values |= {row.key + (row.key - last)} | set(row.slips)
    reach = max(12, row.key // 3)
    return {
        value
        for value in values - set(row.shown)
        if value > 0
        and abs(value - row.key) <= reach
        and (value > last or min(moves) < 0)
        and (value < last or max(moves) > 0)
    }


# What somebody may compare who looks for what the options have in common.


def _digits(value: int) -> tuple[int, ...]:
    return (value // 100, value // 10 % 10, value % 10)


def _kind(value: int) -> tuple[bool, ...]:
    return (value % 2 == 0, value % 5 == 0, value % 3 == 0)
