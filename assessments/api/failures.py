"""The failures of the partner API. Each makes an answer and a row of the failures log."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from rest_framework import exceptions

from assessments.api.failure_log import LOG
from assessments.api.operation import PartnerOperation
from assessments.models.links import LinkStarted
from assessments.models.refused_calls import RefusedCall
from tokens import crypto
from tokens.authentication import MISSING_HEADER, SCHEME, InvalidCredentials
from tokens.models import AccessToken


class Code(NamedTuple):
    """`detail` is the text of the answer, or an example of it if it varies."""

    status: int
    meaning: str
    action: str
    detail: str


USE_POST = "{} is not allowed here. Use POST."
# By the code of a Throttled, which says what was counted.
TOO_OFTEN = {
    "throttled": "Too many calls by your project. Try again in {} s.",
    "credentials": "Credentials from your address were refused too often. Correct them, and try "
    "again in {} s.",
    "test_attempts": "The test addresses made too many attempts of your project in a day. Try "
    "again in {} s.",
}
CODES = {
    "invalid_request": Code(
        400,
        "The body, its `Content-Type` or a field is wrong, or the host name is not this service's.",
        "Correct the request before you send it again. `errors` lists what is wrong.",
        "One or more fields are missing, unknown or invalid: see `errors`.",
    ),
    "https_required": Code(
        400,
        "The call used http.",
        "Use https. Rotate the token: it was sent unencrypted.",
        "Call this service over https. The token was sent unencrypted: rotate it.",
    ),
    "missing_credentials": Code(
        401,
        "`X-Access-Token` is missing or empty.",
        "Send it. Check that the variable is set and that no proxy or client drops the header.",
        MISSING_HEADER,
    ),
    "malformed_credentials": Code(
        401,
        "The header is not `<TokenId>:<TokenSecret>` as issued, or the secret's checksum is wrong.",
        "`detail` says what was seen. Most often the last characters are missing: copy both again.",
        f"{crypto.MALFORMED} The TokenSecret has 52 characters and not 53: copy it again.",
    ),
    "invalid_credentials": Code(
        401,
        "The token is wrong, unknown, revoked, rotated or expired; `projectId` is not the token's; "
        "or the project is closed. If the secret is right, `reason` says which.",
        "With a `reason`: see there. Without one, TokenId or TokenSecret is wrong: copy both "
        "again, then ask support. Don't retry.",
        "The credentials are not valid for this request.",
    ),
    "not_found": Code(
        404,
        "No such path, or your project has no such link or attempt.",
        "Check the path: no slash at the end, and only one before `partner`. Then check the id.",
        "There is no operation at this address. After BASE_URL, which is the service's address "
        "alone, the path is /partner/, in small letters, and the operation's name, with no slash "
        "at the end.",
    ),
    "method_not_allowed": Code(
        405, "The method is not POST.", "Send a POST.", USE_POST.format("GET")
    ),
    "link_in_use": Code(
        409,
        "`cancel-links` named a link that a student has started.",
        "Nothing to do: the link can't be started again. To end the attempt, ask support.",
        "This link was used, so it can't be cancelled.",
    ),
    "rate_limited": Code(
        429,
        "Too many calls by your project this minute; too many wrong credentials from your address "
        "this minute; or, in a test project, too many attempts by test addresses in a day.",
        "Wait for `Retry-After` seconds, then send the same request again. If credentials were "
        "refused, correct them first.",
        TOO_OFTEN["throttled"].format(23),
    ),
    "overloaded": Code(
        503,
        "The service has more calls than it can take. The call was not carried out.",
        "As for a 500: retry after `Retry-After` seconds, then wait longer each time.",
        "The service has too many calls at this moment. This one was not carried out: send it "
        "again after the seconds in Retry-After, then wait longer each time.",
    ),
    "internal_error": Code(
        500,
        "Something failed on our side.",
        "Retry after a short delay, then wait longer each time. If it persists, contact support "
        "and quote the `requestId`.",
        "Something failed on our side. Try again after a short delay; if it persists, contact "
        "support with the requestId.",
    ),
}

# Values of `reason`: why a token with the right secret is refused, and what to do.
REASONS = {
    "expired": ("The token's lifetime is over.", "Ask support for a new token."),
    "revoked": ("The token was revoked.", "Ask support for a new token."),
    "rotated": (
        "The token was replaced, and the time in which both worked is over.",
        "Use the successor that support gave you.",
    ),
    "project_closed": ("The project is closed.", "Ask support."),
    "wrong_project": (
        "The token works, but `projectId` is not its project.",
        "Check `projectId`. Each token is for one project.",
    ),
}

# Values of `code` in an entry of `errors`, and their meanings.
FIELD_CODES = {
    "required": "The field is missing.",
    "blank": "The string is empty or only white space.",
    "not_a_string": "The value is a number, null or anything else but a string.",
    "too_long": "The string is longer than the field allows.",
    "invalid": "The value, or the body, breaks a rule.",
    "unknown": "The operation has no field of the name that was sent. `detail` has the nearest "
    "one that it has; the failures log has that one alone.",
}

HEADERS = {401: {"WWW-Authenticate": SCHEME}, 405: {"Allow": "POST"}}
# A 405 is answered before authentication, and a 500 is no fault of the caller.
LOGGED = frozenset({400, 401, 404, 409, 429})


@dataclass(frozen=True)
class Failure:
    """A failed call. `errors` are as in the body, `wait` is in seconds."""

    code: str
    detail: str = ""  # if empty, that of the code
    reason: str = ""
    errors: Sequence[Mapping[str, str]] = ()
    wait: int = 0

    @property
    def status(self) -> int:
        return CODES[self.code].status

    def body(self, request_id: str) -> dict[str, Any]:
        body = {
            "type": f"{settings.APP_URL}/docs/#{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail or CODES[self.code].detail,
            "code": self.code,
            "requestId": request_id,
        }
        if self.reason:
            body["reason"] = self.reason
        if self.errors:
            body["errors"] = self.errors
        return body

    def answer(self, request: HttpRequest) -> JsonResponse:
        headers = {"Cache-Control": "no-store", **HEADERS.get(self.status, {})}
        if self.wait:
            headers["Retry-After"] = str(self.wait)
        request_id = getattr(request, "request_id", "")
        return JsonResponse(self.body(request_id), status=self.status, headers=headers)

    def row(self, token: AccessToken, operation: PartnerOperation, request_id: str) -> RefusedCall:
        """Return the row of the failures log, which holds no value that was sent.

        An unknown name is something that was sent. The row has the nearest known one, or "".
        """
        faults = [
            (operation.nearest_field(name) if code == "unknown" else name, code)
            for name, code in ((error["field"], error["code"]) for error in self.errors)
        ]
        if self.reason:
            name = "projectId" if self.reason == "wrong_project" else "X-Access-Token"
            faults = [(name, self.reason)]
        call = RefusedCall(
            project_id=token.project_id,
            access_token_id=token.pk,
            at=timezone.now(),
            request_id=request_id,
            operation=operation.name,
            status=self.status,
            code=self.code,
            # Several unknown names may have the same nearest one.
            fields=[{"field": name, "code": code} for name, code in dict.fromkeys(faults)],
        )
        if call.is_counted:
            call.at = call.at.replace(second=0, microsecond=0)
        return call


# The database is usually back, or a connection or row free, within two seconds.
INTERNAL_ERROR = Failure("internal_error", wait=2)


def invalid_body(detail: str) -> Failure:
    return Failure("invalid_request", detail, errors=[_field_error("", "invalid", detail)])


def _field_error(field: str, code: str, detail: str) -> dict[str, str]:
    """Return an entry of `errors`; `code` may be one of DRF's."""
    if code not in FIELD_CODES:
        code = {"null": "not_a_string", "max_length": "too_long"}.get(code, "invalid")
    return {"field": field, "code": code, "detail": detail}


