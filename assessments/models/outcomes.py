"""What a partner reads of a student's finished attempts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from partners.kept_queries import on_postgresql, rows

if TYPE_CHECKING:
    from assessments.models.attempts import AssessmentQuerySet

# `_by_the_orm` as one statement that names what it needs: of the recommendations, which with their
# reasons are some three kilobytes, the names alone.
_OUTCOMES = """
SELECT a.id, a.assessment_id, a.started_at, a.completed_at, a.results_read_at,
  jsonb_path_query_array(a.recommendations, '$[*].name')::text,
  CASE WHEN a.completed_at IS NULL THEN
    (SELECT max(n.answered_at) FROM assessments_answer n WHERE n.assessment_id = a.id)
  END
FROM assessments_student s JOIN assessments_assessment a ON a.student_id = s.id
WHERE s.project_id = %s AND s.email_key = %s
  AND (a.completed_at IS NOT NULL OR a.abandoned_at IS NOT NULL OR a.finish_by_at <= %s)
ORDER BY a.started_at DESC, a.id DESC
LIMIT %s
"""


def elapsed(started_at: datetime, ended_at: datetime | None) -> timedelta:
    """Return how long an attempt took, until its completion or last answer; none if it has neither.

    It is never negative: a clock that jumped back must not show.
    """
    return max(timedelta(0), (ended_at or started_at) - started_at)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished attempt, as far as a partner may know it; it has an attempt's names for it."""

    pk: int
    assessment_id: str
    completed_at: datetime | None
    results_read_at: datetime | None
    recommended_names: list[str]
    duration: timedelta


def newest(
    attempts: AssessmentQuerySet, project_id: int, email_key: str, at: datetime, at_most: int
) -> list[Outcome]:
    """Return the outcomes of a student in a project (by its primary key), newest start first."""
    if not on_postgresql():
        return _by_the_orm(attempts, project_id, email_key, at, at_most)
    return [
        Outcome(
            pk,
            assessment_id,
            completed_at,
            read_at,
            json.loads(names) if names else [],  # null before the completion
            elapsed(started_at, completed_at or last_answered_at),
        )
        for pk, assessment_id, started_at, completed_at, read_at, names, last_answered_at in rows(
            _OUTCOMES, [project_id, email_key, at, at_most]
        )
    ]


def _by_the_orm(
    attempts: AssessmentQuerySet, project_id: int, email_key: str, at: datetime, at_most: int
) -> list[Outcome]:
    finished = attempts.for_email(project_id, email_key).finished(at).with_progress()
    return [
        Outcome(
            attempt.pk,
            attempt.assessment_id,
            attempt.completed_at,
            attempt.results_read_at,
            attempt.recommended_names,
            attempt.duration,
        )
        for attempt in finished.newest_first()[:at_most]
    ]
