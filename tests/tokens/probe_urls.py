"""Operations that do nothing but let a token in, as the real ones do."""

from typing import cast

from django.urls import path
from rest_framework.response import Response
from rest_framework.views import APIView

from tokens.limits import OperationThrottle
from tokens.models import AccessToken


class Probe(APIView):
    throttle_classes = [OperationThrottle]
    name, limit = "probe", ""

    def post(self, request):
        token = cast(AccessToken, request.auth)
        return Response({"token": token.token_id, "partner": token.project.partner.name})


urlpatterns = [
    path("partner/links", Probe.as_view(limit="links")),
    path("partner/results", Probe.as_view(limit="results")),
    path("partner/one", Probe.as_view(limit="other")),
    path("partner/another", Probe.as_view(limit="other")),
]
