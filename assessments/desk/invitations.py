"""Issue links to a list of students, for a college without a developer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.models import identity
from assessments.models.links import ISSUED, AssessmentLink
from assessments.models.students import PROJECT_CLOSED
from partners.models import AuditEvent, Project, Refused
from partners.models.audit import Actor

MAX_STUDENTS = 2000
REASON = "invited by list"

Students = Sequence[Mapping[str, Any]]


class AlreadyInvited(Exception):
    """Some students of the list have a link that can be started. The argument says how many."""


@sensitive_variables("links", "students")
@transaction.atomic
def invite(
    project: Project, students: Students, *, by: Actor, again: bool, at: datetime | None = None
) -> list[tuple[AssessmentLink, str]]:
    """Issue a link to each student. Return (link, link token) in the order of the list.

    Without `again`, raises AlreadyInvited if some have a link that can be started: a list sent
    twice makes no second links. Raises Refused if the project is closed.
    """
    at = at or timezone.now()
    # One list at a time, so that the second of two sees the links of the first.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.is_closed:
        raise Refused(PROJECT_CLOSED)
    if not again and (count := count_invited(project, students, at)):
        raise AlreadyInvited(count)
    links = [AssessmentLink.objects.issue(project, **student, at=at) for student in students]
    for link, _ in links:
        AuditEvent.record(ISSUED, link, by=by, reason=REASON, at=at)
    return links


def count_invited(project: Project, students: Students, at: datetime) -> int:
    """Count the students of a list who have a link that can be started."""
    emails = [identity.email_key(student["email"]) for student in students]
    invited = AssessmentLink.objects.unused(at).filter(
        student__project=project, student__email_key__in=emails
    )
    return invited.values("student").distinct().count()
