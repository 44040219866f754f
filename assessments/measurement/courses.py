"""Courses on the scales of a student, and how similar two courses are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from assessments.measurement.ability import Ability
from assessments.measurement.scales import FACETS, PREFERENCES, standard_deviation

RATING_MAX = 3
# The levels of a facet that a course may need, by number, and their positions on the ability scale.
# Level 0 needs nothing.
LEVELS: tuple[str, ...] = ("none", "basic", "average", "strong")
LEVEL_THETA: tuple[float, ...] = (0.0, -0.7, 0.0, 0.7)
# The uncertainty of "basic" or "strong", in SDs of ability.
LEVEL_SPREAD = 0.5
IMPORTANCE_MAX = 2
# The education needed before a course, and the school subjects that it builds on.
ENTRY_LEVELS: tuple[str, ...] = ("class-10", "class-12", "degree")
STREAMS: tuple[str, ...] = ("science-maths", "science-biology", "commerce", "arts")
# A student's answer to the stream question: a stream, or "not decided, or other subjects".
OTHER_STREAM = "other"
STREAM_ANSWERS: tuple[str, ...] = (*STREAMS, OTHER_STREAM)
# How a course is taught: both ends of every scale of study preferences.
DELIVERY: tuple[str, ...] = tuple(end for scale in PREFERENCES for end in scale.split("_"))
# The means of fewer courses say little, so the built-in means of a broad catalogue replace them.
FEWEST_TO_STANDARDISE = 4
BUILT_IN_MEANS: tuple[float, ...] = (1.1, 1.7, 0.8, 1.1, 1.1, 1.3)


@dataclass(frozen=True, slots=True)
class CourseRatings:
    """The facts of a course that ranking uses.

    `ratings` are six numbers from 0 to 3 in the order of INTERESTS. `levels` (numbers of LEVELS)
    and `importance` (0 to 2) are in the order of FACETS, or empty. `fields` are up to three codes
    of fields, the main one first. `streams` are the usual subjects before the course,
    `required_streams` those of which it asks one.
    """

    code: str
    name: str
    order: int
    ratings: tuple[int, int, int, int, int, int]
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
        """Read a course of a stored catalogue; older ones have fewer members."""
        return cls(
            code=data["code"],
            name=data["name"],
            order=data["order"],
            ratings=tuple(data["ratings"]),
            levels=tuple(data.get("levels", ())),
            importance=tuple(data.get("importance", ())),
            department=data.get("department", ""),
            delivery=tuple(data.get("delivery", ())),
            entry_level=data.get("entry_level", ""),
            streams=tuple(data.get("streams", ())),
            fields=tuple(data.get("fields", ())),
            required_streams=tuple(data.get("required_streams", ())),
        )


def standardise(courses: Sequence[CourseRatings]) -> list[tuple[float, ...]]:
    """Return each course's ratings relative to the catalogue: per interest, mean 0 and SD 1.

    An interest with the same rating in all courses is only centred. The ratings of a catalogue with
    fewer than four courses are also only centred, on built-in means.
    """
    if len(courses) < FEWEST_TO_STANDARDISE:
        return [
            tuple(r - mean for r, mean in zip(course.ratings, BUILT_IN_MEANS, strict=True))
            for course in courses
        ]
    columns = list(zip(*(course.ratings for course in courses), strict=True))
    means = [sum(column) / len(column) for column in columns]
    spreads = [standard_deviation(column) or 1.0 for column in columns]
    return [
        tuple(
            (rating - mean) / spread
            for rating, mean, spread in zip(course.ratings, means, spreads, strict=True)
        )
        for course in courses
    ]


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the correlation of two profiles; 0 if one of them is constant."""
    return math.fsum(correlation_terms(xs, ys))


def correlation_terms(xs: Sequence[float], ys: Sequence[float]) -> list[float]:
    """Return the terms of the correlation of two profiles, which sum to it."""
    dx, dy = centred(xs), centred(ys)
    size = math.sqrt(math.fsum(x * x for x in dx)) * math.sqrt(math.fsum(y * y for y in dy))
    # Standardised ratings that should be equal may differ in their last bits.
    if size < 1e-9:
        return [0.0] * len(dx)
    return [x * y / size for x, y in zip(dx, dy, strict=True)]


def likeness(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the correlation of two standardised courses; 1 if they are equal, even if constant."""
    return 1.0 if xs == ys else pearson(xs, ys)


def centred(values: Sequence[float]) -> list[float]:
    """Return the values minus their mean."""
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def level_chance(ability: Ability, level: int) -> float:
    """Return the probability (0 to 1) that a student with this estimate reaches a course's level.

    It is the normal distribution function of (theta - level) / sqrt(SE^2 + LEVEL_SPREAD^2).
    """
    distance = (ability.theta - LEVEL_THETA[level]) / math.hypot(ability.se, LEVEL_SPREAD)
    return 0.5 * (1 + math.erf(distance / math.sqrt(2)))


def other_end(end: str) -> str:
    """Return the opposite end of a preference scale, or "" if `end` is unknown."""
    for scale in PREFERENCES:
        left, right = scale.split("_")
        if end in (left, right):
            return right if end == left else left
    return ""
