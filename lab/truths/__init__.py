"""Three truths of what students like, made without the product's fields, tags or ratings.

`basic_interests` has 40 basic interests as published inventories name them, `knowledge` the 33
knowledge domains of O*NET, `activities` 28 kinds of activity, as repairing and comforting. Each has
three tables: how far a liking follows the six Holland types, which likings an answer to a statement
draws on, and which likings a student who would love a course has. The loadings are judgements of
readers who saw the statements' and courses' words only; the reader of `activities` had seen the
product's fields before, and never used them.
"""

from __future__ import annotations

import csv
import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lab.generators.hexagon import correlation, draw_types
from measurement.courses import LEVELS, CourseData
from measurement.scales import FACETS, INTERESTS

ROOT = Path(__file__).resolve().parents[2]

FOLDER = Path(__file__).parent
# The part of an answer's SD that likings make, the spread of answers, and of a person's and a
# statement's own level.
LOADING, MIDDLE, SPREAD, OF_PERSON, OF_STATEMENT = 0.75, 3.1, 1.1, 0.3, 0.4

Loadings = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Truth:
    """Likings, and what of them statements and courses draw on, by code."""

    name: str
    likings: Loadings
    statements: Loadings
    courses: Loadings

    @classmethod
    def read(cls, name: str) -> Truth:
        with (FOLDER / f"{name}.csv").open(encoding="utf-8") as file:
            likings = {
                row["name"]: {interest: float(row[interest]) for interest in INTERESTS}
                for row in csv.DictReader(file)
            }
        return cls(name, likings, _read(f"{name}_statements"), _read(f"{name}_courses"))

    @cached_property
    def levels(self) -> dict[str, float]:
        """How much more or less than others each statement is liked, in steps of an answer."""
        draw = random.Random(f"levels {self.name}")  # noqa: S311 - reproducible, not secret
        return {code: draw.gauss(0, OF_STATEMENT) for code in self.statements}

    def usual(self, code: str) -> float:
        """Return the mean answer of all students to this statement."""
        return MIDDLE + self.levels[code]

    def student(self, seed: str) -> Student:
        """Draw a student's likings, each N(0, 1)."""
        draw = random.Random(f"{self.name} {seed}")  # noqa: S311 - reproducible, not secret
        types = draw_types(draw)
        likings = {}
        for name, loadings in self.likings.items():
            shared = math.fsum(loadings[interest] * types[interest] for interest in INTERESTS)
            own = math.sqrt(max(0.0, 1 - _variance(loadings)))
            likings[name] = shared + own * draw.gauss(0, 1)
        return Student(self, likings, draw.gauss(0, OF_PERSON), draw)


@dataclass
class Student:
    """A person: likings, a level of all answers, and chance."""

    truth: Truth
    likings: Mapping[str, float]
    level: float
    draw: random.Random

    def liking(self, code: str) -> float:
        """Return how much the student likes what this statement speaks of, N(0, 1)."""
        return _mixed(self.likings, self.truth.statements[code])

    def answer(self, code: str) -> int:
        """Return an answer (1 to 5) to the statement with this code."""
        noise = math.sqrt(1 - LOADING**2) * self.draw.gauss(0, 1)
        inclined = LOADING * self.liking(code) + noise
        return max(1, min(5, round(self.truth.usual(code) + self.level + SPREAD * inclined)))

    def order(self) -> list[str]:
        """Return the codes of all courses, the truly favourite one first."""
        liked = self._likes()
        return sorted(liked, key=lambda code: -liked[code])

    def named(self, count: int) -> list[str]:
        """Return the courses that the student thinks of: their likings, off by an SD of 1."""
        thought = {code: liked + self.draw.gauss(0, 1) for code, liked in self._likes().items()}
        return sorted(thought, key=lambda code: -thought[code])[:count]

    def _likes(self) -> dict[str, float]:
        return {code: _mixed(self.likings, each) for code, each in self.truth.courses.items()}


def _read(name: str) -> dict[str, dict[str, float]]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8") as file:
        return {row["code"]: dict(_pairs(row["loadings"])) for row in csv.DictReader(file)}


def _pairs(text: str) -> Iterable[tuple[str, float]]:
    for pair in text.split(";"):
        name, _, weight = pair.partition(":")
        yield name, float(weight)


def _variance(loadings: Mapping[str, float]) -> float:
    """Return the variance that types with the hexagon's correlations give a liking."""
    values = [loadings[interest] for interest in INTERESTS]
    return math.fsum(
        values[one] * values[other] * correlation(one, other)
        for one in range(len(values))
        for other in range(len(values))
    )


def _mixed(likings: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return a weighted sum of likings, as if they were independent, with an SD of 1."""
    size = math.sqrt(math.fsum(weight**2 for weight in weights.values()))
    return math.fsum(weight * likings[name] for name, weight in weights.items()) / size


def catalogue() -> list[CourseData]:
    """Read the demo's courses, which are valid."""
    with (ROOT / "assessments" / "made_up" / "courses.csv").open(encoding="utf-8-sig") as file:
        return [
            CourseData(
                code=row["code"],
                name=row["name"],
                order=int(row["order"]),
                **_demands(row),
                department=row["department"],
                delivery=_words(row["delivery"]),
                fields=_words(row["fields"]),
                required_streams=_words(row["required_streams"]),
            )
            for row in csv.DictReader(file)
        ]


def _demands(row: Mapping[str, str]) -> dict[str, Any]:
    levels = {f"{each}_level": LEVELS.index(row[f"{each}_level"]) for each in FACETS}
    return levels | {f"{each}_importance": int(row[f"{each}_importance"]) for each in FACETS}


def _words(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(";")) if cell else ()
