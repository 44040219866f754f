"""cancel-links: end links that nobody has started."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import IntegerField, Serializer

from assessments.api import schema
from assessments.api.operation import LinkInUse, NotFound, PartnerOperation
from assessments.api.serializers import Call, Email, Text, require_one
from assessments.models.links import AssessmentLink, LinkStarted
from partners.models.audit import request_actor


class CancelRequest(Call):
    """The body of a call of cancel-links: one link, or all links of an address."""

    LinkId = Text(
        "One link: the `X-Link-Id` of the call that made it. Send this or `email`.", required=False
    )
    email = Email(required=False)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        return require_one(fields, "LinkId")


class Cancelled(Serializer[Any]):
    """How many links a call cancelled."""

    Cancelled = IntegerField(
        min_value=0,
        help_text="How many links this call cancelled. Links that were cancelled before, have "
        "expired or were started are not counted.",
    )


@schema.operation(
    "Cancel links",
    "Cancels one unused link by `LinkId`, or all unused links of one student by `email`: send "
    "exactly one of them. A cancelled link cannot be started, and its page says so. Use it "
    "after a mistyped address.\n\n"
    "By `LinkId`, a link that was started is a 409 `link_in_use`, and an unknown one a 404. By "
    "`email`, links that were started are left alone, and an unknown address gives 0. Safe to "
    "repeat: the second call answers 0.",
    Cancelled,
    failures=schema.FAILURES | schema.CONFLICT,
)
class CancelLinks(PartnerOperation):
    name = "cancel-links"
    serializer_class = CancelRequest

    def post(self, request: Request) -> Response:
        token, fields = self.caller_and_data(request)
        links, actor = AssessmentLink.objects, request_actor(f"token:{token.token_id}", request)
        if "email" in fields:
            cancelled = links.cancel_for_email(token.project, fields["email"], **actor)
        else:
            try:
                cancelled = links.cancel_named(token.project, fields["LinkId"], **actor)
            except AssessmentLink.DoesNotExist:
                raise NotFound from None
            except LinkStarted:
                raise LinkInUse from None
        return Response({"Cancelled": cancelled})
