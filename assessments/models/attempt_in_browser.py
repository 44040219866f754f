"""Find the attempt that a browser's cookie opens. Each of its pages does."""

from itertools import islice

from django.db import connection

from assessments.models.attempt_queries import COLUMNS_READ_AGAIN
from assessments.models.attempts import Attempt
from assessments.models.identity import BROWSER_TOKEN, given_name, secret_digest
from assessments.models.students import Student
from partners.models import Project
from partners.models.columns import columns_of

# Pages of an open attempt need no others; reading all would take twice as long.
_ATTEMPT = columns_of(
    Attempt,
    *("student", "assessment_id", "bank", "language", "stream", "continuations"),
    *COLUMNS_READ_AGAIN,
)
_STUDENT = columns_of(Student, "project")
_PROJECT = columns_of(
    Project,
    *("project_id", "name", "recommendation_count", "takers", "time_zone", "return_url", "accent"),
    "is_test",
)
# A constant, because compiling the ORM's query takes an eighth of a page.
_SQL = f"""
SELECT (SELECT link.name FROM assessments_assessmentlink link WHERE link.attempt_id = attempt.id
        ORDER BY link.used_at DESC, link.id DESC LIMIT 1),
       {", ".join(f"attempt.{name}" for name in _ATTEMPT)},
       {", ".join(f"student.{name}" for name in _STUDENT)},
       {", ".join(f"project.{name}" for name in _PROJECT)}
FROM assessments_attempt attempt
JOIN assessments_student student ON student.id = attempt.student_id
JOIN partners_project project ON project.id = student.project_id
WHERE attempt.browser_digest = %s
"""  # noqa: S608  only names of columns


def attempt_in_browser(browser_token: str) -> Attempt | None:
    """Return the attempt with student, project and given name, or None."""
    if not BROWSER_TOKEN.fullmatch(browser_token):
        return None
    digest = secret_digest(browser_token)
    if connection.vendor != "postgresql":
        return by_the_orm(digest)
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [digest])
        row = cursor.fetchone()
    if row is None:
        return None
    name, *columns = row
    values = iter(columns)
    attempt = Attempt.from_db(connection.alias, _ATTEMPT, [*islice(values, len(_ATTEMPT))])
    student = Student.from_db(connection.alias, _STUDENT, [*islice(values, len(_STUDENT))])
    student.project = Project.from_db(connection.alias, _PROJECT, [*values])
    attempt.student = student
    attempt.given_name = given_name(name)
    return attempt


def by_the_orm(digest: str) -> Attempt | None:
    """Do the same on SQLite, which stores times as text; the given name takes another query."""
    attempts = Attempt.objects.select_related("student__project")
    return attempts.filter(browser_digest=digest).first()
