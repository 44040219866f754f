"""The failures of the partner API as the OpenAPI file describes them: one body, its codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from tokens import authentication

Schema = dict[str, Any]


@dataclass(frozen=True)
class Code:
    """A value of `code`: when it is given, and what the caller should do."""

    code: str
    status: int
    meaning: str
    action: str
    detail: str


CODES = (
    Code(
        "invalid_request",
        400,
        "The body is not one JSON object by the rules, or a field is missing or not valid; or the "
        "host name is not this service's.",
        "Mend the request: `errors` says what is wrong. Sent again as it is, it fails again.",
        "One or more fields are missing or invalid.",
    ),
    Code(
        "https_required",
        400,
        "The call came over http.",
        "Call the https address. Rotate the token: it was sent unencrypted.",
        "Call this service over https. The token was sent unencrypted: rotate it.",
    ),
    Code(
        "missing_credentials",
        401,
        "There is no `X-Access-Token` header, or it is empty.",
        "Send it. If you do: is the variable set, does a proxy or client drop the header?",
        authentication.MissingCredentials.default_detail,
    ),
    Code(
        "malformed_credentials",
        401,
        "The header is not `<TokenId>:<TokenSecret>` as it was issued. TokenSecret carries a "
        "checksum, so a typing error in it usually shows here, too.",
        "Copy both once more, whole: most often the last characters are missing.",
        authentication.MalformedCredentials.default_detail,
    ),
    Code(
        "invalid_credentials",
        401,
        "The token is wrong, unknown, revoked or expired, or `projectId` is not the one it was "
        "issued for, or the project is closed. The answer does not say which.",
        "Check TokenId, TokenSecret and projectId, in this order. If they are right, ask support. "
        "Do not retry.",
        authentication.InvalidCredentials.default_detail,
    ),
    Code(
        "not_found",
        404,
        "There is nothing at this path.",
        "Check the path. It has no slash at the end, and only one before `partner`.",
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
        "rate_limited",
        429,
        "Too many calls of this operation by your project in this minute. Or, in place of "
        "`invalid_credentials`: too many refused credentials from your address.",
        "Wait for the seconds in `Retry-After`, then send the same request again.",
        "Too many requests. Try again in 23 s.",
    ),
    Code(
        "internal_error",
        500,
        "Something failed on our side.",
        "Retry after a short delay, then with growing delays. If it persists, write to support "
        "and quote the `requestId`.",
        "Something failed on our side. Try again after a short delay; if it persists, contact "
        "support with the requestId.",
    ),
)

FIELD_CODES = {
    "required": "The field is missing.",
    "blank": "The string is empty, or only white space.",
    "not_a_string": "The value is a number, null or anything else that is not a string.",
    "too_long": "The string is longer than the field allows.",
    "invalid": "The string breaks the field's rule.",
}

# 404 and 405 are of a wrong base URL or method, but a client made from the file may meet them.
NAMES = {
    400: "BadRequest",
    401: "Unauthorized",
    404: "NotFound",
    405: "MethodNotAllowed",
    429: "TooManyRequests",
    500: "InternalServerError",
}


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


FIELD_ERROR: Schema = {
    "type": "object",
    "required": ["field", "code", "detail"],
    "properties": {
        "field": {
            "type": "string",
            "description": "The field's name, or an empty string if the body as a whole or the "
            "host name is wrong.",
        },
        "code": {
            "type": "string",
            "description": f"What is wrong with it, for a program: {_listed(FIELD_CODES)}. "
            "Further ones may come.",
            "x-codes": [{"code": code, "meaning": text} for code, text in FIELD_CODES.items()],
        },
        "detail": {"type": "string", "description": "What is wrong with it, for a developer."},
    },
}

PROBLEM: Schema = {
    "type": "object",
    "description": "The body of every failure under `/partner/`. Its member names are those of "
    "RFC 9457.",
    "required": ["type", "title", "status", "detail", "code", "requestId"],
    "properties": {
        "type": {"type": "string", "description": "Always `about:blank`."},
        "title": {"type": "string", "description": "The HTTP status in words."},
        "status": {
            "type": "integer",
            "description": "The HTTP status.",
        },
        "detail": {
            "type": "string",
            "description": "What happened, for a developer. The wording may change.",
        },
        "code": {
            "type": "string",
            "description": "What happened, for a program: "
            f"{_listed(code.code for code in CODES)}. Further ones may come: then decide by the "
            "status.",
            "x-codes": [asdict(code) for code in CODES],
        },
        "requestId": {
            "type": "string",
            "description": "The value of the `X-Request-ID` header. Quote it to support.",
        },
        "errors": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/FieldError"},
            "description": "With `invalid_request`: each thing that is wrong.",
        },
    },
}

HEADERS: Schema = {
    "RequestId": {
        "description": "The call's id in our logs: the one you sent, or else a new one.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RetryAfter": {
        "description": "Whole seconds to wait before the next try.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    },
    "Allow": {
        "description": "The method that is allowed.",
        "required": True,
        "schema": {"type": "string", "enum": ["POST"]},
    },
    "WwwAuthenticate": {
        "description": "The name of the scheme.",
        "required": True,
        "schema": {"type": "string", "enum": ["AccessToken"]},
    },
}
REQUEST_ID = {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}
_MORE_HEADERS = {
    401: {"WWW-Authenticate": {"$ref": "#/components/headers/WwwAuthenticate"}},
    405: {"Allow": {"$ref": "#/components/headers/Allow"}},
    429: {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
    500: {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
}

_EXAMPLE_ERRORS = [
    {"field": "name", "code": "blank", "detail": "This field may not be blank."},
    {"field": "mobile", "code": "required", "detail": "This field is required."},
]


def responses() -> Schema:
    """Return the response of each failing status, as components."""
    return {name: _response(status) for status, name in NAMES.items()}


def references() -> Schema:
    """Return, by status, the failures that a call can be answered with."""
    return {
        str(status): {"$ref": f"#/components/responses/{name}"} for status, name in NAMES.items()
    }


def _response(status: int) -> Schema:
    codes = [code for code in CODES if code.status == status]
    return {
        "description": " ".join(f"`{code.code}`: {code.meaning}" for code in codes),
        "headers": {**REQUEST_ID, **_MORE_HEADERS.get(status, {})},
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {code.code: {"value": _example(code)} for code in codes},
            }
        },
    }


def _example(code: Code) -> Schema:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(code.status).phrase,
        "status": code.status,
        "detail": code.detail,
        "code": code.code,
        "requestId": "5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81",
    }
    if code.code == "invalid_request":
        body["errors"] = _EXAMPLE_ERRORS
    return body
