"""/.well-known/security.txt: where to report a weakness (RFC 9116)."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

VALID = timedelta(days=180)  # the RFC recommends less than a year


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Answer with the file. It expires half a year from today, so that it never goes stale."""
    expires = (timezone.now() + VALID).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: mailto:{settings.SUPPORT_EMAIL}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.APP_URL}{reverse('security-txt')}",
    ]
    return HttpResponse(
        "".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8"
    )
