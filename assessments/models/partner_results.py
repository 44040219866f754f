"""The results of a student's attempts, as partners read them."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection

from assessments.models.attempts import Attempt
from assessments.models.ended import elapsed

# `_by_the_orm` as constant SQL, which saves 1.1 ms of our CPU per call. It reads only the names of
# the recommended courses, not the three kilobytes of their reasons.
_OUTCOMES = """
SELECT a.id, a.assessment_id, a.started_at, a.completed_at, a.results_read_at,
  jsonb_path_query_array(a.recommendations, '$[*].name')::text,
  CASE WHEN a.completed_at IS NULL THEN
    (SELECT max(n.answered_at) FROM assessments_answer n WHERE n.attempt_id = a.id)
  END
FROM assessments_student s JOIN assessments_attempt a ON a.student_id = s.id
WHERE s.project_id = %s AND s.email_key = %s
  AND (a.completed_at IS NOT NULL OR a.abandoned_at IS NOT NULL OR a.finish_by_at <= %s)
ORDER BY a.started_at DESC, a.id DESC
LIMIT %s
"""


class PartnerResult(NamedTuple):
    """What partners see of an ended attempt, under the names of `Attempt`."""

    pk: int
    assessment_id: str
    completed_at: datetime | None
    results_read_at: datetime | None
    recommended_names: list[str]
    duration: timedelta


def newest(
    project_id: int, email_key: str, at: datetime, at_most: int
) -> Sequence[PartnerResult | Attempt]:
    """Return a student's results, newest start first; `project_id` is the project's key."""
    if connection.vendor != "postgresql":
        return _by_the_orm(project_id, email_key, at, at_most)
    with connection.cursor() as cursor:
        cursor.execute(_OUTCOMES, [project_id, email_key, at, at_most])
        rows = cursor.fetchall()
    return [
        PartnerResult(
            pk,
            assessment_id,
            completed_at,
            read_at,
            json.loads(names) if names else [],  # null before the completion
            elapsed(started_at, completed_at or last_answered_at),
        )
        for pk, assessment_id, started_at, completed_at, read_at, names, last_answered_at in rows
    ]


def _by_the_orm(project_id: int, email_key: str, at: datetime, at_most: int) -> list[Attempt]:
    """Return attempts, which have all that a PartnerResult has."""
    of_student = {"student__project_id": project_id, "student__email_key": email_key}
    finished = Attempt.objects.filter(**of_student).ended(at).with_progress()
    return list(finished.newest_first()[:at_most])


def note_read(results: Iterable[PartnerResult | Attempt], at: datetime) -> None:
    """Store when the partner first read these results."""
    if unread := [each.pk for each in results if each.results_read_at is None]:
        Attempt.objects.filter(pk__in=unread, results_read_at=None).update(results_read_at=at)
