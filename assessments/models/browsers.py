"""The attempt that a browser's cookie opens. Every request of a student begins with it."""

from __future__ import annotations

import re
from itertools import islice

from assessments.models.attempts import Assessment, browser_digest
from assessments.models.students import Student
from partners.kept_queries import KeptQuery, of_row
from partners.models import Project

BROWSER_TOKEN = re.compile(r"[0-9a-f]{64}")
# What the pages read. The rest, an attempt's profile above all,
# is read when something asks for it.
OF_ATTEMPT = (
    *("id", "assessment_id", "student_id", "bank_id", "language"),
    *("finish_by_at", "completed_at", "abandoned_at"),
)
OF_STUDENT = ("id", "project_id")
OF_PROJECT = (
    "id",
    "project_id",
    "name",
    "recommendation_count",
    "time_zone",
    "return_url",
    "accent",
)
_IN_BROWSER = KeptQuery(
    lambda digest: Assessment.objects.filter(browser_digest=digest).values_list(
        *OF_ATTEMPT,
        *(f"student__{name}" for name in OF_STUDENT),
        *(f"student__project__{name}" for name in OF_PROJECT),
    ),
    "digest",
)


def attempt_in_browser(browser_token: str) -> Assessment | None:
    """Return the attempt that this browser's cookie opens, with student and project, or None."""
    if not BROWSER_TOKEN.fullmatch(browser_token):
        return None
    found = _IN_BROWSER.rows(browser_digest(browser_token))
    if not found:
        return None
    values = iter(found[0])
    attempt = of_row(Assessment, OF_ATTEMPT, islice(values, len(OF_ATTEMPT)))
    attempt.student = of_row(Student, OF_STUDENT, islice(values, len(OF_STUDENT)))
    attempt.student.project = of_row(Project, OF_PROJECT, values)
    return attempt
