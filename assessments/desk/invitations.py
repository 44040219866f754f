"""Links for a list of students, made by staff for a college without a developer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.models import identity
from assessments.models.links import ISSUED, AssessmentLink, LinkState, LinkUnavailable
from partners.models import AuditEvent, Project
from partners.models.audit import Actor

MAX_STUDENTS = 2000
REASON = "invited by list"

Students = Sequence[Mapping[str, Any]]


class AlreadyInvited(Exception):
    """Students of a list have a link that can be started; `emails` are theirs, as in the list."""

    def __init__(self, emails: Collection[str]) -> None:
        super().__init__(f"{len(emails)} have a link")
        self.emails = emails


@sensitive_variables("made", "students")
@transaction.atomic
def invite(
    project: Project, students: Students, *, by: Actor, again: bool, at: datetime | None = None
) -> list[tuple[AssessmentLink, str]]:
    """Issue a link to each student of a list. Return the links with their tokens, in its order.

    Without `again`, raises AlreadyInvited if some of them have a link that can be started, so that
    a list sent twice makes no second one. Raises LinkUnavailable if the project is closed.
    """
    at = at or timezone.now()
    # One list at a time, so that the second of two sees the links of the first.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.is_closed:
        raise LinkUnavailable(LinkState.CLOSED)
    if not again and (emails := _invited(project, students, at)):
        raise AlreadyInvited(emails)
    made = [AssessmentLink.objects.issue(project, **each, at=at) for each in students]
    for link, _ in made:
        AuditEvent.record(ISSUED, link, by=by, reason=REASON, at=at)
    return made


def _invited(project: Project, students: Students, at: datetime) -> set[str]:
    """Return the addresses of a list whose students have a link that can be started."""
    emails = {identity.email_key(each["email"]): each["email"] for each in students}
    unused = AssessmentLink.objects.unused(at)
    unused = unused.filter(student__project=project, student__email_key__in=emails)
    return {emails[key] for key in unused.values_list("student__email_key", flat=True)}
