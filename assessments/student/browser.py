"""The student's browser: one opaque cookie in place of a session table.

The cookie's token is computed from the CSRF cookie's secret and the link token. So a double tap on
Start, or a link opened again, computes the same token and finds its own attempt, while a cookie
planted without the link token opens nothing.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from assessments.models.attempts import Assessment
from assessments.models.digests import BROWSER_TOKEN
from assessments.student import languages
from partners import test_traffic


def token_for(request: HttpRequest, link_token: str) -> str:
    """Return the token of this browser for this link; "" in a browser without a CSRF cookie."""
    secret = request.META.get("CSRF_COOKIE", "")
    if not secret:
        return ""
    return hashlib.sha256(f"{secret}:{link_token}".encode()).hexdigest()


def held_token(request: HttpRequest) -> str:
    """Return the token in this browser's cookie; "" if there is none, or none of ours."""
    token = request.COOKIES.get(settings.ATTEMPT_COOKIE_NAME, "")
    return token if BROWSER_TOKEN.fullmatch(token) else ""


def attempt_of(request: HttpRequest, project_id: str) -> Assessment | None:
    """Return the attempt that this browser's cookie opens in a project, or None."""
    attempt = Assessment.objects.in_browser(held_token(request))
    if attempt is None or attempt.student.project.project_id != project_id:
        return None
    test_traffic.mark(request.META, attempt.student.project)
    return attempt


def enter(request: HttpRequest, project_id: str) -> Assessment | None:
    """Return what `attempt_of` returns, and activate its language for this request.

    Without an attempt, use the language of the form, because the cookie may be gone.
    """
    attempt = attempt_of(request, project_id)
    if attempt:
        translation.activate(languages.of_attempt(attempt))
    else:
        languages.follow_form(request)
    return attempt


def renew(
    request: HttpRequest, response: HttpResponse, attempt: Assessment, at: datetime
) -> HttpResponse:
    """Set the cookie again, because staff may have given more time since it was set."""
    held = held_token(request)
    return remember(response, attempt, held, at) if attempt.is_in_browser(held) else response


def remember(
    response: HttpResponse, attempt: Assessment, browser_token: str, at: datetime
) -> HttpResponse:
    """Set the cookie that opens the attempt, until its result expires."""
    lifetime = attempt.result_visible_until - at
    response.set_cookie(
        settings.ATTEMPT_COOKIE_NAME,
        browser_token,
        max_age=max(0, int(lifetime.total_seconds())),
        secure=settings.SECURE_COOKIES,
        httponly=True,
        samesite="Lax",
    )
    return response
