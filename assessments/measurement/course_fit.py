"""How well a course fits a student, and what the rankings by types and by fields share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assessments.measurement.courses import CourseRatings, other_end

# The limit of courses per department applies to this many at the top of a list.
TOP = 5


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a course fits a student, regardless of which courses are chosen.

    By types, `score` is the weighted mean that `type_fit.combined_score` makes of the other three.
    By fields, it is their sum, in SDs over students, and 0 is the average student's.
    """

    course: CourseRatings
    score: float
    interest: float
    aptitude: float
    preference: float


def preference_fit(preferred: Sequence[str], delivery: Sequence[str]) -> float:
    """Return how well a course's delivery agrees with clear preferences: -.5 to .5.

    It is the share of tags that agree, minus .5; a tag on a scale without a clear preference counts
    half. Without tags, it is 0. Two courses therefore differ by at most 1, and preferences never
    move a course by more than their weight.
    """
    if not delivery:
        return 0.0
    agree = sum(tag in preferred for tag in delivery)
    against = sum(other_end(tag) in preferred for tag in delivery)
    return (agree - against) / (2 * len(delivery))
