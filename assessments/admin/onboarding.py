"""Onboarding in one page: partner, project, catalogue and first token."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse


def onboard_page(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied
