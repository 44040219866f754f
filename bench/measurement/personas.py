"""Twenty-six people, their answers, and the courses due to them: a row of personas.csv each.

`loves` (5), `likes` (4), `neutral` (3), `dislikes` (2) and `hates` (1) name statements by code
without `int-`; all others get `usual`. `numerical`, `abstract` and `verbal` are the true abilities
(0 = the middle, in SDs), `stream` the subjects of class 11-12 as the catalogue names them. At least
one of `must_have` belongs among the first three courses, none of `must_not` among the five. Courses
are those of the demo's catalogue.

The first sixteen were written after the statements and their fields (lab.generators) and before
the method that ranks courses by them. The other ten use the scale in unusual ways, or have subjects
that close many courses; their writer had seen statements and courses, but no field and no method.
Don't change any of them to fit an outcome.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from lab.generators.interest_statements import interest_statements

TABLE = Path(__file__).with_suffix(".csv")
ANSWERS = ("hates", "dislikes", "neutral", "likes", "loves")
FACETS = ("numerical", "abstract", "verbal")


@dataclass(frozen=True)
class Persona:
    number: int
    who: str
    answers: dict[str, int]  # by code of a statement
    usual: int
    can: dict[str, float]  # the true ability, by facet
    stream: str
    must_have: list[str]
    must_not: list[str]

    def answer(self, code):
        """Return the answer (1 to 5) to the statement with this code."""
        return self.answers.get(code, self.usual)


def personas():
    """Read the people. Raises KeyError if one answers a statement that does not exist."""
    known = {statement.code for statement in interest_statements()}
    with TABLE.open(encoding="utf-8", newline="") as file:
        found = [_persona(row) for row in csv.DictReader(file)]
    if unknown := {code for persona in found for code in persona.answers} - known:
        raise KeyError(f"No such statement: {unknown}")
    return found


def _persona(row):
    return Persona(
        int(row["number"]),
        row["who"],
        {f"int-{name}": n for n, each in enumerate(ANSWERS, 1) for name in row[each].split()},
        int(row["usual"]),
        {facet: float(row[facet]) for facet in FACETS},
        row["stream"],
        row["must_have"].split(),
        row["must_not"].split(),
    )
