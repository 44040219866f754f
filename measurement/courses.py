"""The facts of a course that decide its place in a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import permutations
from typing import Any, Self

from measurement.scales import PREFERENCES

# The levels of a facet that a course may need, and the ability of each; level 0 needs none.
LEVELS = ("none", "basic", "average", "strong")
LEVEL_THETA = (0.0, -0.7, 0.0, 0.7)
IMPORTANCE_MAX = 2
# The education needed before a course, and the combinations of school subjects.
ENTRY_LEVELS = ("class-10", "class-12", "degree")
DEGREE = ENTRY_LEVELS[-1]
# Who takes the assessment of a project.
SCHOOL_LEAVERS, GRADUATES, BOTH = TAKERS = ("school-leavers", "graduates", "both")
STREAMS = ("science-maths", "science-biology", "science-maths-biology", "commerce", "arts")
# A student of the first stream has the subjects of the others too.
INCLUDED = {"science-maths-biology": ("science-maths", "science-biology")}
# The answers to the stream question. The last means "not decided, or other subjects".
OTHER_STREAM = "other"
STREAM_ANSWERS = (*STREAMS, OTHER_STREAM)
# Each end of a scale of study preferences, with the other end of that scale.
OTHER_END = {end: other for scale in PREFERENCES for end, other in permutations(scale.split("_"))}
# How a course may be taught.
DELIVERY = tuple(OTHER_END)


@dataclass(frozen=True, slots=True)
class CourseData:
    """A course, with attributes named like its columns.

    Levels are indexes of LEVELS, importances 0 to IMPORTANCE_MAX. The first of up to three `fields`
    is the main one. `streams` are usual before the course; one of `required_streams` is required.
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
    def title(self) -> str:
        return title_of(self.name)

    @property
    def demands(self) -> tuple[tuple[str, int, int], ...]:
        """Facet, level and importance of the facets that matter, in the order of FACETS."""
        facets = (
            ("numerical", self.numerical_level, self.numerical_importance),
            ("abstract", self.abstract_level, self.abstract_importance),
            ("verbal", self.verbal_level, self.verbal_importance),
        )
        return tuple(demand for demand in facets if demand[2] > 0)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Self:
        """Read a course from its columns. Others are ignored, and lists become tuples."""
        values = {name: columns[name] for name in RANKED}
        lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return cls(**{**values, **lists})


def title_of(name: str) -> str:
    """Return a name for comparison. Several courses may have one title, such as two shifts."""
    return " ".join(name.casefold().replace(".", "").replace("-", " ").split())


def without_repeated_titles(
    courses: Iterable[CourseData], taken: Iterable[CourseData] = ()
) -> list[CourseData]:
    """Return the first course of each title, unless one of `taken` has it."""
    titles = {course.title for course in taken}
    kept = []
    for course in courses:
        if course.title not in titles:
            titles.add(course.title)
            kept.append(course)
    return kept


# The columns that decide a course's place.
RANKED = tuple(field.name for field in fields(CourseData))
