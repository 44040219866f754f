"""Generate the nine values of one attribute of a matrix, for each way to change along rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from lab.generators.matrices.cells import COUNTS, PARTS, SIZES, Value, domain
from lab.generators.matrices.rules import ADDED, EXCLUSIVE, KEPT, TAKEN, Parts, PartsRule


@dataclass(frozen=True, slots=True)
class Rows:
    """Nine values of an attribute, row by row, and their radicals."""

    values: tuple[Value, ...]
    radicals: Mapping[str, int] = field(default_factory=dict)


# Makes rows for the named attribute, from the given values if the writer needs them.
Writer = Callable[[str, Sequence[Value], random.Random], Rows]


def same(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return one value everywhere."""
    return Rows((rng.choice(values),) * 9)


def per_row(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return a value for each row."""
    return Rows(tuple(value for value in rng.sample(values, 3) for _ in range(3)))


def progression(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows that rise, fall, turn or move on by the same step."""
    if name == "size":
        sizes = SIZES if rng.random() < 0.5 else SIZES[::-1]
        return Rows(sizes * 3)
    if name == "count":
        step = rng.choice((-1, 1))
        middles = [rng.choice(COUNTS[1:-1]) for _ in range(3)]
        return Rows(tuple(middle + step * place for middle in middles for place in (-1, 0, 1)))
    choice = domain(name)
    leap = int(rng.random() < LEAPING[name])
    step = rng.choice(STEPS[name][leap]) * rng.choice((-1, 1))
    # Shapes that turn by right angles begin upright or lying.
    every = 2 if name == "turn" and step % 2 == 0 else 1
    starts = rng.sample(range(0, len(choice), every), 3)
    return Rows(
        tuple(
            choice[(start + step * place) % len(choice)] for start in starts for place in range(3)
        ),
        {"spatial": 1, "leap": leap},
    )


def distribution(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return the same three values in every row, shifted by one place in each row."""
    return Rows(_moved_on(rng.sample(values, 3), 1), {"distribution": 1})


def against(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return a distribution that shifts the other way, so that it differs from a first one."""
    return Rows(_moved_on(rng.sample(values, 3), -1), {"distribution": 1})


def total(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows in which the third number is the sum of the first two."""
    choice = [(a, b, a + b) for a in COUNTS for b in COUNTS if a + b <= COUNTS[-1]]
    return Rows(_sums(choice, rng), {"addition": 1})


def difference(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows in which the third number is the first minus the second."""
    choice = [(a, b, a - b) for a in COUNTS for b in COUNTS if a > b]
    return Rows(_sums(choice, rng), {"addition": 1, "removal": 1})


def added(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows whose third set has all parts of the first two."""
    shared = int(rng.random() < 0.5)
    rows = [_pair(name, rng, only=(1, 2), shared=(shared, shared)) for _ in range(3)]
    return Rows(_with_third(rows, ADDED), {"addition": 1, "shared": shared})


def taken(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows whose third set is the first one without the second."""
    pairs = [_pair(name, rng, only=(1, 2), shared=(1, 3)) for _ in range(3)]
    rows = [(a, tuple(part for part in b if part in a)) for a, b in pairs]
    return Rows(_with_third(rows, TAKEN), {"addition": 1, "removal": 1})


def kept(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows whose third set has the parts that the first two have in common."""
    rows = [_pair(name, rng, only=(1, 2), shared=(1, 2)) for _ in range(3)]
    return Rows(_with_third(rows, KEPT), {"addition": 1, "removal": 1})


def exclusive(name: str, values: Sequence[Value], rng: random.Random) -> Rows:
    """Return rows whose third set has the parts that are in only one of the first two."""
    rows = [_pair(name, rng, only=(1, 2), shared=(1, 2)) for _ in range(3)]
    return Rows(_with_third(rows, EXCLUSIVE), {"exclusive": 1})


WRITERS: dict[str, Writer] = {
    each.__name__: each
    for each in (
        *(same, per_row, progression, distribution, against, total, difference),
        *(added, taken, kept, exclusive),
    )
}

# Short and long steps, in places of the domain. LEAPING is the share of long ones.
STEPS: dict[str, tuple[Parts, Parts]] = {
    "turn": ((1, 2), (3,)),
    "dot": ((1,), (2,)),
    "ring": ((1,), (2,)),
}
LEAPING = {"turn": 0.25, "dot": 0.5, "ring": 0.5}


def _moved_on(three: Sequence[Value], by: int) -> tuple[Value, ...]:
    return tuple(three[(place + by * row) % 3] for row in range(3) for place in range(3))


def _sums(choice: Sequence[tuple[int, int, int]], rng: random.Random) -> tuple[int, ...]:
    """Return three of these rows of numbers, in which the third needs both other numbers."""
    while True:
        rows = rng.sample(choice, 3)
        if not any(map(_seems_simpler, (rows, [*zip(*rows, strict=True)]))):
            return tuple(chain.from_iterable(rows))


def _seems_simpler(lines: Sequence[Sequence[int]]) -> bool:
    """Tell whether a third number seems to follow from only one before it, with another result.

    If in the first two lines the numbers have the same difference, ratio or sum, a student may
    expect it in the last line too.
    """
    for place in (0, 1):
        (a, c), (b, d), (begun, right) = ((line[place], line[2]) for line in lines)
        for end in COUNTS:
            further = end - begun == c - a == d - b
            times = end * a == begun * c and a * d == b * c
            rest = end + begun == c + a == d + b
            if end != right and (further or times or rest):
                return True
    return False


def _pair(
    name: str, rng: random.Random, *, only: tuple[int, int], shared: tuple[int, int]
) -> tuple[Parts, Parts]:
    """Return two sets; `only` and `shared` limit the parts of one set and of both."""
    parts = rng.sample(range(PARTS[name]), PARTS[name])
    both = {parts.pop() for _ in range(rng.randint(*shared))}
    pair = [both | {parts.pop() for _ in range(rng.randint(*only))} for _ in range(2)]
    return tuple(sorted(pair[0])), tuple(sorted(pair[1]))


def _with_third(rows: Iterable[tuple[Parts, Parts]], rule: PartsRule) -> tuple[Value, ...]:
    values: list[Value] = []
    for first, second in rows:
        values += (first, second, rule(first, second))
    return tuple(values)
