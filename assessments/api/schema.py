"""What drf-spectacular cannot read from the views and serializers of the two operations."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from assessments.api.codes import CODES, FIELD_CODES, Code
from assessments.api.serializers import RESULTS_AT_MOST, Problem, Record, RedirectUrl

STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43210"}
PROJECT_ID = "prj_xxxxxxxxxxxxxxxx"
LINK_TOKEN = "the-link-token"  # noqa: S105  a placeholder
# drf-spectacular would make a list of each example of a list.
EXAMPLE_RESULTS = [
    {
        "AssessmentId": "asm_xxxxxxxxxxxxxxxx",
        "Status": "Completed",
        "Recommendations": ["B.Sc. Physics", "B.Tech. Mechanical Engineering"],
        "AssessmentDuration": "24m 7s",
    },
    {
        "AssessmentId": "asm_yyyyyyyyyyyyyyyy",
        "Status": "Abandoned",
        "Recommendations": [],
        "AssessmentDuration": "3m 41s",
    },
]


class AccessTokenScheme(OpenApiAuthenticationExtension):
    """Describe the credential header."""

    target_class = "tokens.authentication.AccessTokenAuthentication"
    name = "AccessToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "X-Access-Token",
            "description": "`<TokenId>:<TokenSecret>`, the two joined by a colon. For backends "
            "only: never in a browser, an app or a log.",
        }


def _header(name: str, description: str, statuses: list[int] | bool, **schema: Any) -> Any:
    """Describe a header that every response with these statuses has."""
    return OpenApiParameter(
        name,
        {"type": "string", **schema},
        location="header",
        required=True,
        description=description,
        response=statuses,
    )


HEADERS = [
    OpenApiParameter(
        "X-Request-ID",  # without a pattern: an odd one is ignored, not refused
        location="header",
        description="An id of yours for this call: 8 to 64 of `A-Z a-z 0-9 . _ -`. It comes back "
        "and stands in our logs; it may be the same for each retry. Any other text is ignored, and "
        "an id of ours takes its place.",
    ),
    _header(
        "X-Request-ID", "The call's id in our logs: the one you sent, or else a new one.", True
    ),
    _header("WWW-Authenticate", "The name of the scheme.", [401], enum=["AccessToken"]),
    _header("Allow", "The method that is allowed.", [405], enum=["POST"]),
    _header(
        "Retry-After",
        "Whole seconds to wait before the next try.",
        [429, 500],
        type="integer",
        minimum=1,
    ),
]


def _failure(status: int) -> OpenApiResponse:
    codes = [code for code in CODES if code.status == status]
    return OpenApiResponse(
        Problem,
        " ".join(f"`{code.code}`: {code.meaning}" for code in codes),
        [OpenApiExample(code.code, _body(code), response_only=True) for code in codes],
    )


def _body(code: Code) -> dict[str, Any]:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(code.status).phrase,
        "status": code.status,
        "detail": code.detail,
        "code": code.code,
        "requestId": "5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81",
    }
    if code.code == "invalid_request":
        body["errors"] = [
            {"field": "name", "code": "blank", "detail": "This field may not be blank."},
            {"field": "mobile", "code": "required", "detail": "This field is required."},
        ]
    return body


# 404 and 405 are of a wrong base URL or method, but a client made from the file may meet them.
FAILURES = {status: _failure(status) for status in (400, 401, 404, 405, 429, 500)}

get_redirect_url = extend_schema(
    operation_id="getRedirectUrl",
    summary="Get a link for a student",
    description=(
        "Returns a new link on which one student can take the assessment once. Every call makes "
        "a new link, also for the same student; earlier links that are not used stay valid until "
        "they expire. After a time-out, simply call again.\n\n"
        f"At most {settings.LINK_RATE_PER_MINUTE} calls a minute for a project, unless agreed "
        "otherwise."
    ),
    parameters=HEADERS,
    examples=[
        OpenApiExample("request", {"projectId": PROJECT_ID, **STUDENT}, request_only=True),
        OpenApiExample(
            "link",
            {"redirect-url": f"{settings.APP_URL}/{PROJECT_ID}/assessment?token={LINK_TOKEN}"},
            response_only=True,
            status_codes=[200],
        ),
    ],
    responses={200: OpenApiResponse(RedirectUrl, "The link."), **FAILURES},
)
get_assessments_info = extend_schema(
    operation_id="getAssessmentsInfo",
    summary="Get a student's results",
    description=(
        "Returns the completed and abandoned attempts of one e-mail address in your project, "
        f"newest first by their start, at most {RESULTS_AT_MOST}. An attempt that is still open "
        "is not among them. Without any, and for an address that we do not know, the answer is "
        "`[]`. An attempt is deleted at most 24 months after its end, earlier if agreed for the "
        "project or if the student asks for it: copy what you need.\n\n"
        f"At most {settings.RESULTS_RATE_PER_MINUTE} calls a minute for a project, unless agreed "
        "otherwise."
    ),
    parameters=HEADERS,
    examples=[
        OpenApiExample(
            "request", {"projectId": PROJECT_ID, "email": STUDENT["email"]}, request_only=True
        ),
    ],
    responses={200: OpenApiResponse(Record(many=True), "The attempts that are over."), **FAILURES},
)

DESCRIPTION = """\
A partner's backend asks for a one-time assessment link for a student, the student takes the \
assessment in a browser, and the backend reads status, duration and recommended courses by e-mail \
address.

Requests are one JSON object in UTF-8, `Content-Type: application/json`, at most 16 kB and nested \
at most 5 levels. A byte order mark, NUL, half of a surrogate pair, a name twice in one object, \
`NaN` and compression are refused. All fields are strings and required. White space around a value \
is removed before its rule is applied. Fields that are not listed are ignored.

Checks happen in this order: https (400), host name (400, with an empty `field`), path (404), \
method (405, with `Allow`), credentials (401), limit (429), body (400), and whether the token is \
for the project (401). Every failure under `/partner/` has the body `Problem`.

These calls are never redirected. Let your client follow no redirect: the secret would travel with \
it.

Both operations are frozen: no field is renamed, nested, removed or newly required."""


def complete(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Add what belongs to the whole file, and what a serializer cannot say."""
    result["info"] = {
        "title": "Partner Assessment Service",
        "version": "1",
        "description": DESCRIPTION,
        "contact": {"email": settings.SUPPORT_EMAIL},
    }
    result["servers"] = [{"url": settings.APP_URL}]
    schemas = result["components"]["schemas"]
    schemas["RedirectUrl"]["additionalProperties"] = False
    schemas["Assessment"]["additionalProperties"] = False
    del schemas["Assessment"]["properties"]["Status"]["x-spec-enum-id"]  # for a hook we don't use
    results = result["paths"]["/partner/get-assessments-info"]["post"]["responses"]["200"]
    content = results["content"]["application/json"]
    content["schema"]["maxItems"] = RESULTS_AT_MOST
    content["examples"] = {"Results": {"value": EXAMPLE_RESULTS}}
    for name, codes in (("Problem", CODES), ("FieldError", FIELD_CODES)):
        schemas[name]["properties"]["code"]["x-codes"] = [code._asdict() for code in codes]
    return result
