"""The codes of failures, as the OpenAPI file and the reference page explain them."""

from __future__ import annotations

from typing import NamedTuple

from tokens import authentication


class Code(NamedTuple):
    """A value of `code`: when we return it, what to do, and an example of `detail`."""

    code: str
    status: int
    meaning: str
    action: str
    detail: str


class FieldCode(NamedTuple):
    """A value of `code` in an entry of `errors`."""

    code: str
    meaning: str


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
        "The token is wrong, unknown, revoked or expired; `projectId` is unknown or not the "
        "token's; or the project is closed. We don't say which.",
        "Check TokenId, TokenSecret and projectId, in this order, then ask support. Don't retry.",
        authentication.InvalidCredentials.default_detail,
    ),
    Code(
        "not_found",
        404,
        "No such path.",
        "Check the path: no slash at the end, and only one before `partner`.",
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

FIELD_CODES = (
    FieldCode("required", "The field is missing."),
    FieldCode("blank", "The string is empty or only white space."),
    FieldCode("not_a_string", "The value is a number, null or anything else but a string."),
    FieldCode("too_long", "The string is longer than the field allows."),
    FieldCode("invalid", "The value, or the body, breaks a rule."),
)