def failure_of(exc: Exception, method: str | None) -> Failure | None:
    """Return the failure that an exception of an API view means; None for a crash."""
    match exc:
        case exceptions.ValidationError():
            # Requests are flat: each field has a list of errors.
            by_field: Any = exc.get_full_details()
            errors = [
                _field_error(field, each["code"], each["message"])
                for field, faults in by_field.items()
                for each in faults
            ]
            return Failure("invalid_request", errors=errors)
        case exceptions.ParseError() | exceptions.UnsupportedMediaType():
            return invalid_body(str(exc.detail))
        case InvalidCredentials(reason=reason):
            return Failure("invalid_credentials", " ".join(REASONS.get(reason, ())), reason)
        case exceptions.AuthenticationFailed():
            return Failure(str(exc.get_codes()), str(exc.detail))
        case exceptions.NotFound():
            return Failure("not_found", str(exc.detail))
        case exceptions.MethodNotAllowed():
            return Failure("method_not_allowed", USE_POST.format(method))
        case LinkStarted():
            return Failure("link_in_use")
        case exceptions.Throttled():
            wait = math.ceil(getattr(exc, "wait", None) or 1)
            detail = TOO_OFTEN[str(exc.get_codes())].format(wait)
            return Failure("rate_limited", detail, wait=wait)
        case exceptions.APIException(status_code=500):
            return INTERNAL_ERROR
    return None


def answer_exception(exc: Exception, context: Mapping[str, Any]) -> JsonResponse | None:
    """Answer an exception; log it if the secret was right. A crash (None) goes to handler500."""
    request = context["request"]
    failure = failure_of(exc, request.method)
    if failure is None:
        return None
    if failure.status in LOGGED:
        token: AccessToken | None = getattr(exc, "token", None) or request.auth
        if token is not None:
            LOG.add(failure.row(token, context["view"], request.request_id))
    return failure.answer(request)
