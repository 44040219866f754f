"""list-assessments: everything that ended in a project, in order, from where a caller stopped."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core import signing
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, Field, Serializer

from assessments.api import schema
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import Moment, OptionalText, ProjectId, Record, Text, opaque_text
from assessments.models import feed, outcomes
from assessments.models.feed import START, Place

AT_MOST, USUAL = 200, 100  # attempts in an answer
CURSOR_MAX = 200
INVALID_CURSOR = "The cursor is not this project's. Leave it out to start from the beginning."
_MICROSECOND = timedelta(microseconds=1)


@opaque_text(
    "The `NextCursor` of an earlier answer. Leave it out to start from the beginning.", CURSOR_MAX
)
class Cursor(Text):
    max_length = CURSOR_MAX


@extend_schema_field(
    {
        "type": "integer",
        "minimum": 1,
        "maximum": AT_MOST,
        "default": USUAL,
        "description": "The most assessments in the answer.",
    }
)
class Limit(Field[int, Any, int, Any]):
    """A whole number. `true` and "10" are refused."""

    default_error_messages = {"invalid": f"Give a whole number from 1 to {AT_MOST}."}

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        """Refuse null like any other value that is not a number."""
        if data is None:
            self.fail("invalid")
        return super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int or not 1 <= data <= AT_MOST:
            self.fail("invalid")
        return data


class FeedRequest(Serializer[Any]):
    """The body of a call of list-assessments."""

    projectId = ProjectId()
    cursor = Cursor(required=False)
    limit = Limit(required=False, default=USUAL)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        try:
            fields["after"] = place_of(fields["projectId"], fields.get("cursor"))
        except signing.BadSignature:
            raise ValidationError({"cursor": [ErrorDetail(INVALID_CURSOR, "invalid")]}) from None
        return fields


@extend_schema_serializer(component_name="EndedAssessment")
class EndedAssessment(Record):
    """An ended assessment and its student."""

    Email = CharField(
        source="email", help_text="The student's e-mail address, as you gave it last."
    )
    Reference = OptionalText(
        source="reference",
        allow_null=True,
        help_text="The `X-Reference` of the link that started the attempt; null without one.",
    )
    EndedAt = Moment(
        source="ended_at",
        help_text="When it was completed, left or closed, or its finish-by if nobody finished it.",
    )


class Feed(Serializer[Any]):
    """A page of ended attempts."""

    Assessments = EndedAssessment(
        many=True, help_text="In the order of `EndedAt`. Fewer than `limit`: these are all for now."
    )
    NextCursor = CharField(
        max_length=CURSOR_MAX,
        help_text="Send it as `cursor` to continue after these, now or later. It stays valid "
        "unless we change a key: then the answer is a 400, and you start without one.",
    )


class ListAssessments(PartnerOperation):
    name = "list-assessments"
    serializer_class = FeedRequest

    @schema.operation(
        "listAssessments",
        "List ended assessments",
        "Returns the assessments of all students of your project that have ended, in the order of "
        "their ends. Store `NextCursor` with what you read, and send it with the next call: you "
        "get every assessment once. If an answer has fewer than `limit`, wait a minute.\n\n"
        "An assessment appears a minute after its end, rarely later.",
        Feed,
        request={"projectId": schema.PROJECT_ID, "limit": USUAL},
        answer={
            "Assessments": [
                {
                    **schema.EXAMPLE_RESULTS[0],
                    "Email": schema.STUDENT["email"],
                    "Reference": "applicant-4711",
                    "EndedAt": "2026-11-23T09:05:37Z",
                }
            ],
            "NextCursor": "WzE3OTU0MjQ3Mzc0ODIwMTMsMTJd:the-signature",
        },
    )
    def post(self, request: Request) -> Response:
        token, fields = self.caller_and_data(request)
        attempts = feed.page(token.project_id, fields["after"], fields["limit"])
        outcomes.note_read(attempts, timezone.now())
        after = fields["after"]
        if attempts:
            last: Any = attempts[-1]
            after = Place(last.ended_at, last.pk)
        cursor = cursor_of(fields["projectId"], after)
        return Response(Feed({"Assessments": attempts, "NextCursor": cursor}).data)


def cursor_of(project_id: str, place: Place) -> str:
    """Return a cursor, which is valid for this project only."""
    end = (place.ended_at - START.ended_at) // _MICROSECOND
    return _signer(project_id).sign_object([end, place.pk])


def place_of(project_id: str, cursor: str | None) -> Place:
    """Return the place of a cursor. Raises BadSignature if it is none of this project."""
    if cursor is None:
        return START
    end, pk = _signer(project_id).unsign_object(cursor)
    return Place(START.ended_at + end * _MICROSECOND, pk)


def _signer(project_id: str) -> signing.Signer:
    return signing.Signer(salt=f"assessments.feed {project_id}")
