"""Choose wrong amounts of plausible size so that the amounts alone do not reveal the answer."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

from lab.generators.guessability import TELLS, roundest
from lab.generators.options import choose_options

# A wrong amount outside these multiples of the right one is too obvious.
LEAST, MOST = Fraction(1, 4), Fraction(4)
# The least number of the four wrong amounts that come from wrong thinking, not from miscalculation.
FROM_SLIPS = (3, 2)


def choose_amounts(
    answer: int,
    slips: Iterable[int | Fraction],
    place: int,
    typical: bool,
    rng: random.Random,
    most: int | None = None,
) -> list[int] | None:
    """Return the answer and four wrong amounts by size, with the answer at this place (from 1).

    At least two of the wrong ones come from `slips`; the rest may be miscalculations. `typical` is
    as in `choose_options`. Returns None if there is no such choice.
    """
    low, high = max(Fraction(2), LEAST * answer), MOST * answer if most is None else most
    thought = {
        int(slip) for slip in slips if Fraction(slip).denominator == 1 and low <= slip <= high
    }
    thought -= {answer}
    reckoned = {slip for slip in miscounted(answer) if low <= slip <= high}

    def accepts(options: Sequence[int], fewest: int, most_telling: int) -> bool:
        return (
            len(thought.intersection(options)) >= fewest
            and sum(answer in tell(options) for tell in TELLS) <= most_telling
            and (typical or at_first == 1 or answer not in roundest(options))
        )

    # A strategy that never finds the answer would be a clue too, so one may find half of them.
    at_first = rng.choice((0, 1))
    for fewest, most_telling in product(FROM_SLIPS, (at_first, 1)):
        options = choose_options(
            key=answer,
            slips=thought | reckoned,
            views=(_digits, _roundness, lambda value: (*_digits(value), *_roundness(value))),
            place=place,
            typical=typical,
            order=lambda value: (value,),
            accepts=partial(accepts, fewest=fewest, most_telling=most_telling),
            rng=rng,
        )
        if options is not None:
            return options
    return None


def miscounted(value: int) -> tuple[int, ...]:
    """Return the numbers that result from miscalculation, as round as the number itself."""
    rounds = (half * 10**power for power in range(len(str(value))) for half in (1, 5))
    step = max(each for each in rounds if each == 1 or (value % each == 0 and value >= 4 * each))
    errors = [step * times for times in (1, 2, 3, 4, 5)]
    return tuple(value + sign * error for error in errors for sign in (1, -1))


# Features to compare for a student who looks for something that the amounts have in common.


def _digits(value: int) -> tuple[int, ...]:
    return tuple(value // 10**place % 10 for place in range(6))


def _roundness(value: int) -> tuple[int, ...]:
    return (value % 2, value % 5, value % 3, value % 10 == 0, value % 100 == 0, len(str(value)))
