"""Error handlers: for a program the JSON of assessments/api/failures.py, for a person a page.

Staff have pages of their own, because a student's page would send them to a link.
"""

import logging
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.csrf import get_token
from django.template import loader
from django.utils.translation import get_language

from assessments.api import failures
from assessments.api.serializers import MAX_NAME, nearest_name
from assessments.api.urls import OPERATIONS
from assessments.student import languages
from partners.models import AuditEvent, staff_actor
from partners.models.projects import Accent
from staff.sessions import is_staff_address

logger = logging.getLogger(__name__)


def is_api(request: HttpRequest) -> bool:
    """Return whether a request is a call of the API, be it at a wrong address."""
    # A base URL with a trailing slash makes the path //partner/…
    path = request.path_info.lstrip("/")
    sends_token = "HTTP_X_ACCESS_TOKEN" in request.META and not is_staff_address(request)
    return path.startswith("partner/") or path == "partner" or sends_token


def is_program(request: HttpRequest) -> bool:
    """Return whether a failure is answered in JSON: a call, or anything that reads or sends JSON.

    The admin's scripts ask for JSON too. What they may not do must be recorded as for its pages.
    """
    types = request.META.get("HTTP_ACCEPT", ""), request.META.get("CONTENT_TYPE", "")
    names_json = any("json" in each.lower() for each in types)
    return is_api(request) or (names_json and not is_staff_address(request))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer requests that Django refuses, such as an unknown Host or too large a form."""
    if not is_program(request):
        return error_page(request, 400)
    detail = "The request could not be understood."
    if isinstance(exception, DisallowedHost):
        detail = f"This host name is not served here. Check BASE_URL: it is {settings.APP_URL}."
    return failures.invalid_body(detail).answer(request)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Explain the refusal, and record it. If that fails, the answer stays the same."""
    user = getattr(request, "user", None)
    if isinstance(user, User):
        reason = f"{request.method} {request.resolver_match and request.resolver_match.url_name}"
        try:
            AuditEvent.record("staff.refused", user, by=staff_actor(request), reason=reason)
        except DatabaseError:
            logger.exception("A refused attempt could not be recorded.")
    return error_page(request, 403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return partner_not_found(request) if is_program(request) else error_page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    if is_program(request):
        return failures.INTERNAL_ERROR.answer(request)
    return error_page(request, 500)


def partner_not_found(request: HttpRequest) -> HttpResponse:
    """Answer a program's wrong path, for any method. Names the operation that was meant."""
    # A wrong BASE_URL leaves the last part of the path as it should be.
    last = request.path_info.rstrip("/").rpartition("/")[2][:MAX_NAME]
    name = nearest_name(last, [each.name for each in OPERATIONS])
    guess = f" Did you mean {settings.APP_URL}/partner/{name}?" if name else ""
    detail = f"{failures.CODES['not_found'].detail}{guess}"
    return failures.Failure("not_found", detail).answer(request)


def error_page(request: HttpRequest, status: int, kind: str = "", **context: Any) -> HttpResponse:
    """Render the page of this kind, else of the status. `retry` is the form to send again."""
    # Only pages of staff ask for a permission.
    is_for_staff = is_staff_address(request) or status == 403 and not kind
    template = f"{'admin/' if is_for_staff else ''}errors/{kind or status}.html"
    context["request_id"] = getattr(request, "request_id", "")
    try:
        if is_for_staff:
            # After a crash, do not use session, database or user, because any of them may have
            # failed. A request refused before the session is read has no user.
            page_request = None if status == 500 else request
            is_known = page_request is not None and hasattr(request, "user")
            context["has_permission"] = is_known and admin.site.has_permission(request)
            context["is_nav_sidebar_enabled"] = False
            page = loader.render_to_string(template, context, page_request)
        else:
            context |= {
                "page": f"error-{status}",
                "project_name": "",
                "accent": Accent.TEAL.value,
                "language": get_language(),
                "support_email": settings.SUPPORT_EMAIL,
            }
            if context.get("retry"):
                context["csrf_token"] = get_token(request)
            # Without the request, because its context processors may have failed.
            page = loader.render_to_string(template, context)
    except Exception:
        logger.exception("The error page itself failed.")
        text = f"{status} {HTTPStatus(status).phrase}. Write to {settings.SUPPORT_EMAIL}"
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
    return HttpResponse(page, status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain why a form was refused, and offer a student to send it again.

    Every API view is CSRF-exempt, so a program's path was wrong. A form of staff is never repeated:
    it may hold a password. Nor is one from another site: it would send values which that site
    chose, and the new cookie would invalidate open forms.
    """
    if is_program(request):
        return partner_not_found(request)
    if not _is_own_form(request):
        return error_page(request, 403, "foreign_form")
    if is_staff_address(request):
        return error_page(request, 403, "refused_form")
    retry = _form_to_resend(request)
    if retry:
        languages.follow_form(request)
    return error_page(
        request,
        403,
        "refused_form",
        retry=retry,
        has_cookie=settings.CSRF_COOKIE_NAME in request.COOKIES,
        is_start=retry is not None and any(name == "token" for name, _ in retry["fields"]),
    )


def wrong_clock(request: HttpRequest) -> HttpResponse:
    """Offer to send the form again later: it holds what could not be saved."""
    response = error_page(request, 503, retry=_form_to_resend(request))
    response.headers["Retry-After"] = "60"
    return response


def _form_to_resend(request: HttpRequest) -> dict[str, Any] | None:
    """Return a form of the posted fields without the CSRF token; None if they can't be read."""
    try:
        posted = request.POST.lists()
    except (SuspiciousOperation, UnreadablePostError):
        return None
    fields = [
        (name, value)
        for name, values in posted
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    return {"action": request.get_full_path(), "fields": fields}


def _is_own_form(request: HttpRequest) -> bool:
    """Return whether the browser named our origin or none. Our pages may send "null"."""
    if request.headers.get("Sec-Fetch-Site", "none").lower() not in ("none", "same-origin"):
        return False
    return request.headers.get("Origin", "null").lower() in ("null", settings.APP_URL)
