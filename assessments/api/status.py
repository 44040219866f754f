"""get-student-status: the links and attempts of one student, in any state."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    IntegerField,
    Serializer,
)

from assessments.api import schema
from assessments.api.codes import ADVICE
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import Email, Moment, OptionalText, ProjectId
from assessments.desk import link_history
from assessments.desk.diagnosis import diagnose
from assessments.models.ends import Status
from assessments.models.links import LinkState
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


class LinkProgress(ChoiceField):
    def to_representation(self, value: Any) -> str:
        if value.link.assessment:
            return "started"
        if value.state in {LinkState.CANCELLED, LinkState.EXPIRED}:
            return str(value.state)
        return "opened" if value.opened_at else "unopened"


class Advice(CharField):
    def to_representation(self, value: Any) -> str:
        return diagnose(value).code


class LinkStatus(Serializer[Any]):
    """A link, and how far it got."""

    LinkId = CharField(source="link_id", help_text="The id of the link, as in `X-Link-Id`.")
    Reference = OptionalText(
        source="reference",
        allow_null=True,
        help_text="The `X-Reference` of the call that made it; null without one.",
    )
    IssuedAt = Moment(source="issued_at", help_text="When it was issued.")
    ExpiresAt = Moment(source="expires_at", help_text="Until then it can be started.")
    State = LinkProgress(
        STATES,
        source="history",
        help_text="`unopened`: at most robots fetched it. `opened`: the student looked, but did "
        "not press Start. `started`: it was used, see the assessment. `expired` and `cancelled`: "
        "it can't be started any more.",
    )
    OpenedAt = Moment(
        source="history.opened_at",
        allow_null=True,
        help_text="When a person first opened it; null if nobody has.",
    )
    StartedAt = Moment(
        source="used_at",
        allow_null=True,
        help_text="When it started an assessment or continued one; null if it has not.",
    )
    AssessmentId = CharField(
        source="assessment.assessment_id",
        allow_null=True,
        help_text="The assessment that it started or continued; else null.",
    )
    Advice = Advice(
        source="history",
        help_text="What happened and what to do, as a code: the diagnosis that our support sees. "
        f"{', '.join(f'`{each.code}`' for each in ADVICE)}. New codes may be added.",
    )


class AttemptProgress(ChoiceField):
    def to_representation(self, value: Any) -> str:
        return STATUS_WORDS[value.status_at(self.context["at"])]


class EndedAt(Moment):
    def to_representation(self, value: Any) -> Any:
        return None if value.is_open(self.context["at"]) else rfc3339(ended_at(value))


class AttemptStatus(Serializer[Any]):
    """An attempt, also while it is in progress."""

    AssessmentId = CharField(source="assessment_id", help_text="Identifier of the attempt.")
    Status = AttemptProgress(
        list(STATUS_WORDS.values()),
        source="*",
        help_text="As in get-assessments-info, or `InProgress`.",
    )
    StartedAt = Moment(source="started_at", help_text="When the student pressed Start.")
    FinishBy = Moment(source="finish_by_at", help_text="Until then it can be continued.")
    EndedAt = EndedAt(
        source="*",
        allow_null=True,
        help_text="When it was completed, left or closed, or its `FinishBy` if nobody finished it; "
        "null while it is in progress.",
    )
    Answered = IntegerField(source="answered", help_text="Questions answered.")
    Total = IntegerField(
        source="cached_bank.layout.total", help_text="Questions of the assessment."
    )
    Language = CharField(source="language", help_text="`en` or `hi`.")


class StudentStatus(Serializer[Any]):
    """The links and attempts of a student."""

    Links = LinkStatus(many=True, help_text=f"The newest first, at most {AT_MOST}.")
    Assessments = AttemptStatus(
        many=True, help_text=f"The one that started last first, at most {AT_MOST}."
    )


@schema.operation(
    "Get a student's progress",
    "Returns the links and assessments of one e-mail address in your project, in any state. "
    "Both lists are empty if we don't know the address. To show what to do next, look at "
    "`Advice` of the newest link.",
    StudentStatus,
)
class GetStudentStatus(PartnerOperation):
    name = "get-student-status"
    serializer_class = StatusRequest

    def post(self, request: Request) -> Response:
        token, fields = self.caller_and_data(request)
        at = timezone.now()
        known = links_and_attempts(token.project, fields["email"], at)
        return Response(StudentStatus(known, context={"at": at}).data)


def links_and_attempts(project: Project, email: str, at: datetime) -> dict[str, Any]:
    """Return what StudentStatus shows of a student; empty lists for an unknown address."""
    try:
        student = Student.objects.known_as(project, email)
    except Student.DoesNotExist:
        return {"Links": [], "Assessments": []}
    links: list[Any] = list(student.links.select_related("access_token").newest_first()[:AT_MOST])
    for link in links:
        link.student = student
    for link, history in zip(links, link_history.of_links(links, at), strict=True):
        link.history = history
    attempts = link_history.with_facts(student.assessments.newest_first())[:AT_MOST]
    return {"Links": links, "Assessments": attempts}
