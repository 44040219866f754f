"""Errors: one JSON body under /partner/, an HTML page elsewhere.

Staff get the pages of staff/errors.py, because a student's page would send them to a link.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from config.error_pages import csrf_page, error_page, is_own_form
from staff import errors as staff_errors

# Seconds. A database usually comes back, or frees a connection or row, within this time.
RETRY_AFTER_FAILURE = "2"

FieldErrors = list[dict[str, str]]

# DRF's error codes and ours; any other is "invalid".
_FIELD_CODES = {
    "required": "required",
    "blank": "blank",
    "null": "not_a_string",
    "not_a_string": "not_a_string",
    "max_length": "too_long",
    "too_long": "too_long",
}


def is_api(request: HttpRequest) -> bool:
    """Return whether the caller is a partner's program, not a person with a browser."""
    # A base URL with a trailing slash makes the path //partner/…
    path = request.path_info.lstrip("/")
    return path.startswith("partner/") or path == "partner"


def problem(
    request: HttpRequest,
    status: int,
    code: str,
    detail: str,
    errors: FieldErrors | None = None,
    headers: Mapping[str, str] | None = None,
    reason: str = "",
) -> JsonResponse:
    """Return the error body of the API: members of RFC 9457 and four of our own."""
    body: dict[str, Any] = {
        "type": f"{settings.APP_URL}/docs/#{code}",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        "requestId": getattr(request, "request_id", ""),
    }
    if reason:
        body["reason"] = reason
    if errors is not None:
        body["errors"] = errors
    return JsonResponse(
        body, status=status, headers={"Cache-Control": "no-store", **(headers or {})}
    )


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer an exception of an API view. Return None for a crash, which handler500 answers."""
    # DRF's request, which has the attributes of Django's.
    request: HttpRequest = context["request"]
    match exc:
        case exceptions.ValidationError():
            errors = _field_errors(exc.get_full_details())
            detail = "One or more fields are missing or invalid."
            return problem(request, 400, "invalid_request", detail, errors)
        case exceptions.ParseError() | exceptions.UnsupportedMediaType():
            return _invalid_body(request, str(exc.detail))
        case exceptions.AuthenticationFailed():
            # set by DRF from the authentication class
            headers = {"WWW-Authenticate": getattr(exc, "auth_header", "AccessToken")}
            reason = getattr(exc, "reason", "")
            code, detail = str(exc.get_codes()), str(exc.detail)
            return problem(request, 401, code, detail, headers=headers, reason=reason)
        case exceptions.Throttled():
            wait = max(1, math.ceil(getattr(exc, "wait", None) or 1))
            detail = f"Too many requests. Try again in {wait} s."
            headers = {"Retry-After": str(wait)}
            return problem(request, 429, "rate_limited", detail, headers=headers)
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(m for m in context["view"].allowed_methods if m != "OPTIONS")
            detail = f"{request.method} is not allowed here. Use {allowed}."
            headers = {"Allow": allowed}
            return problem(request, 405, "method_not_allowed", detail, headers=headers)
        case Http404():
            return partner_not_found(request)
        case exceptions.APIException(status_code=500):
            return server_error(request)
        case exceptions.APIException(status_code=404 | 409):
            return problem(request, exc.status_code, str(exc.get_codes()), str(exc.detail))
    return None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer requests that Django refuses, such as an unknown Host or too large a form."""
    if is_api(request):
        if isinstance(exception, DisallowedHost):
            detail = "This host name is not served here. Check the base URL."
        else:
            detail = "The request could not be understood."
        return _invalid_body(request, detail)
    if staff_errors.is_staff_address(request):
        return staff_errors.error_page(request, 400)
    return error_page(
        request,
        400,
        _("This page could not be opened"),
        [
            _("Your browser sent something that we don't understand."),
            _("Go back, load that page again and try once more."),
            _("If it happens again, open the link that you were sent."),
        ],
    )


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if is_api(request):
        return partner_not_found(request)
    return staff_errors.permission_denied(request)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if is_api(request):
        return partner_not_found(request)
    if staff_errors.is_staff_address(request):
        return staff_errors.error_page(request, 404)
    return error_page(
        request,
        404,
        _("This page does not exist"),
        [
            _("Part of the address may be missing. Copy the whole of it and try again."),
            _("If it still doesn't work, ask the college or portal that sent you for a new link."),
        ],
    )


def server_error(request: HttpRequest) -> HttpResponse:
    if is_api(request):
        return problem(
            request,
            500,
            "internal_error",
            "Something failed on our side. Try again after a short delay; if it persists, "
            "contact support with the requestId.",
            headers={"Retry-After": RETRY_AFTER_FAILURE},
        )
    if staff_errors.is_staff_address(request):
        return staff_errors.error_page(request, 500)
    return error_page(
        request,
        500,
        _("Something went wrong on our side"),
        [
            _("Your answers so far are saved. Wait a minute, then load this page again."),
            _("If it happens again, write to us and name this number: %(id)s")
            % {"id": getattr(request, "request_id", "")},
        ],
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain a refused form, and keep its values so that one button sends it again."""
    if is_api(request):
        # Every view there is CSRF-exempt, so the path was wrong.
        return partner_not_found(request)
    if staff_errors.is_staff_address(request):
        return staff_errors.form_refused(request, is_own=is_own_form(request))
    return csrf_page(request)


@csrf_exempt
def partner_not_found(request: HttpRequest, *args: str) -> HttpResponse:
    """Answer every wrong path under /partner/, for any method."""
    detail = "There is nothing at this address. Check the path; it has no slash at the end."
    return problem(request, 404, "not_found", detail)


def _invalid_body(request: HttpRequest, detail: str) -> JsonResponse:
    errors = [{"field": "", "code": "invalid", "detail": detail}]
    return problem(request, 400, "invalid_request", detail, errors)


def _field_errors(details: Any, field: str = "") -> FieldErrors:
    """Flatten a serializer's errors into one list. Nested names are joined by dots."""
    if isinstance(details, Mapping) and not {"message", "code"} <= set(details):
        found: FieldErrors = []
        for name, inner in details.items():
            own = "" if name == "non_field_errors" else str(name)
            found += _field_errors(inner, ".".join(part for part in (field, own) if part))
        return found
    if isinstance(details, Sequence) and not isinstance(details, str):
        return [error for inner in details for error in _field_errors(inner, field)]
    code = _FIELD_CODES.get(str(details["code"]), "invalid")
    return [{"field": field, "code": code, "detail": str(details["message"])}]
