"""The OpenAPI file, the pages for partner developers, and security.txt.

.ci/openapi.py builds openapi.json and the reference: templates that lack only OWN_VALUES.
"""

import json
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# The settings that the documentation quotes.
OWN_VALUES = (
    *("APP_URL", "SUPPORT_EMAIL", "VERSION", "LINK_RATE_PER_MINUTE", "RESULTS_RATE_PER_MINUTE"),
    *("OTHER_RATE_PER_MINUTE", "FAILED_CREDENTIALS_PER_MINUTE"),
)


def own_values() -> dict[str, Any]:
    return {name: getattr(settings, name) for name in OWN_VALUES}


@require_safe
@cache_control(public=True, max_age=300)
def openapi(request: HttpRequest) -> HttpResponse:
    # Each stands within a string of JSON, where an escape of HTML would be wrong.
    values = {
        name: mark_safe(json.dumps(str(value))[1:-1])  # noqa: S308  JSON, not HTML
        for name, value in own_values().items()
    }
    return render(request, "docs/built/openapi.json", values, "application/json")


@require_safe
@cache_control(public=True, max_age=300)
def page(request: HttpRequest, template: str) -> HttpResponse:
    return render(request, template, own_values())


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116). It expires half a year from today, so it is never stale."""
    expires = timezone.now() + timedelta(days=180)
    text = (
        f"Contact: mailto:{settings.SUPPORT_EMAIL}\nExpires: {expires:%Y-%m-%dT00:00:00Z}\n"
        f"Preferred-Languages: en\nCanonical: {settings.APP_URL}{reverse('security-txt')}\n"
    )
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
