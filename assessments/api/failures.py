"""get-recent-failures: a project's refused calls, to find a fault in the partner's program."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, IntegerField, Serializer

from assessments.api import schema
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import Moment, ProjectId
from assessments.models.refused_calls import SHOWN_AT_MOST, RefusedCall


class FailuresRequest(Serializer[Any]):
    """The body of a call of get-recent-failures."""

    projectId = ProjectId()


class FailedField(Serializer[Any]):
    """What was wrong, without the value."""

    Field = CharField(
        source="field",
        help_text="The name of the field or header; empty if the whole body was wrong.",
    )
    Code = CharField(source="code", help_text="As in `errors`, or the `reason` of a 401.")


class Failure(Serializer[Any]):
    """A refused call, or all calls of a minute that were over a limit."""

    At = Moment(source="at", help_text="When. Of calls over a limit, the beginning of the minute.")
    RequestId = CharField(
        source="request_id",
        help_text="The `requestId` of the call. Over a limit, of the first one.",
    )
    Operation = CharField(source="operation", help_text="The last part of the path.")
    Status = IntegerField(source="status", help_text="The HTTP status.")
    Code = CharField(source="code", help_text="The `code` of the answer.")
    Fields = FailedField(
        source="fields", many=True, help_text="What was wrong, never a value that you sent."
    )
    TokenId = CharField(source="access_token.token_id", help_text="The token that was used.")
    Count = IntegerField(source="count", help_text="1, or the number of calls over a limit.")


class RecentFailures(Serializer[Any]):
    """The refused calls of a project."""

    Failures = Failure(many=True, help_text=f"The newest first, at most {SHOWN_AT_MOST}.")


class GetRecentFailures(PartnerOperation):
    name = "get-recent-failures"
    serializer_class = FailuresRequest

    @schema.operation(
        "getRecentFailures",
        "See your refused calls",
        f"Returns the last {SHOWN_AT_MOST} refused calls of the last 7 days, of any token of the "
        "project: 400, 401 with a `reason`, 404, 409 and 429. Calls with a wrong secret are not "
        "among them. A refusal appears here within seconds; a few may be missing after a fault on "
        "our side.",
        RecentFailures,
        request={"projectId": schema.PROJECT_ID},
        answer={
            "Failures": [
                {
                    "At": "2026-11-23T08:32:00Z",
                    "RequestId": "5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81",
                    "Operation": "get-redirect-url",
                    "Status": 400,
                    "Code": "invalid_request",
                    "Fields": [{"Field": "mobile", "Code": "required"}],
                    "TokenId": "tok_xxxxxxxxxxxxxxxx",
                    "Count": 1,
                }
            ]
        },
    )
    def post(self, request: Request) -> Response:
        token, _ = self.caller_and_data(request)
        calls = RefusedCall.objects.recent(token.project, timezone.now())
        return Response(RecentFailures({"Failures": calls}).data)
