"""Courses as ranking sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from measurement.scales import FACETS, PREFERENCES

# The levels of a facet that a course may need, by number, and their positions on the ability scale.
# Level 0 needs nothing.
LEVELS: tuple[str, ...] = ("none", "basic", "average", "strong")
LEVEL_THETA: tuple[float, ...] = (0.0, -0.7, 0.0, 0.7)
IMPORTANCE_MAX = 2
# The education needed before a course, and the school subjects that it builds on.
ENTRY_LEVELS: tuple[str, ...] = ("class-10", "class-12", "degree")
STREAMS: tuple[str, ...] = ("science-maths", "science-biology", "commerce", "arts")
# A student's answer to the stream question: a stream, or "not decided, or other subjects".
OTHER_STREAM = "other"
STREAM_ANSWERS: tuple[str, ...] = (*STREAMS, OTHER_STREAM)
# How a course is taught: both ends of every scale of study preferences.
DELIVERY: tuple[str, ...] = tuple(end for scale in PREFERENCES for end in scale.split("_"))


@dataclass(frozen=True, slots=True)
class CourseData:
    """The facts of a course that ranking uses.

    `levels` (numbers of LEVELS) and `importance` (0 to 2) are in the order of FACETS, or empty.
    `fields` are up to three codes of fields, the main one first. `streams` are the usual subjects
    before the course, `required_streams` those of which it asks one.
    """

    code: str
    name: str
    order: int
    levels: tuple[int, ...] = ()
    importance: tuple[int, ...] = ()
    department: str = ""
    delivery: tuple[str, ...] = ()
    entry_level: str = ""
    streams: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    required_streams: tuple[str, ...] = ()

    @property
    def demands(self) -> tuple[tuple[str, int, int], ...]:
        """List facet, level and importance of the facets that count, in the order of FACETS."""
        stated = zip(FACETS, self.levels, self.importance, strict=False)
        return tuple(demand for demand in stated if demand[2] > 0)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a course of a stored catalogue."""
        return cls(
            code=data["code"],
            name=data["name"],
            order=data["order"],
            levels=tuple(data["levels"]),
            importance=tuple(data["importance"]),
            department=data["department"],
            delivery=tuple(data["delivery"]),
            entry_level=data["entry_level"],
            streams=tuple(data["streams"]),
            fields=tuple(data["fields"]),
            required_streams=tuple(data["required_streams"]),
        )


def other_end(end: str) -> str:
    """Return the opposite end of a preference scale, or "" if `end` is unknown."""
    for scale in PREFERENCES:
        left, right = scale.split("_")
        if end in (left, right):
            return right if end == left else left
    return ""
