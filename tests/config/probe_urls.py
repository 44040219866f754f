"""The service's addresses and a few that fail on purpose."""

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpResponse
from django.urls import path
from rest_framework.exceptions import NotFound, Throttled, UnsupportedMediaType
from rest_framework.response import Response
from rest_framework.views import APIView

from config import urls

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


class Echo(APIView):
    authentication_classes = []

    def post(self, request):
        return Response(request.data)


class Raising(Echo):
    faults = {
        "crash": RuntimeError("the secret is sec_abc"),
        "throttled": Throttled(wait=0),
        "media": UnsupportedMediaType("text/plain"),
        "missing": NotFound(),
        "suspicious": SuspiciousOperation("what Django itself refuses"),
    }

    def post(self, request, fault):
        raise self.faults[fault]


def crash(request):
    raise RuntimeError("boom")


def forbidden(request):
    raise PermissionDenied


def form(request):
    return HttpResponse(request.POST.get("answer", "nothing"))


urlpatterns = [
    path("partner/echo", Echo.as_view()),
    path("partner/raising/<fault>", Raising.as_view()),
    path("crash", crash),
    path("forbidden", forbidden),
    path("form", form),
    path("admin/form", form),
    *urls.urlpatterns,
]
