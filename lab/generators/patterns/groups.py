"""Ways to make groups of letters or digits by the same rule.

Each writer takes a random generator and returns a Making, the source of the examples, the key and
the wrong options.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab.generators.patterns.signs import LETTERS, VOWELS, Form, Sign, is_writable, written

# The errors of slips in one place of a sign.
SLIPS = (-3, -2, -1, 1, 2, 3)
# Larger steps in the alphabet take some effort to count.
FAR = 3
MANY = 60
# Without Y, which is a vowel in some words.
CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ"
TRIES = 400


@dataclass(frozen=True)
class Making:
    """A way to make groups. `holds` tells whether a sign is made in this way.

    `fill` makes a candidate; `others` make signs in similar ways. `confuses` tells whether a wrong
    sign is too ambiguous to show.
    """

    form: Form
    fill: Callable[[random.Random], Sign]
    holds: Callable[[Sign], bool]
    radicals: dict[str, int]
    others: Sequence[Callable[[random.Random], Sign]] = ()
    confuses: Callable[[Sign], bool] = lambda sign: False

    def made(self, rng: random.Random) -> list[Sign]:
        """Return at most MANY different signs that are made in this way."""
        tried = (self.fill(rng) for _ in range(TRIES))
        sound = (sign for sign in tried if is_writable(sign, self.form) and self.holds(sign))
        # No two signs have the same letters or digits in different orders.
        return list({tuple(sorted(sign)): sign for sign in sound}.values())[:MANY]

    def not_made(self, rng: random.Random, made: Sequence[Sign]) -> list[Sign]:
        """Return signs that are almost made in this way: with a slip, or in a similar way.

        About half of the slips are made in the first sign.
        """
        slips = [_slip(rng.choice((made[0], rng.choice(made))), rng) for _ in range(MANY)]
        slips += [other(rng) for other in self.others for _ in range(MANY // len(self.others))]
        rng.shuffle(slips)
        wrong = [s for s in slips if is_writable(s, self.form) and not self.holds(s)]
        return [sign for sign in dict.fromkeys(wrong) if not self.confuses(sign)]


def even_steps(rng: random.Random) -> Making:
    """Three letters with the same step: BDF, HJL, PRT."""
    step = rng.choice((2, 3, 4, -2, -3))
    return _stepped(step, step, others=((step + 1, step + 1), (step - 1, step - 1), (-step, -step)))


def uneven_steps(rng: random.Random) -> Making:
    """Three letters with two steps: BCF, HIL, PQT."""
    one, two = rng.sample((1, 2, 3, 4, 5), 2)
    return _stepped(one, two, others=((two, one), (one, one), (one, two + 1)))


def forth_and_back(rng: random.Random) -> Making:
    """Three letters, one step forward and another back: BGE, HMK, PUS."""
    one, two = rng.choice((4, 5, 6, 7)), -rng.choice((1, 2, 3))
    if rng.randrange(2):
        one, two = -one, -two
    return _stepped(one, two, others=((-one, -two), (one, -two), (one, two + 1), (two, one)))


def vowel_place(rng: random.Random) -> Making:
    """Four letters, a vowel in one place and nowhere else: DKAR, MTEB, VPOH."""
    where = rng.randrange(1, 4)

    def fill(rng: random.Random, place: int = where) -> Sign:
        letters = rng.sample(CONSONANTS, 4)
        letters[place] = rng.choice(VOWELS)
        return tuple(LETTERS.index(letter) + 1 for letter in letters)

    def holds(sign: Sign) -> bool:
        return [n for n in range(4) if LETTERS[sign[n] - 1] in VOWELS] == [where]

    def confuses(sign: Sign) -> bool:
        return "Y" in written(sign, "LLLL")

    other = [place for place in (1, 2, 3) if place != where]
    others = [lambda rng, place=place: fill(rng, place) for place in other]
    return Making("LLLL", fill, holds, {}, others, confuses)


def letter_places(rng: random.Random) -> Making:
    """A letter and its place in the alphabet: C3, F6, T20."""
    return _counted(1, 0, {"reckoned": 1}, ((1, 1), (1, -1)))


def counted_places(rng: random.Random) -> Making:
    """A letter and a number made from its place: C6, F12, K22."""
    times, more = rng.choice(((2, 0), (2, 1), (2, -1), (1, 3), (1, 5), (3, 0), (1, 2)))
    others = ((times, more + 1), (times, more - 1), (1, more), (times, 0))
    return _counted(times, more, {"reckoned": 1, "operations": 1}, others)


def from_the_end(rng: random.Random) -> Making:
    """A letter and its place from the end of the alphabet: C24, F21, T7."""
    more = rng.choice((27, 28, 26, 30))
    others = ((-1, more + 1), (-1, more - 1), (1, 0))
    return _counted(-1, more, {"reckoned": 1, "operations": 1, "falling": 1}, others)


def mirrored(rng: random.Random) -> Making:
    """Two letters, as far from the beginning as from the end: AZ, DW, MN."""

    def fill(rng: random.Random, total: int = 27) -> Sign:
        one = rng.randint(1, 26)
        return (one, total - one)

    others = [lambda rng, total=total: fill(rng, total) for total in (26, 28)]
    radicals = {"reckoned": 1, "operations": 1, "falling": 1}
    return Making("LL", fill, lambda sign: sum(sign) == 27, radicals, others)


def digits_add(rng: random.Random) -> Making:
    """One digit is the sum of the others: 358, 426."""
    where = rng.randrange(3)

    def holds(sign: Sign) -> bool:
        return 2 * sign[where] == sum(sign)

    def confuses(sign: Sign) -> bool:
        return 2 * max(sign) == sum(sign)

    return Making("DDD", _digits, holds, {"reckoned": 1}, (_digits,), confuses)


def digit_sum(rng: random.Random) -> Making:
    """The digits always have the same sum: 327, 552, 841."""
    total = rng.randint(10, 16)
    radicals = {"reckoned": 1, "operations": 1}
    return Making("DDD", _digits, lambda sign: sum(sign) == total, radicals, (_digits,))


def letter_sums(rng: random.Random) -> Making:
    """Two letters, and the sum of their places: BD6, GC10."""
    more = rng.choice((0, 0, 1, -1))
    return _two_letters(
        lambda one, two: one + two + more,
        {"reckoned": 1, "operations": 1 + (more != 0)},
        (lambda one, two: one + two - 1, lambda one, two: one + two + 1, lambda one, two: two + 1),
    )


def letter_products(rng: random.Random) -> Making:
    """Two letters, and the product of their places: BD8, CE15."""
    return _two_letters(
        lambda one, two: one * two,
        {"reckoned": 1, "operations": 1, "multiplying": 1},
        (lambda one, two: one + two, lambda one, two: one * (two + 1), lambda one, two: 2 * two),
    )


def letter_gaps(rng: random.Random) -> Making:
    """Two letters, and how many steps, or other letters, are between them: BF4, KE6."""
    less, times = rng.choice(((0, 1), (1, 1), (0, 2)))
    return _two_letters(
        lambda one, two: times * (abs(two - one) - less),
        {"reckoned": 1, "operations": 1, "nested": 1, "multiplying": times - 1},
        (
            lambda one, two: abs(two - one) - less + 1,
            lambda one, two: times * abs(two - one) - 1,
            lambda one, two: min(one, two),
        ),
        most=24,
    )


def two_rules(rng: random.Random) -> Making:
    """Three letters with even steps of any size, and a number made from them: BDF4, CGK7."""
    where = rng.randrange(3)

    def fill(rng: random.Random, more: int = 0) -> Sign:
        start, step = rng.randint(1, 22), rng.choice((1, 2, 3, 4, 5))
        places = (start, start + step, start + 2 * step)
        return (*places, places[where] + more)

    def holds(sign: Sign) -> bool:
        return sign[1] - sign[0] == sign[2] - sign[1] and sign[3] == sign[where]

    def uneven(rng: random.Random) -> Sign:
        sign = list(fill(rng))
        sign[rng.choice([n for n in range(3) if n != where])] += rng.choice((-1, 1))
        return tuple(sign)

    def another(rng: random.Random) -> Sign:
        return fill(rng, rng.choice((-1, 1)))

    radicals = {"reckoned": 1, "operations": 2, "nested": 1}
    return Making("LLLN", fill, holds, radicals, (uneven, another))


def _slip(sign: Sign, rng: random.Random) -> Sign:
    places = list(sign)
    if rng.randrange(4) == 0:
        one, two = rng.sample(range(len(places)), 2)
        places[one], places[two] = places[two], places[one]
    else:
        places[rng.randrange(len(places))] += rng.choice(SLIPS)
    return tuple(places)


def _stepped(one: int, two: int, others: Sequence[tuple[int, int]]) -> Making:
    def fill(rng: random.Random, one: int = one, two: int = two) -> Sign:
        start = rng.randint(1, 26)
        return (start, start + one, start + one + two)

    def holds(sign: Sign) -> bool:
        return (sign[1] - sign[0], sign[2] - sign[1]) == (one, two)

    makers = [lambda rng, one=one, two=two: fill(rng, one, two) for one, two in others]
    radicals = {
        "operations": int(one != two),
        "falling": int(min(one, two) < 0),
        "far": int(max(abs(one), abs(two)) > FAR),
    }
    return Making("LLL", fill, holds, radicals, makers)


def _counted(
    times: int, more: int, radicals: dict[str, int], others: Sequence[tuple[int, int]]
) -> Making:
    def fill(rng: random.Random, times: int = times, more: int = more) -> Sign:
        place = rng.randint(2, 26)
        return (place, times * place + more)

    makers = [lambda rng, t=times, m=more: fill(rng, t, m) for times, more in others]
    return Making("LN", fill, lambda sign: sign[1] == times * sign[0] + more, radicals, makers)


def _two_letters(
    number: Callable[[int, int], int],
    radicals: dict[str, int],
    others: Sequence[Callable[[int, int], int]],
    most: int = 12,
) -> Making:
    def fill(rng: random.Random, number: Callable[[int, int], int] = number) -> Sign:
        one, two = rng.sample(range(2, most + 1), 2)
        return (one, two, number(one, two))

    makers = [lambda rng, number=other: fill(rng, number) for other in others]
    return Making("LLN", fill, lambda sign: sign[2] == number(*sign[:2]), radicals, makers)


def _digits(rng: random.Random) -> Sign:
    return tuple(rng.sample(range(1, 10), 3))
