"""The two operations of the partner API: a link for a student, a student's results."""

from __future__ import annotations

from typing import Any, cast

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from assessments import identity
from assessments.api import schema
from assessments.api.records import record
from assessments.api.serializers import RESULTS_AT_MOST, LinkRequest, ResultsRequest
from assessments.models import outcomes
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

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Leave out DRF's `Allow`, which only a 405 needs."""
        return {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse another method before DRF asks for credentials."""
        if request.method != "POST":
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)

    def validated(self, request: Request) -> tuple[AccessToken, dict[str, str]]:
        """Return the caller's token and the request's fields.

        Raises ValidationError, or InvalidCredentials if the token is another project's.
        """
        serializer = self.serializer_class(data=request.data)
        serializer.is_valid(raise_exception=True)
        token = cast("AccessToken", request.auth)
        if not token.allows(serializer.validated_data["projectId"]):
            raise InvalidCredentials
        return token, serializer.validated_data


class GetRedirectUrl(PartnerOperation):
    operation = "links"
    serializer_class = LinkRequest

    @schema.get_redirect_url
    def post(self, request: Request) -> Response:
        """Issue a one-time link for a student."""
        token, fields = self.validated(request)
        _, link_token = AssessmentLink.objects.issue(
            token.project,
            name=fields["name"],
            email=fields["email"],
            mobile=fields["mobile"],
            access_token=token,
        )
        return Response({"redirect-url": AssessmentLink.url(token.project, link_token)})


class GetAssessmentsInfo(PartnerOperation):
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
