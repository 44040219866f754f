"""The facts of a course that decide its place in a list."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
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
# Facet, level and importance of the facets that matter, in the order of FACETS.
Demands = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class CourseData:
    """A course, with attributes named like its columns.

    Levels are indexes of LEVELS, importances 0 to IMPORTANCE_MAX. The first of up to three `fields`
    is the main one. `streams` are usual before the course; one of `required_streams` is required.
    Texts for students are by language; from `is_active` on, nothing decides the course's place.
    """

    code: str
    name: str
    order: int = 0
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
    is_active: bool = True
    fields_proposed: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    leads_to: Mapping[str, list[str]] = field(default_factory=dict)
    url: str = ""
    apply_url: str = ""

    @property
    def title(self) -> str:
        return title_of(self.name)

    @property
    def demands(self) -> Demands:
        return _demands(
            ("numerical", self.numerical_level, self.numerical_importance),
            ("abstract", self.abstract_level, self.abstract_importance),
            ("verbal", self.verbal_level, self.verbal_importance),
        )

    @property
    def columns(self) -> dict[str, Any]:
        """The columns as a row stores them, with lists in place of tuples."""
        values = ((name, getattr(self, name)) for name in COLUMNS)
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values}

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Self:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in columns.items()
        }
        return cls(**values)


@lru_cache(maxsize=1_000)  # few are possible, and a result asks for those of every course
def _demands(*facets: tuple[str, int, int]) -> Demands:
    return tuple(facet for facet in facets if facet[2] > 0)


@lru_cache(maxsize=10_000)  # a catalogue has at most as many; each result compares all titles
def title_of(name: str) -> str:
    """Return a name for comparison. Several courses may have one title, such as two shifts."""
    return " ".join(name.casefold().replace(".", "").replace("-", " ").split())


def without_repeated_titles(
    courses: Iterable[CourseData], taken: Iterable[CourseData] = ()
) -> Iterator[CourseData]:
    """Yield the first course of each title, unless one of `taken` has it."""
    titles = {course.title for course in taken}
    for course in courses:
        if course.title not in titles:
            titles.add(course.title)
            yield course


COLUMNS = tuple(column.name for column in fields(CourseData))
