"""Number series: find the next number of a row that follows a rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

from lab.generators.grammar import (
    Rule,
    add,
    growing_factor,
    growing_steps,
    multiply,
    multiplying_steps,
    predictions,
    steps,
)
from lab.generators.guessability import TELLS
from lab.generators.items import CannotGenerate, Draft, in_all, rule_difficulty, seeded
from lab.generators.options import choose_options, some
from lab.generators.series import onward, turns
from lab.generators.series.row import Row

FAMILY = "series"
# The easier ones first.
WRITERS: dict[str, Callable[[random.Random], Row]] = {
    "add": onward.add,
    "take_away": onward.take_away,
    "multiply": onward.multiply,
    "by_turns": turns.by_turns,
    "growing_steps": onward.growing_steps,
    "sum_of_two": onward.sum_of_two,
    "times_by_turns": turns.times_by_turns,
    "multiplying_steps": onward.multiplying_steps,
    "growing_factor": onward.growing_factor,
    "interleaved": turns.interleaved,
    "swinging": onward.swinging,
    "three_by_turns": turns.three_by_turns,
    "interleaved_multiplying": turns.interleaved_multiplying,
    "sum_with_extra": onward.sum_with_extra,
    "steps_of_steps": onward.steps_of_steps,
    "interleaved_growing": turns.interleaved_growing,
    "multiply_and_add": onward.multiply_and_add,
    "turning_steps": turns.turning_steps,
    "sum_of_three": onward.sum_of_three,
    "growing_by_turns": turns.growing_by_turns,
    "times_of_two": onward.times_of_two,
    "three_operations": turns.three_operations,
    "three_rows": turns.three_rows,
    "sum_and_growing": onward.sum_and_growing,
    "multiply_and_growing": onward.multiply_and_growing,
}
RULES: tuple[str, ...] = tuple(WRITERS)
TEXT = {"en": "Which number comes next?", "hi": "इसके बाद कौन-सी संख्या आएगी?"}
BASE = -2.3
WEIGHTS = {
    "operations": 0.9,  # operations to find, beyond the first
    "nested": 1.3,  # the rule is in the steps, or two operations make one step
    "rows": 0.9,  # alternating rows, beyond the first
    "period": 0.5,  # alternating operations, beyond two
    "multiplying": 0.6,
    "memory": 1.5,  # needed numbers before the last one
    "falling": 0.3,  # at least one step goes down
    "large": 0.2,  # numbers beyond 50, and again beyond 150
}
LARGE = (50, 150)
LARGEST = 400
# The time to read a row and its options, and the extra time for each difficulty.
SECONDS, SECONDS_PER_RADICAL = 20, 9
MOST_SECONDS = 70
# The least number of the four wrong options that come from wrong thinking, not from miscalculation.
FROM_THINKING = (3, 2, 0)
# Pairs of a size and the usual errors of people who calculate with numbers up to it.
ERRORS = ((20, (1, 2, 3)), (100, (1, 2, 3, 10)), (LARGEST, (2, 4, 10, 20, 30)))
EASIER: tuple[Rule, ...] = (add, multiply, growing_steps, multiplying_steps, growing_factor)
# The rules whose rows one of EASIER may explain too, because it is the same rule.
PLAIN = frozenset(
    (
        "add",
        "take_away",
        "multiply",
        "growing_steps",
        "multiplying_steps",
        "growing_factor",
        "multiply_and_add",
    )
)
TRIES = 500

EXAMPLE: dict[str, Any] = {
    "title": {"en": "A row of numbers", "hi": "संख्याओं की पंक्ति"},
    "lines": ["5, 10, 15, 20, ?"],
    "text": TEXT,
    "options": [{"label": in_all(label)} for label in ("21", "24", "25", "30", "40")],
    "answer": in_all("25"),
    "explanation": {
        "en": "Each number is 5 more than the one before it, and 20 + 5 = 25. In harder rows "
        "the steps grow, numbers are multiplied, or two rows take turns.",
        "hi": "हर संख्या अपने से पहले वाली संख्या से 5 ज़्यादा है, और 20 + 5 = 25 होता है। ज़्यादा मुश्किल पंक्तियों "
        "में अंतर बढ़ता जाता है, संख्याओं को गुणा किया जाता है, या दो पंक्तियाँ बारी-बारी से आती हैं।",
    },
}


def generate(rule: str, seed: int, place: int, typical: bool = False) -> Draft:
    """Return a sound item of this rule with its key at this place (from 1).

    An item is sound if every rule of the grammar that reproduces the shown numbers predicts the key
    and nothing else. Raises CannotGenerate if the seed gives none, KeyError for an unknown rule.
    """
    # The place is part of the seed, because neighbours in a bank often have the same seed.
    rng = seeded(FAMILY, f"{rule} {place} {typical}", seed)
    for _ in range(TRIES):
        row = WRITERS[rule](rng)
        if not is_sound(row) or (rule not in PLAIN and is_plain(row)):
            continue
        options = _options(row, place, typical, rng)
        if options is None:
            continue
        radicals = _radicals(row)
        return Draft(
            family=FAMILY,
            rule=rule,
            text=TEXT,
            lines=(", ".join([*map(str, row.shown), "?"]),),
            options=tuple(in_all(str(option)) for option in options),
            key=place,
            radicals=radicals,
            b=rule_difficulty(BASE, WEIGHTS, radicals),
            seconds=min(MOST_SECONDS, SECONDS + SECONDS_PER_RADICAL * sum(radicals.values())),
        )
    raise CannotGenerate(f"{FAMILY} {rule}, seed {seed}, key at {place}")


def is_sound(row: Row) -> bool:
    """Tell whether only the key follows, from numbers that are easy to calculate with.

    Nothing else may follow if a student ignores the first number as an exception.
    """
    numbers = (*row.shown, row.key)
    return (
        all(0 < number <= LARGEST for number in numbers)
        and all(steps(numbers))
        and predictions(row.shown) == {row.key}
        and predictions(row.shown[1:]) <= {row.key}
    )


def is_plain(row: Row) -> bool:
    """Tell whether a rule easier than the writer's explains the row just as well."""
    return any(rule(row.shown) for rule in EASIER)


