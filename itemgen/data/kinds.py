"""What a question about a table or chart consists of before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from itemgen.problems.kinds import Slips, Values
from itemgen.problems.vocabulary import Rupees

WEIGHTS = {
    "steps": 0.5,  # different operations, after reading one value
    "values": 0.07,  # values that matter, beyond two
    "columns": 0.5,  # columns to be combined, beyond the first
    "each_row": 0.6,  # an operation in every row before the rows are compared or added
    "rate": 0.5,  # an average, or something per something
    "ratio": 0.6,
    "percentage": 0.9,
    "reverse": 1.2,  # a value that is not shown, from what follows of it
    "gridlines": 0.3,  # values to be read off gridlines
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in one language, and what has to be known besides the figure."""

    text: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """An answer in numbers: its unit ("rupees" or a key of UNITS), and where slips lead.

    No wrong amount is above `most`, where a larger one could not be.
    """

    answer: int | Fraction
    unit: str
    slips: Slips
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """Rows to choose from, or pairs of neighbours; the right one stands at the place asked for."""

    rows: Sequence[str | tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers that follow each other, from `first`; the right one is at the place asked for."""

    first: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """An answer such as 3 : 2, in its lowest terms."""

    first: int
    second: int


Answer = Amount | Names | Counts | Ratio


@dataclass(frozen=True)
class Task:
    """A figure and what is asked about it.

    `values` holds a row for each of `rows` and in it a value for each of `columns`, None for one
    that is not told. `step` is what the values of a chart may be read off in, 0 for a table only.
    `words` fills the sentences: numbers, money, and keys of rows.
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
        """Tell whether the answer and all that is told are whole, and the answer more than 1."""
        numbers = [
            each.amount if isinstance(each, Rupees) else each
            for each in self.words.values()
            if not isinstance(each, str)
        ]
        if isinstance(self.answer, Amount):
            numbers.append(self.answer.answer)
        return all(Fraction(each).denominator == 1 and each > 1 for each in numbers)


def beyond_two(values: Sequence[Sequence[int]]) -> int:
    """Return how many values there are beyond two, for a task in which they all matter."""
    return sum(map(len, values)) - 2
