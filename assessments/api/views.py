"""The two frozen operations of the partner API: a link for a student, a student's results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone
from rest_framework.exceptions import ErrorDetail, Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from assessments import identity
from assessments.api import schema
from assessments.api.operation import PartnerOperation, SimulatedError
from assessments.api.records import record
from assessments.api.serializers import RESULTS_AT_MOST, LinkRequest, ResultsRequest
from assessments.models import magic_addresses, outcomes
from assessments.models.links import AssessmentLink
from partners.models import Project

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
        issue = AssessmentLink.objects.issue
        if token.project.is_test:
            issue = for_test_project(fields["email"])
        link, link_token = issue(
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


def for_test_project(email: str) -> Callable[..., tuple[AssessmentLink, str]]:
    """Return how a test project issues a link for an address.

    Raises what a call for a magic address is to be answered with.
    """
    email_key = identity.email_key(email)
    match email_key:
        case magic_addresses.RATE_LIMITED:
            raise Throttled(wait=60)
        case magic_addresses.ERROR:
            raise SimulatedError
    if email_key in magic_addresses.ADDRESSES:
        return partial(_issue_with_state, email_key=email_key)
    return AssessmentLink.objects.issue


def _issue_with_state(project: Project, **details: Any) -> tuple[AssessmentLink, str]:
    try:
        return magic_addresses.issue(project, **details, at=timezone.now())
    except magic_addresses.TooManyAttempts as error:
        raise Throttled(wait=error.wait.total_seconds()) from None


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
