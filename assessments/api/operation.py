"""The base class of all operations of the partner API."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.views import APIView

from assessments.api.serializers import Call, nearest_name
from partners.times import rfc3339
from tokens import limits
from tokens.authentication import InvalidCredentials
from tokens.limits import OperationThrottle
from tokens.models import AccessToken


@cache
def _shared(serializer_class: type[Call]) -> Call:
    """Share one serializer among threads, which saves 5 % of a call: validation keeps no state."""
    return serializer_class()


def as_json(data: Any, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return what DRF's `Response` would send, which takes 6 % of a call more."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(body, "application/json", headers=headers)


class PartnerOperation(APIView):
    """A POST by a partner's backend. Order of checks: method, credential, limit, body, project.

    What partners read about each operation is in .ci/reference/operations.py.
    """

    http_method_names = ["post"]
    throttle_classes = [OperationThrottle]
    name: str  # the last part of the path
    limit = limits.OTHER
    tells_any_end = False  # of the token; others only one that is near
    serializer_class: type[Call]
    usage: limits.Usage | None = None

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}  # not DRF's `Allow`, which only a 405 needs

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # A 405 is answered before authentication.
        if request.method != "POST":
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)

    def caller_and_data(self, request: Request) -> tuple[AccessToken, dict[str, Any]]:
        """Raise ValidationError, or InvalidCredentials if the token is another project's."""
        fields = self.data(request)
        token = cast("AccessToken", request.auth)
        if not token.allows(fields["projectId"]):
            raise InvalidCredentials("wrong_project", token)
        return token, fields

    def data(self, request: Request) -> dict[str, Any]:
        if request.stream is None:
            raise ParseError("The body is empty: send a JSON object.")
        body: Any = request.data
        if not self.serializer_class.ignores_unknown:  # there is no field in a query string
            body = {**body, **{f"?{name}": "" for name in request.query_params}}
        fields: dict[str, Any] = _shared(self.serializer_class).run_validation(body)
        return fields

    def nearest_field(self, name: str) -> str:
        return nearest_name(name, _shared(self.serializer_class).fields)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Add headers to a counted answer: what is left of the limit, and when the token ends."""
        response = super().dispatch(request, *args, **kwargs)
        if usage := self.usage:
            # The first two headers are those of draft-ietf-httpapi-ratelimit-headers-10.
            policy = "other-operations" if self.limit == limits.OTHER else self.name
            response["RateLimit-Policy"] = f'"{policy}";q={usage.limit};w={limits.MINUTE}'
            response["RateLimit"] = f'"{policy}";r={usage.remaining};t={usage.reset}'
            token = cast("AccessToken", self.request.auth)
            if token.expires_at and (self.tells_any_end or token.ends_soon(timezone.now())):
                response["X-Token-Ends"] = rfc3339(token.expires_at)
        return response
