"""Courses that a student names before the puzzles, or removes from the result page.

Removing changes the student's view alone: partners read the stored recommendations.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction

from assessments.models.answers import AttemptAnswers
from assessments.models.attempts import Attempt
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.items import Item
from measurement.courses import CourseData, without_repeated_titles
from measurement.field_fit import suits_stream, suits_takers

# With fewer the question is idle, with more nobody reads the list.
MIN_OFFERED, MAX_OFFERED = 2, 120
# Only who read a notice from then on is asked whether they think of a course that is not listed.
UNLISTED_SINCE = "2026-11-29"


def offered_courses(attempt: Attempt) -> list[CourseData]:
    """Return the courses open to the student's subjects; [] if too few or too many.

    Of courses with one title, the first.
    """
    project = attempt.project
    suitable = without_repeated_titles(
        course
        for course in CatalogueSnapshot.objects.current_courses(project)
        if suits_takers(course, project.takers) and suits_stream(course, attempt.stream)
    )
    offered = list(islice(suitable, MAX_OFFERED + 1))
    return offered if MIN_OFFERED <= len(offered) <= MAX_OFFERED else []


def asks_ideas(attempt: Attempt, answers: AttemptAnswers) -> bool:
    """Return whether the question of ideas comes next: once, before the puzzles."""
    puzzles = attempt.cached_bank.layout.find(Item.Section.APTITUDE)
    return (
        answers.resume_position == puzzles.first
        and not answers.visible(puzzles.first)
        and attempt.considered is None
        and bool(offered_courses(attempt))
    )


def asks_unlisted(attempt: Attempt) -> bool:
    """Return whether the notice that the student agreed to names that answer."""
    return attempt.consent_version >= UNLISTED_SINCE


@transaction.atomic
def name_ideas(
    attempt: Attempt, codes: Sequence[str], at: datetime, *, unlisted: bool = False
) -> None:
    """Store the codes, if any, and whether a course in no list is meant. Raise like `Attempt.lock`.

    The result leaves out unknown codes.
    """
    attempt.lock(at)
    attempt.considered = list(codes)
    attempt.considers_unlisted = unlisted if asks_unlisted(attempt) else None
    attempt.save(update_fields=["considered", "considers_unlisted"])


class VisibleCourses(NamedTuple):
    """Courses like `Attempt.recommendations`, best first; dismissed ones, oldest first."""

    shown: list[Mapping[str, Any]]
    dismissed: list[Mapping[str, Any]]


def visible_courses(attempt: Attempt) -> VisibleCourses:
    """Rank the completion's catalogue again: each dismissed course is replaced by the next best."""
    courses = list(attempt.recommendations or [])
    count = len(courses)
    if attempt.dismissed:
        known = {course["code"] for course in courses}
        ranked = attempt.rescore(further=len(attempt.dismissed))[1]
        courses += [course for course in ranked if course["code"] not in known]
    by_code = {course["code"]: course for course in courses}
    left = [course for course in courses if course["code"] not in attempt.dismissed]
    return VisibleCourses(
        shown=left[:count],
        dismissed=[by_code[code] for code in attempt.dismissed if code in by_code],
    )


@transaction.atomic
def dismiss(attempt: Attempt, code: str) -> None:
    """Hide a course, unless it is not shown or the attempt left this browser."""
    shown = visible_courses(attempt).shown if _lock(attempt) else []
    if code in {course["code"] for course in shown}:
        attempt.dismissed.append(code)
        attempt.save(update_fields=["dismissed"])


@transaction.atomic
def restore(attempt: Attempt, code: str) -> None:
    """Bring a dismissed course back, unless the attempt left this browser."""
    if _lock(attempt) and code in attempt.dismissed:
        attempt.dismissed.remove(code)
        attempt.save(update_fields=["dismissed"])


def _lock(attempt: Attempt) -> bool:
    """Lock the row and read it again. Return False if it is gone or left this browser."""
    rows = Attempt.objects.select_for_update(no_key=True).only("dismissed", "recommendations")
    locked = rows.filter(pk=attempt.pk, browser_digest=attempt.browser_digest).first()
    if locked is None:
        return False
    attempt.dismissed, attempt.recommendations = locked.dismissed, locked.recommendations
    return True
