"""Properties that groups of letters or digits may share: everything that may look like their rule.

An item shows examples and asks which group is made in the same way. It is sound if the key has all
these properties that the examples share, and every other option breaks the rule of the examples.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import gcd, isqrt, prod

from lab.generators.patterns.signs import LETTERS, VOWELS, Form, Sign, letters_of, written

# Students do not try larger multiples of a place of a sign.
MOST_TIMES = 3
DIVISORS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
# Letters with straight lines only, with closed areas, and with symmetry.
STRAIGHT, CLOSED, SYMMETRIC = "AEFHIKLMNTVWXYZ", "ABDOPQR", "AHIMOTUVWXY"
PRIMES = frozenset(n for n in range(2, 1000) if all(n % d for d in range(2, isqrt(n) + 1)))

Property = tuple[Hashable, ...]


def in_common(signs: Sequence[Sign], form: Form) -> frozenset[Property]:
    """Return the properties that all these signs have."""
    return frozenset.intersection(*(properties(sign, form) for sign in signs))


def properties(sign: Sign, form: Form) -> frozenset[Property]:
    """Return all properties of a sign of this form."""
    return frozenset(
        (
            *_sums(sign),
            *_products(sign),
            *_comparisons(sign),
            *_divisions(sign, form),
            *_letters(letters_of(sign, form)),
            *(("contains", character) for character in written(sign, form)),
        )
    )


def _sums(sign: Sign) -> Iterator[Property]:
    """Yield the sums and differences of the places, or of small multiples of them."""
    for times in _multiples(len(sign)):
        yield ("sum", times, sum(n * value for n, value in zip(times, sign, strict=True)))


@cache
def _multiples(count: int) -> list[tuple[int, ...]]:
    """List the ways to multiply and add, without equivalents such as 2x + 2y and x + y."""
    most = MOST_TIMES if count <= 3 else MOST_TIMES - 1
    found = product(range(-most, most + 1), repeat=count)
    return [times for times in found if gcd(*times) == 1 and next(filter(None, times)) > 0]


def _products(sign: Sign) -> Iterator[Property]:
    yield ("product", prod(sign))
    for one, two in combinations(range(len(sign)), 2):
        yield ("product of two", one, two, sign[one] * sign[two])
    for one, two, rest in permutations(range(len(sign)), 3):
        yield ("product and another", one, two, rest, sign[one] * sign[two] - sign[rest])
        for times in range(1, MOST_TIMES + 1):
            gap = times * abs(sign[one] - sign[two]) - sign[rest]
            yield ("gap and another", one, two, rest, times, gap)
        yield ("is a multiple", one, two, rest, (10 * sign[one] + sign[two]) % sign[rest] == 0)
    for one, two in permutations(range(len(sign)), 2):
        yield ("square and another", one, two, sign[one] ** 2 - sign[two])
        yield ("divides", one, two, sign[one] % sign[two] == 0)


def _comparisons(sign: Sign) -> Iterator[Property]:
    yield ("kinds", len(set(sign)))
    gaps = [abs(a - b) for a, b in zip(sign, sign[1:], strict=False)]
    yield ("gaps", *sorted(gaps))
    yield ("gaps alike", len(set(gaps)))
    yield ("even ones", sum(value % 2 == 0 for value in sign))
    for one, two in combinations(range(len(sign)), 2):
        difference = sign[one] - sign[two]
        yield ("order", one, two, (difference > 0) - (difference < 0))
        yield ("distance", one, two, abs(difference))


def _divisions(sign: Sign, form: Form) -> Iterator[Property]:
    for place, value in enumerate(sign):
        yield from (("remainder", place, by, value % by) for by in DIVISORS[:4])
    yield from (("remainder of the sum", by, sum(sign) % by) for by in DIVISORS)
    for number in (int("".join(map(str, sign))) if set(form) == {"D"} else sign[-1],):
        yield from (("remainder of the number", by, number % by) for by in DIVISORS)
        yield ("square", isqrt(number) ** 2 == number)
        yield ("prime", number in PRIMES)
        yield ("large", number > 500)
        yield ("digits", sum(map(int, str(number))))


def _letters(places: Sign) -> Iterator[Property]:
    for number, place in enumerate(places):
        yield ("half", number, place * 2 > len(LETTERS))
    for kind in (VOWELS, STRAIGHT, CLOSED, SYMMETRIC):
        yield ("of a kind", kind, sum(LETTERS[place - 1] in kind for place in places))
        for number, place in enumerate(places):
            yield ("is of a kind", number, kind, LETTERS[place - 1] in kind)
