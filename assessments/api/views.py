"""The two frozen operations of the partner API: a link for a student, a student's results."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from assessments import identity
from assessments.api import schema
from assessments.api.operation import PartnerOperation
from assessments.api.records import record
from assessments.api.serializers import RESULTS_AT_MOST, LinkRequest, ResultsRequest
from assessments.models import outcomes
from assessments.models.links import AssessmentLink

REFERENCE = "X-Reference"
REFERENCE_INVALID = "Give 1 to 64 of A-Z a-z 0-9 . _ : - or leave the header out."


class GetRedirectUrl(PartnerOperation):
    name = "get-redirect-url"
    operation = "links"
    serializer_class = LinkRequest

    @schema.get_redirect_url
    def post(self, request: Request) -> Response:
        """Issue a one-time link for a student."""
        token, fields = self.validated(request)
        link, link_token = AssessmentLink.objects.issue(
            token.project,
            name=fields["name"],
            email=fields["email"],
            mobile=fields["mobile"],
            reference=fields[REFERENCE],
            access_token=token,
        )
        url = AssessmentLink.url(token.project, link_token)
        return Response({"redirect-url": url}, headers={"X-Link-Id": str(link.link_id)})

    def fields(self, request: Request) -> dict[str, Any]:
        """Return the request's fields, and the partner's reference from its header."""
        fields = super().fields(request)
        reference = request.META.get("HTTP_X_REFERENCE")
        if reference is not None and not identity.REFERENCE.fullmatch(reference):
            raise ValidationError({REFERENCE: [ErrorDetail(REFERENCE_INVALID, "invalid")]})
        fields[REFERENCE] = reference or ""
        return fields


class GetAssessmentsInfo(PartnerOperation):
    name = "get-assessments-info"
    operation = "results"
    serializer_class = ResultsRequest

    @schema.get_assessments_info
    def post(self, request: Request) -> Response:
        """Return a student's completed and abandoned attempts, newest first."""
        token, fields = self.validated(request)
        at = timezone.now()
        email_key = identity.email_key(fields["email"])
        newest = outcomes.newest(token.project_id, email_key, at, RESULTS_AT_MOST)
        outcomes.note_read(newest, at)
        return Response([record(outcome) for outcome in newest])
