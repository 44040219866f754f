"""get-student-status: the links and attempts of one student, in any state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
    Serializer,
)

from assessments.api import schema
from assessments.api.codes import ADVICE
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import Email, ProjectId
from assessments.desk import link_history
from assessments.desk.diagnosis import diagnose
from assessments.desk.timeline import LinkFacts
from assessments.models.attempts import Assessment
from assessments.models.ends import Status
from assessments.models.links import AssessmentLink, LinkState
from assessments.models.retention import ended_at
from assessments.models.students import Student
from partners.models import Project
from partners.times import rfc3339

AT_MOST = 50  # links, and attempts, in an answer
STATES = ("unopened", "opened", "started", "expired", "cancelled")
STATUS_WORDS = {
    Status.COMPLETED: "Completed",
    Status.ABANDONED: "Abandoned",
    Status.IN_PROGRESS: "InProgress",
}


class StatusRequest(Serializer[Any]):
    """The body of a call of get-student-status."""

    projectId = ProjectId()
    email = Email()


class LinkStatus(Serializer[Any]):
    """A link, and how far it got."""

    LinkId = CharField(help_text="The id of the link, as in `X-Link-Id`.")
    Reference = CharField(
        allow_null=True, help_text="The `X-Reference` of the call that made it; null without one."
    )
    IssuedAt = DateTimeField(help_text="When it was issued.")
    ExpiresAt = DateTimeField(help_text="Until then it can be started.")
    State = ChoiceField(
        STATES,
        help_text="`unopened`: at most robots fetched it. `opened`: the student looked, but did "
        "not press Start. `started`: it was used, see the assessment. `expired` and `cancelled`: "
        "it can't be started any more.",
    )
    OpenedAt = DateTimeField(
        allow_null=True, help_text="When a person first opened it; null if nobody has."
    )
    StartedAt = DateTimeField(
        allow_null=True,
        help_text="When it started an assessment or continued one; null if it has not.",
    )
    AssessmentId = CharField(
        allow_null=True, help_text="The assessment that it started or continued; else null."
    )
    Advice = CharField(
        help_text="What happened and what to do, as a code: the diagnosis that our support sees. "
        f"{', '.join(f'`{each.code}`' for each in ADVICE)}. New codes may be added."
    )


class AttemptStatus(Serializer[Any]):
    """An attempt, also while it is in progress."""

    AssessmentId = CharField(help_text="Identifier of the attempt.")
    Status = ChoiceField(
        list(STATUS_WORDS.values()),
        help_text="As in get-assessments-info, or `InProgress`.",
    )
    StartedAt = DateTimeField(help_text="When the student pressed Start.")
    FinishBy = DateTimeField(help_text="Until then it can be continued.")
    EndedAt = DateTimeField(
        allow_null=True,
        help_text="When it was completed, left or closed, or its `FinishBy` if nobody finished it; "
        "null while it is in progress.",
    )
    Answered = IntegerField(help_text="Questions answered.")
    Total = IntegerField(help_text="Questions of the assessment.")
    Language = CharField(help_text="`en` or `hi`.")


class StudentStatus(Serializer[Any]):
    """The links and attempts of a student."""

    Links = LinkStatus(many=True, help_text=f"The newest first, at most {AT_MOST}.")
    Assessments = AttemptStatus(
        many=True, help_text=f"The one that started last first, at most {AT_MOST}."
    )


class GetStudentStatus(PartnerOperation):
    name = "get-student-status"
    serializer_class = StatusRequest

    @schema.operation(
        "getStudentStatus",
        "Get a student's progress",
        "Returns the links and assessments of one e-mail address in your project, in any state. "
        "Both lists are empty if we don't know the address. To show what to do next, look at "
        "`Advice` of the newest link.",
        StudentStatus,
        request={"projectId": schema.PROJECT_ID, "email": schema.STUDENT["email"]},
        answer={
            "Links": [
                {
                    "LinkId": "lnk_xxxxxxxxxxxxxxxx",
                    "Reference": "applicant-4711",
                    "IssuedAt": "2026-11-23T08:32:00Z",
                    "ExpiresAt": "2026-11-26T08:32:00Z",
                    "State": "started",
                    "OpenedAt": "2026-11-23T08:40:11Z",
                    "StartedAt": "2026-11-23T08:41:30Z",
                    "AssessmentId": "asm_xxxxxxxxxxxxxxxx",
                    "Advice": "in-progress",
                }
            ],
            "Assessments": [
                {
                    "AssessmentId": "asm_xxxxxxxxxxxxxxxx",
                    "Status": "InProgress",
                    "StartedAt": "2026-11-23T08:41:30Z",
                    "FinishBy": "2026-11-24T08:41:30Z",
                    "EndedAt": None,
                    "Answered": 14,
                    "Total": 70,
                    "Language": "en",
                }
            ],
        },
    )
    def post(self, request: Request) -> Response:
        token, fields = self.validated(request)
        return Response(status_of(token.project, fields["email"], timezone.now()))


def status_of(project: Project, email: str, at: datetime) -> dict[str, Any]:
    """Return the wire form of a student's links and attempts; empty for an unknown address."""
    try:
        student = Student.objects.known_as(project, email)
    except Student.DoesNotExist:
        return {"Links": [], "Assessments": []}
    links = list(student.links.select_related("access_token").newest_first()[:AT_MOST])
    for link in links:
        link.student = student
    attempts = link_history.with_facts(student.assessments.newest_first())[:AT_MOST]
    return {
        "Links": _links(links, at),
        "Assessments": [_attempt(attempt, at) for attempt in attempts],
    }


def _links(links: Sequence[AssessmentLink], at: datetime) -> list[dict[str, Any]]:
    facts = link_history.of_links(links, at)
    return [_link(link, known, at) for link, known in zip(links, facts, strict=True)]


def _link(link: AssessmentLink, facts: LinkFacts, at: datetime) -> dict[str, Any]:
    opened = facts.fetched("opened")
    return {
        "LinkId": link.link_id,
        "Reference": link.reference or None,
        "IssuedAt": rfc3339(link.issued_at),
        "ExpiresAt": rfc3339(link.expires_at),
        "State": _state(facts),
        "OpenedAt": rfc3339(opened[0].at) if opened else None,
        "StartedAt": rfc3339(link.used_at) if link.used_at else None,
        "AssessmentId": facts.attempt.assessment_id if facts.attempt else None,
        "Advice": diagnose(facts, at, rfc3339).code,
    }


def _state(facts: LinkFacts) -> str:
    if facts.attempt:
        return "started"
    if facts.state in {LinkState.CANCELLED, LinkState.EXPIRED}:
        return facts.state
    return "opened" if facts.fetched("opened") else "unopened"


def _attempt(attempt: Assessment, at: datetime) -> dict[str, Any]:
    status = attempt.status_at(at)
    return {
        "AssessmentId": attempt.assessment_id,
        "Status": STATUS_WORDS[status],
        "StartedAt": rfc3339(attempt.started_at),
        "FinishBy": rfc3339(attempt.finish_by_at),
        "EndedAt": None if status == Status.IN_PROGRESS else rfc3339(ended_at(attempt)),
        "Answered": attempt.answered,  # type: ignore[attr-defined]  # annotated
        "Total": attempt.content.layout.total,
        "Language": attempt.language,
    }
