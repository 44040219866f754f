"""Operations for a partner's developers: check-credentials and get-recent-failures."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.serializers import BooleanField, CharField, DateTimeField, IntegerField

from assessments.api.operation import PartnerOperation, as_json
from assessments.api.serializers import Call, ResponseBody
from assessments.models.refused_calls import MAX_SHOWN, RefusedCall
from tokens.limits import LINKS, RESULTS, rate_of
from tokens.models import AccessToken


class CheckRequest(Call):
    """The body of a call of check-credentials."""


class Credentials(ResponseBody):
    """A token that works, and what its project allows."""

    Project = CharField(source="project.name", help_text="The project's name, as students see it.")
    TokenLabel = CharField(
        source="label", help_text="What the token is used for, as support noted it."
    )
    TokenExpiresAt = DateTimeField(
        source="expires_at",
        allow_null=True,
        help_text="When the token stops working; null if it does not expire.",
    )
    RotatedAt = DateTimeField(
        allow_null=True,
        help_text="When the token got a successor; null if it has none. It then works until "
        "`TokenExpiresAt`: switch to its successor.",
    )
    LinksPerMinute = IntegerField(help_text="Calls of get-redirect-url that you may make.")
    ResultsPerMinute = IntegerField(help_text="Calls of get-assessments-info that you may make.")
    StartByMinutes = IntegerField(
        source="project.start_by_minutes", help_text="How long a student can start a link."
    )
    FinishByHours = IntegerField(
        source="project.finish_by_hours", help_text="How long a student can continue an attempt."
    )
    RetentionMonths = IntegerField(
        source="project.retention_months", help_text="We delete an attempt this long after its end."
    )
    ActiveCourses = IntegerField(
        source="project.courses.recommendable.count",
        help_text="Courses that can be recommended. Those that ask for a degree count only if "
        "graduates take the assessment, and are the only ones if nobody else does.",
    )
    Test = BooleanField(source="project.is_test", help_text="Whether this is a test project.")


class CheckCredentials(PartnerOperation):
    name = "check-credentials"
    tells_any_end = True
    serializer_class = CheckRequest

    def post(self, request: Request) -> HttpResponse:
        caller = self.caller_and_data(request)[0]
        # Other operations need fewer columns.
        token: Any = AccessToken.objects.select_related("project").get(pk=caller.pk)
        token.links_per_minute = rate_of(token.project, LINKS)
        token.results_per_minute = rate_of(token.project, RESULTS)
        return as_json(Credentials(token).data)


class FailuresRequest(Call):
    """The body of a call of get-recent-failures."""


class FailedField(ResponseBody):
    """What was wrong, without the value."""

    Field = CharField(
        help_text="The name of the field or header; empty if the whole body was wrong. With the "
        "code `unknown`, the nearest field that the operation has, or empty."
    )
    Code = CharField(help_text="As in `errors`, or the `reason` of a 401.")


class Failure(ResponseBody):
    """A refused call, or several of a kind."""

    At = DateTimeField(help_text="When. Of calls over a limit, the beginning of the minute.")
    RequestId = CharField(help_text="The `requestId` of the call, or of the first of several.")
    Operation = CharField(help_text="The last part of the path.")
    Status = IntegerField(help_text="The HTTP status.")
    Code = CharField(help_text="The `code` of the answer.")
    Fields = FailedField(many=True, help_text="What was wrong, never a value that you sent.")
    TokenId = CharField(source="access_token.token_id", help_text="The token that was used.")
    Count = IntegerField(
        help_text="1, or the number of calls over a limit, or of some seconds with a token that "
        "has ended."
    )


class RecentFailures(ResponseBody):
    """The refused calls of a project."""

    Failures = Failure(many=True, help_text=f"The newest first, at most {MAX_SHOWN}.")


class GetRecentFailures(PartnerOperation):
    name = "get-recent-failures"
    serializer_class = FailuresRequest

    def post(self, request: Request) -> HttpResponse:
        token, _ = self.caller_and_data(request)
        calls = RefusedCall.objects.recent(token.project, timezone.now())
        return as_json(RecentFailures({"failures": calls}).data)
