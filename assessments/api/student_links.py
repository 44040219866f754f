"""get-student-status and cancel-links."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.serializers import CharField, ChoiceField, DateTimeField, IntegerField

from assessments.api.operation import PartnerOperation, as_json
from assessments.api.serializers import Call, EitherRequest, Email, NullIfEmpty, ResponseBody, Text
from assessments.models import link_history
from assessments.models.ended import Status
from assessments.models.links import AssessmentLink, LinkState
from assessments.models.students import Student
from partners.models import request_actor

MAX_LISTED = 50  # of links and of attempts each
STATES = ("unopened", "opened", "started", "expired", "cancelled")
NO_LINK = (
    "Your project has no link with this `LinkId`. Send the `X-Link-Id` of the call that made it: "
    "it begins with `lnk_`."
)
STATUS_WORDS = {
    Status.COMPLETED: "Completed",
    Status.ABANDONED: "Abandoned",
    Status.IN_PROGRESS: "InProgress",
}


class StatusRequest(Call):
    email = Email()


class LinkStatus(ResponseBody):
    """A link, and how far it got."""

    LinkId = CharField(help_text="The id of the link, as in `X-Link-Id`.")
    Reference = NullIfEmpty(
        allow_null=True, help_text="The `X-Reference` of the call that made it; null without one."
    )
    IssuedAt = DateTimeField(help_text="When it was issued.")
    ExpiresAt = DateTimeField(help_text="Until then it can be started.")
    State = ChoiceField(
        STATES,
        help_text="`unopened`: at most robots fetched it. `opened`: as far as we can tell, the "
        "student looked, but did not press Start. `started`: it was used, see the attempt. "
        "`expired` and `cancelled`: it can't be started any more.",
    )
    OpenedAt = DateTimeField(
        source="history.opened_at",
        allow_null=True,
        help_text="When a person first opened it, as far as we can tell: a mail scanner that "
        "pretends to be a browser counts too. Null if nobody has.",
    )
    StartedAt = DateTimeField(
        source="used_at",
        allow_null=True,
        help_text="When it started an attempt or continued one; null if it has not.",
    )
    AssessmentId = CharField(
        source="attempt.assessment_id",
        allow_null=True,
        help_text="The attempt that it started or continued; else null.",
    )
    Advice = CharField(
        help_text="What happened and what to do, as a code: the diagnosis that our support sees."
    )


class AttemptStatus(ResponseBody):
    """An attempt, also while it is in progress."""

    AssessmentId = CharField(help_text="Identifier of the attempt.")
    Status = ChoiceField(
        list(STATUS_WORDS.values()), help_text="As in get-assessments-info, or `InProgress`."
    )
    StartedAt = DateTimeField(help_text="When the student pressed Start.")
    FinishBy = DateTimeField(source="finish_by_at", help_text="Until then it can be continued.")
    EndedAt = DateTimeField(
        allow_null=True,
        help_text="When it was completed, left or closed, or its `FinishBy` if nobody finished it; "
        "null while it is in progress.",
    )
    Answered = IntegerField(help_text="Questions answered.")
    Total = IntegerField(source="cached_bank.layout.total", help_text="Questions of the attempt.")
    Language = CharField(help_text="`en` or `hi`.")


class StudentStatus(ResponseBody):
    """The links and attempts of a student."""

    Links = LinkStatus(many=True, help_text=f"The newest first, at most {MAX_LISTED}.")
    Assessments = AttemptStatus(
        many=True, help_text=f"The one that started last first, at most {MAX_LISTED}."
    )


class GetStudentStatus(PartnerOperation):
    name = "get-student-status"
    serializer_class = StatusRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        at = timezone.now()
        try:
            student = Student.objects.known_as(token.project, fields["email"])
        except Student.DoesNotExist:
            return as_json({"Links": [], "Assessments": []})
        newest = student.links.select_related("access_token").newest_first()
        links: list[Any] = list(newest[:MAX_LISTED])
        for link, history in zip(links, link_history.of_links(links, at), strict=True):
            link.history, link.state = history, state_of(history)
            link.advice = link_history.diagnose(history)
        attempts: Any = student.attempts.newest_first().with_progress().with_end()[:MAX_LISTED]
        for attempt in attempts:
            attempt.status = STATUS_WORDS[attempt.status_at(at)]
            attempt.ended_at = None if attempt.is_open(at) else attempt.ends_at
        return as_json(StudentStatus({"links": links, "assessments": attempts}).data)


def state_of(history: link_history.LinkHistory) -> str:
    """Return one of STATES."""
    if history.link.attempt:
        return "started"
    if history.state in {LinkState.CANCELLED, LinkState.EXPIRED}:
        return str(history.state)
    return "opened" if history.opened_at else "unopened"


class CancelRequest(EitherRequest):
    """The body of a call of cancel-links: one link, or all links of an address."""

    other = "LinkId"
    LinkId = Text(
        "One link: the `X-Link-Id` of the call that made it. Send this or `email`.", required=False
    )


class CancelLinks(PartnerOperation):
    name = "cancel-links"
    serializer_class = CancelRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        links, by = AssessmentLink.objects, request_actor(f"token:{token.token_id}", request)
        if "email" in fields:
            cancelled = links.cancel_for_email(token.project, fields["email"], by=by)
        else:
            try:
                cancelled = links.cancel_named(token.project, fields["LinkId"], by=by)
            except AssessmentLink.DoesNotExist:
                raise NotFound(NO_LINK) from None
        return as_json({"Cancelled": cancelled})