def slips_of(row: Row) -> tuple[set[int], set[int]]:
    """Return the values that come from wrong thinking, and those that come from miscalculation.

    If a row only rises (or falls), students would rule out a number that does not rise (or fall).
    """
    last, moves = row.shown[-1], steps(row.shown)
    lowest, highest = min(row.key // 3, row.key - 12), max(2 * row.key, row.key + 12)

    def plausible(values: set[int]) -> set[int]:
        return {
            value
            for value in values - {*row.shown, row.key}
            if 0 < value <= LARGEST
            and lowest <= value <= highest
            and (value > last or min(moves) < 0)
            and (value < last or max(moves) > 0)
        }

    thought = {last + move for move in moves} | {row.key + moves[0], row.key - moves[0]}
    thought = plausible(thought | {row.key + (row.key - last)} | set(row.slips))
    errors = next(each for size, each in ERRORS if row.key <= size)
    reckoned = plausible({row.key + sign * error for error in errors for sign in (1, -1)})
    return thought, reckoned - thought


def _options(row: Row, place: int, typical: bool, rng: random.Random) -> list[int] | None:
    """Choose wrong options, preferably values that come from wrong thinking."""
    thought, reckoned = slips_of(row)

    def accepts(options: Sequence[int], fewest: int, most_telling: int) -> bool:
        return (
            len(thought.intersection(options)) >= fewest
            and sum(row.key in tell(options) for tell in TELLS) <= most_telling
        )

    slips = some(sorted(thought), 7, rng) + some(sorted(reckoned), 5, rng)
    # A strategy that never finds the key would be a clue too, so one may find half of the keys.
    for fewest, most_telling in product(FROM_THINKING, (rng.choice((0, 1)), 1)):
        options = choose_options(
            key=row.key,
            slips=slips,
            views=(_digits, _kind, lambda value: (*_digits(value), *_kind(value))),
            place=place,
            typical=typical,
            order=lambda value: (value,),
            accepts=partial(accepts, fewest=fewest, most_telling=most_telling),
            rng=rng,
        )
        if options is not None:
            return options
    return None


def _radicals(row: Row) -> dict[str, int]:
    """Add the radicals that depend on the numbers themselves."""
    numbers = (*row.shown, row.key)
    counted = {name: row.radicals.get(name, 0) for name in WEIGHTS}
    # In a row of sums, a fall between the first two numbers does not make it harder.
    counted["falling"] = int(min(steps(numbers)) < 0 and not row.radicals.get("memory"))
    counted["large"] = sum(max(numbers) > size for size in LARGE)
    return counted


# Features to compare for a student who looks for something that the options have in common.


def _digits(value: int) -> tuple[int, ...]:
    return (value // 100, value // 10 % 10, value % 10)


def _kind(value: int) -> tuple[bool, ...]:
    return (value % 2 == 0, value % 5 == 0, value % 3 == 0)
