"""Issue links to many students at once, for a college without a developer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.models import AssessmentLink, Attempt, LinkEvent, Student, identity
from assessments.models.links import ISSUED
from assessments.models.students import PROJECT_CLOSED
from partners.models import Actor, AuditEvent, Project, Refused
from partners.models.audit import AuditEventQuerySet

MAX_STUDENTS = 2000
MAX_LISTED = 5  # invitations on the page of a project
INVITED = "project.invited"
BY_LIST, AGAIN = "invited by list", "fresh link, as not finished"

Students = Sequence[Mapping[str, Any]]


class Standing(models.TextChoices):
    """Why a student of a list gets no link unless staff ask for it. The last one counts."""

    LINK = "link", "have a link that can be started"
    INSIDE = "inside", "are inside an attempt"
    COMPLETED = "completed", "have completed an attempt"


@dataclass(frozen=True)
class Made:
    """A link that was just made. The link token exists only here."""

    email: str
    link: AssessmentLink
    link_token: str = field(repr=False)


@sensitive_variables("made", "students", "chosen")
@transaction.atomic
def invite(
    project: Project, students: Students, *, by: Actor, also: Collection[str] = ()
) -> list[Made]:
    """Issue a link to each student of a list, except those of a standing that is not in `also`.

    So a list sent twice makes no second links. Raises Refused if the project is closed, or if
    nobody is left.
    """
    at = timezone.now()
    project = _locked(project)
    standings = standings_of(project, students, at)
    chosen = [
        student
        for student in students
        if standings.get(identity.email_key(student["email"])) in {None, *also}
    ]
    if not chosen:
        raise Refused(
            "Nothing was made: every student of the list has a link, is inside an attempt or has "
            "completed one. Tick for whom to make a link all the same."
        )
    made = []
    for student in chosen:
        link, link_token = AssessmentLink.objects.issue(project, **student, at=at)
        AuditEvent.record(ISSUED, link, by=by, reason=BY_LIST, at=at)
        made.append(Made(student["email"], link, link_token))
    _record(project, made, BY_LIST, by=by, at=at)
    return made


@sensitive_variables("made", "issued")
@transaction.atomic
def invite_again(
    project: Project, students: QuerySet[Student], *, by: Actor, latest: int | None
) -> list[Made]:
    """Issue a fresh link to each of these students of a project who was not erased.

    `latest` is the `latest_invitation` that the page knew, so that a page sent twice makes no
    second links. Raises Refused if there is a later one, or if the project is closed.
    """
    at = timezone.now()
    project = _locked(project)
    if latest_invitation(project) != latest:
        raise Refused(
            "Nothing was made: students of this project were invited since this page was opened. "
            "See the project's page, then begin again."
        )
    # Locked, so that no erasure passes between.
    locked = students.select_for_update(no_key=True).order_by("pk")
    invited = [student for student in locked if not student.is_erased]
    for student in invited:
        student.project = project
    issued = AssessmentLink.objects.issue_again(invited, by=by, reason=AGAIN, at=at)
    made = [Made(link.student.email, link, token) for link, token in issued]
    _record(project, made, AGAIN, by=by, at=at)
    return made


def _locked(project: Project) -> Project:
    """Lock an open project: one invitation at a time, so that the second sees the first's links."""
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.is_closed:
        raise Refused(PROJECT_CLOSED)
    return project


def _record(
    project: Project, made: Sequence[Made], reason: str, *, by: Actor, at: datetime
) -> None:
    details = {"counts": {"links": len(made)}}
    AuditEvent.record(INVITED, project, by=by, reason=reason, details=details, at=at)


def standings_of(project: Project, students: Students, at: datetime) -> dict[str, Standing]:
    """Return the standing of the students of a list who have one, by `email_key`."""
    emails = [identity.email_key(student["email"]) for student in students]
    known = Student.objects.filter(project=project, email_key__in=emails)
    having: dict[Standing, QuerySet[Any]] = {
        Standing.LINK: AssessmentLink.objects.unused(at),
        Standing.INSIDE: Attempt.objects.open(at),
        Standing.COMPLETED: Attempt.objects.completed(),
    }
    standings: dict[str, Standing] = {}
    for standing, rows in having.items():
        of_list = rows.filter(student__in=known).values_list("student__email_key", flat=True)
        standings |= dict.fromkeys(of_list, standing)
    return standings


def invitations(project: Project) -> list[dict[str, Any]]:
    """Return the newest invitations of a project, with what became of their links.

    An invitation is its audit event. Its links are those of the same moment that no token asked
    for. Links that nobody used are deleted some weeks after their expiry; the event keeps how many
    were made.
    """
    events = _events(project).with_staff_names()[:MAX_LISTED]
    opened = Exists(LinkEvent.objects.filter(link=OuterRef("pk"), kind="opened"))
    links = AssessmentLink.objects.order_by().filter(
        student__project=project, access_token=None, issued_at__in=[each.at for each in events]
    )
    rows = links.values("issued_at").annotate(
        opened=Count("pk", filter=opened | Q(used_at__isnull=False)),
        started=Count("used_at"),
        finished=Count("attempt__completed_at"),
    )
    counts = {row["issued_at"]: row for row in rows}
    none = dict.fromkeys(("opened", "started", "finished"), 0)
    return [
        {"event": each, "made": each.details["counts"]["links"], **counts.get(each.at, none)}
        for each in events
    ]


def latest_invitation(project: Project) -> int | None:
    return _events(project).values_list("pk", flat=True).first()


def _events(project: Project) -> AuditEventQuerySet:
    return AuditEvent.objects.about(project).of_actions([INVITED]).newest_first()
