"""The parts of a word problem, before it is put into words."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lab.generators.problems.vocabulary import Rupees, Value

WEIGHTS = {
    "steps": 0.5,  # operations beyond the first
    "rate": 0.3,  # rates, such as a price per kilogram
    "percentage": 0.6,
    "ratio": 0.65,  # ratios, parts of a whole
    "inverse": 1.2,  # inverse proportion
    "reverse": 1.3,  # the result is given, and the start is the answer
    "irrelevant": 0.3,  # an irrelevant number
}


Values = Mapping[str, Value]
Slips = list[int | Fraction]


@dataclass(frozen=True)
class Problem:
    """A problem: the scene and values of its sentences, its answer, and the results of slips.

    `unit` is "rupees" or a key of UNITS. `radicals` has the names of WEIGHTS that are not 0.
    `extra` has the numbers of the irrelevant sentence, which is left out without them. Slips that
    are not whole numbers are dropped, because nobody would believe them. `way` has intermediate
    results, which must also be whole and more than 1.
    """

    scene: str
    values: Values
    answer: int | Fraction
    unit: str
    slips: Slips
    radicals: Mapping[str, int]
    extra: Values | None = None
    way: Sequence[Fraction] = ()

    @property
    def is_comfortable(self) -> bool:
        """Tell whether the answer, the given numbers and `way` are all whole and more than 1."""
        told = [each.amount if isinstance(each, Rupees) else each for each in self.values.values()]
        numbers = [each for each in told if not isinstance(each, str)]
        return all(
            Fraction(each).denominator == 1 and each > 1
            for each in (self.answer, *numbers, *self.way)
        )


@dataclass(frozen=True, slots=True)
class Words:
    """A scene in one language: the given facts, the question, and an irrelevant sentence.

    `{extra}` marks the position of the irrelevant sentence.
    """

    told: str
    asked: str
    extra: str


def perhaps(rng: random.Random, **extra: Value) -> dict[str, Value] | None:
    """Return the values of the irrelevant sentence in two problems out of five, else None."""
    return extra if rng.random() < 0.4 else None


def multiple(rng: random.Random, low: int, high: int, step: int) -> int:
    """Return a random multiple of `step` between `low` and `high`, which are multiples too."""
    return rng.randrange(low, high + step, step)


def two_names(rng: random.Random) -> tuple[str, str]:
    """Return the keys of two different names."""
    first, second = rng.sample(("kiran", "noor", "robin", "suman", "mani", "anmol"), 2)
    return first, second
