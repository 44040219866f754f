"""The two operations of the frozen contract: get-redirect-url and get-assessments-info."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from assessments.api.operation import PartnerOperation, as_json
from assessments.api.serializers import MAX_RESULTS, LinkRequest, ResultsRequest, record
from assessments.models import identity, partner_results
from assessments.models.links import AssessmentLink
from tokens import limits

# Functions that issue a test project's link, by the e-mail key of a magic address. Each gets the
# operation, the project and the fields of the link, and may raise the error that it simulates.
issuers: dict[str, Callable[..., tuple[AssessmentLink, str]]] = {}

REFERENCE = "X-Reference"
REFERENCE_INVALID = "Give 1 to 64 of A-Z a-z 0-9 . _ : - (not undefined or null), or no header."


class GetRedirectUrl(PartnerOperation):
    name = "get-redirect-url"
    limit = limits.LINKS
    serializer_class = LinkRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        del fields["projectId"]
        issue = AssessmentLink.objects.issue
        if token.project.is_test and (email_key := identity.email_key(fields["email"])) in issuers:
            issue = partial(issuers[email_key], self)
        link, link_token = issue(token.project, access_token=token, **fields)
        url = AssessmentLink.url(token.project, link_token)
        return as_json({"redirect-url": url}, headers={"X-Link-Id": str(link.link_id)})

    def data(self, request: Request) -> dict[str, Any]:
        fields = super().data(request)
        reference = request.META.get("HTTP_X_REFERENCE")
        if reference is not None and not identity.REFERENCE.fullmatch(reference):
            raise ValidationError({REFERENCE: [REFERENCE_INVALID]})
        return {**fields, "reference": reference or ""}


class GetAssessmentsInfo(PartnerOperation):
    name = "get-assessments-info"
    limit = limits.RESULTS
    serializer_class = ResultsRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        at = timezone.now()
        email_key = identity.email_key(fields["email"])
        newest = partner_results.newest(token.project_id, email_key, at, MAX_RESULTS)
        partner_results.note_read(newest, at)
        return as_json([record(result) for result in newest])
