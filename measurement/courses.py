"""Courses as ranking sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import permutations
from typing import Any, Self

from measurement.scales import PREFERENCES

# The levels of a facet that a course may need, by number, and their positions on the ability scale.
# Level 0 needs nothing.
LEVELS: tuple[str, ...] = ("none", "basic", "average", "strong")
LEVEL_THETA: tuple[float, ...] = (0.0, -0.7, 0.0, 0.7)
IMPORTANCE_MAX = 2
# The education needed before a course, and the school subjects that it builds on.
ENTRY_LEVELS: tuple[str, ...] = ("class-10", "class-12", "degree")
STREAMS: tuple[str, ...] = (
    *("science-maths", "science-biology", "science-maths-biology"),
    *("commerce", "arts"),
)
# The streams that a student of both has too.
INCLUDED: dict[str, tuple[str, ...]] = {
    "science-maths-biology": ("science-maths", "science-biology")
}
# A student's answer to the stream question: a stream, or "not decided, or other subjects".
OTHER_STREAM = "other"
STREAM_ANSWERS: tuple[str, ...] = (*STREAMS, OTHER_STREAM)
# How a course is taught: both ends of every scale of study preferences, each with the other one.
OTHER_END: dict[str, str] = {
    end: other for scale in PREFERENCES for end, other in permutations(scale.split("_"))
}
DELIVERY: tuple[str, ...] = tuple(OTHER_END)


@dataclass(frozen=True, slots=True)
class CourseData:
    """The facts of a course that ranking uses, named as its columns.

    Levels are numbers of LEVELS, importances 0 to 2. `fields` are up to three codes of fields, the
    main one first. `streams` are the usual subjects before the course, `required_streams` those of
    which it asks one.
    """

    code: str
    name: str
    order: int
    numerical_level: int = 0
    numerical_importance: int = 0
    abstract_level: int = 0
    abstract_importance: int = 0
    verbal_level: int = 0
    verbal_importance: int = 0
    department: str = ""
    delivery: tuple[str, ...] = ()
    entry_level: str = ""
    streams: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    required_streams: tuple[str, ...] = ()

    @property
    def demands(self) -> tuple[tuple[str, int, int], ...]:
        """List facet, level and importance of the facets that count, in the order of FACETS."""
        stated = (
            ("numerical", self.numerical_level, self.numerical_importance),
            ("abstract", self.abstract_level, self.abstract_importance),
            ("verbal", self.verbal_level, self.verbal_importance),
        )
        return tuple(demand for demand in stated if demand[2] > 0)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Self:
        """Read a course from its columns, which may be more."""
        facts = {name: columns[name] for name in RANKED}
        lists = {name: tuple(each) for name, each in facts.items() if isinstance(each, list)}
        return cls(**{**facts, **lists})


RANKED = tuple(each.name for each in fields(CourseData))
