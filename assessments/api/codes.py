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


class Advice(NamedTuple):
    """A value of `Advice` or `reason`: what happened, and what a partner can do.

    `Advice` is about a link, `reason` about a token with the right secret that is refused.
    """

    code: str
    meaning: str
    action: str


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

FRESH = "Ask for a fresh link."
ADVICE = (
    Advice(
        "unopened",
        "Nobody has opened the link yet.",
        "Remind the student. The message may not have arrived.",
    ),
    Advice(
        "robots-only",
        "Only robots fetched it, such as mail scanners and chat previews.",
        "Remind the student. The link still works.",
    ),
    Advice(
        "not-started",
        "The student opened it, but did not press Start.",
        "Ask the student to open it again, tick the box and press Start.",
    ),
    Advice("expired-unopened", "It expired, and nobody had opened it.", FRESH),
    Advice("expired-robots-only", "It expired, and only robots had fetched it.", FRESH),
    Advice("expired-not-started", "It was opened, but expired before Start was pressed.", FRESH),
    Advice("cancelled", "It was cancelled before the start.", FRESH),
    Advice(
        "in-progress",
        "The assessment is in progress.",
        "Ask the student to open the same link in the same browser.",
    ),
    Advice(
        "other-browser",
        "The student opened the link in another browser, where it can't continue.",
        "Ask the student to go back to the first browser, or ask for a fresh link with the same "
        "mobile number.",
    ),
    Advice("moved", "The assessment went on with a newer link.", "Look at the newer link."),
    Advice("late", "The student did not finish in time.", FRESH),
    Advice("left", "The student left the assessment.", FRESH),
    Advice("closed", "Support closed the assessment.", "Ask support, or ask for a fresh link."),
    Advice(
        "replaced",
        "The student started again with a newer link.",
        "Look at the student's newer assessment.",
    ),
    Advice(
        "completed-unread",
        "The student completed the assessment, and you have not read the result yet.",
        "Read the result.",
    ),
    Advice(
        "completed-read",
        "The student completed the assessment, and you have read the result.",
        "Nothing to do.",
    ),
    Advice(
        "project-closed",
        "The project is closed. You can't see this: your calls get 401.",
        "Ask support.",
    ),
)

# Values of `code` in an entry of `errors`, and their meanings.
FIELD_CODES = {
    "required": "The field is missing.",
    "blank": "The string is empty or only white space.",
    "not_a_string": "The value is a number, null or anything else but a string.",
    "too_long": "The string is longer than the field allows.",
    "invalid": "The value, or the body, breaks a rule.",
}
