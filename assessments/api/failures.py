"""The failures of the partner API: their codes and words, exceptions and answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.exceptions import APIException

from assessments.api.advice import Advice
from tokens import authentication


class Code(NamedTuple):
    """A value of `code`: when we return it, what to do, and an example of `detail`."""

    code: str
    status: int
    meaning: str
    action: str
    detail: str


CODES = (
    Code(
        "invalid_request",
        400,
        "The body, its `Content-Type` or a field is wrong, or the host name is not this service's.",
        "Fix the request; retrying it unchanged will fail. `errors` lists what is wrong.",
        "One or more fields are missing or invalid.",
    ),
    Code(
        "https_required",
        400,
        "The call used http.",
        "Use https. Rotate the token: it was sent unencrypted.",
        "Call this service over https. The token was sent unencrypted: rotate it.",
    ),
    Code(
        "missing_credentials",
        401,
        "`X-Access-Token` is missing or empty.",
        "Send it. Check that the variable is set and that no proxy or client drops the header.",
        authentication.MissingCredentials.default_detail,
    ),
    Code(
        "malformed_credentials",
        401,
        "The header is not `<TokenId>:<TokenSecret>` as issued, or the secret's checksum is wrong.",
        "Copy both again. Most often the last characters are missing.",
        authentication.MalformedCredentials.default_detail,
    ),
    Code(
        "invalid_credentials",
        401,
        "The token is wrong, unknown, revoked, rotated or expired; `projectId` is not the token's; "
        "or the project is closed. If the secret is right, `reason` says which.",
        "With a `reason`: see there. Without one, TokenId or TokenSecret is wrong: copy both "
        "again, then ask support. Don't retry.",
        authentication.InvalidCredentials.default_detail,
    ),
    Code(
        "not_found",
        404,
        "No such path, or your project has no link or ended assessment with this id.",
        "Check the path: no slash at the end, and only one before `partner`. Then check the id.",
        "There is nothing at this address. Check the path; it has no slash at the end.",
    ),
    Code(
        "method_not_allowed",
        405,
        "The method is not POST.",
        "Send a POST.",
        "GET is not allowed here. Use POST.",
    ),
    Code(
        "link_in_use",
        409,
        "`cancel-links` named a link that a student has started.",
        "Nothing to do: the link can't be started again. To end the attempt, ask support.",
        "This link was used, so it can't be cancelled.",
    ),
    Code(
        "rate_limited",
        429,
        "Too many calls of this operation by your project this minute, or too many refused "
        "credentials from your address.",
        "Wait for `Retry-After` seconds, then send the same request again.",
        "Too many requests. Try again in 23 s.",
    ),
    Code(
        "internal_error",
        500,
        "Something failed on our side.",
        "Retry after a short delay, then wait longer each time. If it persists, contact support "
        "and quote the `requestId`.",
        "Something failed on our side. Try again after a short delay; if it persists, contact "
        "support with the requestId.",
    ),
)

REASONS = tuple(Advice(reason, *texts) for reason, texts in authentication.REASONS.items())

# Values of `code` in an entry of `errors`, and their meanings.
FIELD_CODES = {
    "required": "The field is missing.",
    "blank": "The string is empty or only white space.",
    "not_a_string": "The value is a number, null or anything else but a string.",
    "too_long": "The string is longer than the field allows.",
    "invalid": "The value, or the body, breaks a rule.",
}

# Seconds. A database usually comes back, or frees a connection or row, within this time.
RETRY_AFTER_FAILURE = "2"

# DRF's error codes and ours; any other is "invalid".
_FIELD_CODES = {
    "required": "required",
    "blank": "blank",
    "null": "not_a_string",
    "not_a_string": "not_a_string",
    "max_length": "too_long",
    "too_long": "too_long",
}


class NotFound(exceptions.NotFound):
    default_detail = "The project has nothing with this id. Check it."


class LinkInUse(APIException):
    status_code = 409
    default_code = "link_in_use"
    default_detail = "This link was used, so it can't be cancelled."


def problem(
    request: HttpRequest,
    status: int,
    code: str,
    detail: str,
    errors: list[dict[str, str]] | None = None,
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
            # Requests are flat: each field has a list of errors.
            by_field: Any = exc.get_full_details()
            errors = [
                _error(field, _FIELD_CODES.get(each["code"], "invalid"), each["message"])
                for field, found in by_field.items()
                for each in found
            ]
            detail = "One or more fields are missing or invalid."
            return problem(request, 400, "invalid_request", detail, errors)
        case exceptions.ParseError() | exceptions.UnsupportedMediaType():
            return invalid_body(request, str(exc.detail))
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


def server_error(request: HttpRequest) -> JsonResponse:
    return problem(
        request,
        500,
        "internal_error",
        "Something failed on our side. Try again after a short delay; if it persists, "
        "contact support with the requestId.",
        headers={"Retry-After": RETRY_AFTER_FAILURE},
    )


def partner_not_found(request: HttpRequest) -> JsonResponse:
    detail = "There is nothing at this address. Check the path; it has no slash at the end."
    return problem(request, 404, "not_found", detail)


def invalid_body(request: HttpRequest, detail: str) -> JsonResponse:
    return problem(request, 400, "invalid_request", detail, [_error("", "invalid", detail)])


def _error(field: str, code: str, detail: str) -> dict[str, str]:
    return {"field": field, "code": code, "detail": detail}
