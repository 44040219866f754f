"""What a word problem consists of before it is put into words."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from itemgen.problems.vocabulary import Rupees, Value

WEIGHTS = {
    "steps": 0.5,  # operations beyond the first
    "rate": 0.3,  # something per something
    "percentage": 0.6,  # percentages
    "ratio": 0.65,  # ratios, parts of a whole
    "inverse": 1.2,  # the more of one, the less of the other
    "reverse": 1.3,  # the start is asked for and the end is told
    "irrelevant": 0.3,  # a number that is not needed
}


Values = Mapping[str, Value]
Slips = list[int | Fraction]


@dataclass(frozen=True)
class Problem:
    """A problem: the scene and values of its sentences, its answer, and where slips lead.

    `unit` is "rupees" or a key of UNITS. `radicals` has the names of WEIGHTS that are not 0.
    The numbers of `extra` stand in the sentence that is not needed, which is left out without
    them. A slip that is not a whole number is one that nobody would believe, and is dropped.
    `way` are the results of steps in between, for the numbers to be comfortable.
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
        """Tell whether the answer and all that it is worked out from are whole, and more than 1."""
        told = [each.amount if isinstance(each, Rupees) else each for each in self.values.values()]
        numbers = [each for each in told if not isinstance(each, str)]
        return all(
            Fraction(each).denominator == 1 and each > 1
            for each in (self.answer, *numbers, *self.way)
        )


@dataclass(frozen=True, slots=True)
class Words:
    """A scene in one language: what is told, the question, and a sentence that is not needed.

    `{extra}` stands where the sentence that is not needed would stand.
    """

    told: str
    asked: str
    extra: str


def perhaps(rng: random.Random, **extra: Value) -> dict[str, Value] | None:
    """Return the values of the sentence that is not needed, in two problems out of five."""
    return extra if rng.random() < 0.4 else None


def multiple(rng: random.Random, low: int, high: int, step: int) -> int:
    """Return a multiple of step from low to high, which are multiples themselves."""
    return rng.randrange(low, high + step, step)


def two_names(rng: random.Random) -> tuple[str, str]:
    """Return the keys of two different names."""
    first, second = rng.sample(("kiran", "noor", "robin", "suman", "mani", "anmol"), 2)
    return first, second
