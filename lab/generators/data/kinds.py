"""The parts of a question about a table or chart, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lab.generators.problems.kinds import Slips, Values
from lab.generators.problems.vocabulary import Rupees

WEIGHTS = {
    "steps": 0.5,  # different operations, after reading one value
    "values": 0.07,  # relevant values, beyond two
    "columns": 0.5,  # columns to combine, beyond the first
    "each_row": 0.6,  # an operation in every row before comparing or adding the rows
    "rate": 0.5,  # an average or a rate
    "ratio": 0.6,
    "percentage": 0.9,
    "reverse": 1.2,  # a hidden value, to infer from a result
    "gridlines": 0.3,  # values to read off gridlines
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in one language, and the facts needed besides the figure."""

    text: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A numeric answer, its unit ("rupees" or a key of UNITS), and the results of slips.

    Wrong amounts do not exceed `most`, which is set if larger amounts are impossible.
    """

    answer: int | Fraction
    unit: str
    slips: Slips
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """Rows, or pairs of neighbours, as options; the right one is at the place of the key."""

    rows: Sequence[str | tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Consecutive numbers from `first` as options; the right one is at the place of the key."""

    first: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """An answer such as 3 : 2, in its lowest terms."""

    first: int
    second: int


Answer = Amount | Names | Counts | Ratio


@dataclass(frozen=True)
class Task:
    """A figure and a question about it.

    `values` has a row for each of `rows`, with a value for each of `columns`; None hides a value.
    `step` is the distance of gridlines in a chart, 0 if the figure must be a table. `words` fills
    the sentences: numbers, money, and keys of rows.
    """

    theme: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[int | None]]
    question: str
    words: Values
    answer: Answer
    radicals: Mapping[str, int]
    step: int = 0

    @property
    def is_comfortable(self) -> bool:
        """Tell whether the answer and all given numbers are whole and more than 1."""
        numbers = [
            each.amount if isinstance(each, Rupees) else each
            for each in self.words.values()
            if not isinstance(each, str)
        ]
        if isinstance(self.answer, Amount):
            numbers.append(self.answer.answer)
        return all(Fraction(each).denominator == 1 and each > 1 for each in numbers)


def beyond_two(values: Sequence[Sequence[int]]) -> int:
    """Return the number of values beyond two, for a task in which all are relevant."""
    return sum(map(len, values)) - 2
