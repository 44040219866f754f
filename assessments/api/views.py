"""The two operations of the partner API: a link for a student, a student's results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, cast

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from assessments import identity
from assessments.api import schema
from assessments.api.records import record
from assessments.api.serializers import RESULTS_AT_MOST, LinkRequest, ResultsRequest
from assessments.models.attempts import Assessment
from assessments.models.links import AssessmentLink
from tokens.authentication import InvalidCredentials
from tokens.limits import OperationThrottle
from tokens.models import AccessToken


class PartnerOperation(APIView):
    """A POST by a partner's backend. Order of checks: method, credential, limit, body, project."""

    http_method_names = ["post"]
    throttle_classes = [OperationThrottle]
    operation: str
    serializer_class: type[Serializer[Any]]
    # One for all requests: it only checks, and to make its fields anew takes longer than that.
    serializer: Serializer[Any]

    def __init_subclass__(cls) -> None:
        cls.serializer = cls.serializer_class()

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None of DRF's: where Allow is of use the 405 sets it, and no answer varies."""
        return {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse another method before the credential is asked for, then do as DRF does.

        It would also choose a format and a version, of which there is one each.
        """
        if request.method != "POST":
            self.http_method_not_allowed(request)
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)

    def checked(self, request: Request) -> tuple[AccessToken, Mapping[str, str]]:
        """Return the caller's token and the request's fields; raise the 400 or 401 otherwise."""
        # Not `request.data` and `run_validation`: they are made for forms, defaults and validators
        # of several fields, of which there are none.
        [parser] = cast("list[BaseParser]", request.parsers)
        body = parser.parse(cast("IO[bytes]", request._request), None, request.parser_context)
        fields = self.serializer.to_internal_value(body)
        token = cast(AccessToken, request.auth)
        if not token.allows(fields["projectId"]):
            raise InvalidCredentials
        return token, fields


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def answer(data: Any) -> HttpResponse:
    """Return a body that is JSON already: of one format, DRF's choice among several costs."""
    return HttpResponse(_as_json(data).encode(), content_type="application/json")


class GetRedirectUrl(PartnerOperation):
    operation = "links"
    serializer_class = LinkRequest

    @schema.get_redirect_url
    def post(self, request: Request) -> HttpResponse:
        """Issue a one-time link for a student."""
        token, fields = self.checked(request)
        _, link_token = AssessmentLink.objects.issue(
            token.project,
            name=fields["name"],
            email=fields["email"],
            mobile=fields["mobile"],
            access_token=token,
        )
        return answer({"redirect-url": AssessmentLink.url(token.project, link_token)})


class GetAssessmentsInfo(PartnerOperation):
    operation = "results"
    serializer_class = ResultsRequest

    @schema.get_assessments_info
    def post(self, request: Request) -> HttpResponse:
        """Return a student's completed and abandoned attempts, newest first."""
        token, fields = self.checked(request)
        at = timezone.now()
        email_key = identity.email_key(fields["email"])
        newest = Assessment.objects.outcomes(token.project_id, email_key, at, RESULTS_AT_MOST)
        Assessment.objects.note_read(newest, at)
        return answer([record(outcome) for outcome in newest])
