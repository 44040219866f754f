"""Courses that a student removed from the result page, and those that take their places.

This is the student's view alone. The stored recommendations, which partners read, never change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from assessments.models.attempts import Assessment


@dataclass(frozen=True, slots=True)
class VisibleCourses:
    """The courses that a result page shows, best first, and the dismissed ones, oldest first.

    Each course has the form of `Assessment.recommendations`.
    """

    shown: list[Mapping[str, Any]]
    dismissed: list[Mapping[str, Any]]


def visible_courses(attempt: Assessment) -> VisibleCourses:
    """Return the recommendations with the next best in place of each dismissed one.

    The next best are computed from the catalogue of the completion. Raises ValueError if the
    attempt is not completed.
    """
    if attempt.recommendations is None:
        raise ValueError(f"{attempt.assessment_id} is not completed.")
    courses = list(attempt.recommendations)
    if attempt.dismissed:
        known = {course["code"] for course in courses}
        ranked = attempt.rescore(further=len(attempt.dismissed))[1]
        courses += [course for course in ranked if course["code"] not in known]
    by_code = {course["code"]: course for course in courses}
    left = [course for course in courses if course["code"] not in attempt.dismissed]
    return VisibleCourses(
        shown=left[: len(attempt.recommendations)],
        dismissed=[by_code[code] for code in attempt.dismissed if code in by_code],
    )


@transaction.atomic
def dismiss(attempt: Assessment, code: str) -> bool:
    """Remove a course from the student's view.

    Return False if it is not shown there, or the attempt is no longer in the browser in which it
    was read: erased, deleted or forgotten. Raises ValueError if the attempt is not completed.
    """
    if not _lock(attempt):
        return False
    if code not in {course["code"] for course in visible_courses(attempt).shown}:
        return False
    _store(attempt, [*attempt.dismissed, code])
    return True


@transaction.atomic
def restore(attempt: Assessment, code: str) -> bool:
    """Bring a dismissed course back. Return False if it was not dismissed, or as `dismiss` does."""
    if not _lock(attempt) or code not in attempt.dismissed:
        return False
    _store(attempt, [other for other in attempt.dismissed if other != code])
    return True


def _lock(attempt: Assessment) -> bool:
    """Lock the row and read what decides. Return False if it is gone or left this browser."""
    rows = Assessment.objects.select_for_update(no_key=True).only("dismissed", "recommendations")
    locked = rows.filter(pk=attempt.pk, browser_digest=attempt.browser_digest).first()
    if locked is None:
        return False
    attempt.dismissed, attempt.recommendations = locked.dismissed, locked.recommendations
    return True


def _store(attempt: Assessment, codes: list[str]) -> None:
    attempt.dismissed = codes
    attempt.save(update_fields=["dismissed"])
