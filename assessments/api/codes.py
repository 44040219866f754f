"""Every `code` of a failure of the partner API, for the OpenAPI file and the reference page."""

from __future__ import annotations

from typing import NamedTuple

from tokens import authentication


class Code(NamedTuple):
    """A value of `code`: when it is returned, what the caller should do, an example's text."""

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

FIELD_CODES = (
    FieldCode("required", "The field is missing."),
    FieldCode("blank", "The string is empty, or only white space."),
    FieldCode("not_a_string", "The value is a number, null or anything else that is not a string."),
    FieldCode("too_long", "The string is longer than the field allows."),
    FieldCode("invalid", "The string breaks the field's rule."),
)
