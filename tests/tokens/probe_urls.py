"""One operation that does nothing but let a token in, as the real ones do."""

from __future__ import annotations

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tokens.limits import OperationThrottle


class Probe(APIView):
    throttle_classes = [OperationThrottle]
    operation = "links"

    def post(self, request: Request) -> Response:
        return Response({"token": request.auth.token_id, "partner": request.auth.project.partner.name})


urlpatterns = [
    path("partner/links", Probe.as_view(operation="links")),
    path("partner/results", Probe.as_view(operation="results")),
]
