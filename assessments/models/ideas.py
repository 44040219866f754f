"""Courses that a student is already thinking of, named before the puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from assessments.models.answers import AttemptAnswers
from assessments.models.attempts import Assessment
from assessments.models.items import Item
from measurement.courses import CourseData
from measurement.field_fit import suits_stream

# With fewer the question is idle, with more nobody reads the list.
FEWEST_OFFERED, MOST_OFFERED = 2, 120


class NotOffered(Exception):
    """A named course is not among those that are offered."""


def offered_courses(attempt: Assessment) -> list[CourseData]:
    """Return the courses that the student can name: active, and open to their subjects.

    They are in staff's order. Empty if there are too few or too many to ask.
    """
    courses = attempt.project.courses.active().order_by("order", "code").as_data()
    suitable = [course for course in courses if suits_stream(course, attempt.stream)]
    return suitable if FEWEST_OFFERED <= len(suitable) <= MOST_OFFERED else []


def asks_ideas(attempt: Assessment, answers: AttemptAnswers) -> bool:
    """Return whether the question comes next: before the puzzles, once, if courses are offered."""
    puzzles = attempt.cached_bank.layout.find(Item.Section.APTITUDE)
    return (
        answers.resume_position == puzzles.first
        and not answers.shown(puzzles.first)
        and attempt.considered is None
        and bool(offered_courses(attempt))
    )


@transaction.atomic
def name_ideas(attempt: Assessment, codes: Sequence[str], at: datetime) -> None:
    """Store the named courses, or that none was named. Raises NotOffered; like `lock`."""
    attempt.lock(at)
    if not set(codes) <= {course.code for course in offered_courses(attempt)}:
        raise NotOffered
    attempt.considered = list(codes)
    attempt.save(update_fields=["considered"])
