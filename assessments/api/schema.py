"""Complete the OpenAPI file with details that drf-spectacular cannot infer from the code."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from assessments.api.codes import ADVICE, CODES, FIELD_CODES, REASONS, Code
from assessments.api.serializers import RESULTS_AT_MOST, Problem, Record, RedirectUrl

F = TypeVar("F", bound=Callable[..., Any])

# One for all: generators make a class of each tag.
TAG = "partner"
STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43201"}
PROJECT_ID = "prj_xxxxxxxxxxxxxxxx"
LINK_TOKEN = "the-link-token"  # noqa: S105  a placeholder
# drf-spectacular would wrap each example of a list in another list.
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
            "description": "`<TokenId>:<TokenSecret>`. Use it on your backend only; never put it "
            "in a browser, an app or a log.",
        }


# The statuses of counted answers, which say what is left of the limit; a crash does not.
COUNTED = [200, 400, 401, 404, 409, 429]


def _header(
    name: str,
    description: str,
    statuses: list[int] | bool,
    *,
    required: bool = True,
    **schema: Any,
) -> Any:
    """Describe a header of every response with these statuses."""
    return OpenApiParameter(
        name,
        {"type": "string", **schema},
        location="header",
        required=required,
        description=description,
        response=statuses,
    )


EVERY_ANSWER = [
    OpenApiParameter(
        "X-Request-ID",  # no pattern, because an invalid one is ignored, not refused
        location="header",
        description="Your own id for this call: 8 to 64 of `A-Z a-z 0-9 . _ -`. We return it and "
        "record it in our logs; retries may share it. We replace any other value with an id of "
        "ours.",
    ),
    _header("X-Request-ID", "The id of the call in our logs: yours, or a new one.", True),
    _header(
        "RateLimit-Policy",
        "The limit by its name: calls (`q`) in a window of seconds (`w`). Left out if the call was "
        "refused before it was counted.",
        COUNTED,
        required=False,
    ),
    _header(
        "RateLimit",
        "What is left: calls (`r`), and seconds until there are more (`t`).",
        COUNTED,
        required=False,
    ),
    _header(
        "X-Token-Ends",
        "Sent if the token was rotated: when it stops working. Switch to its successor before.",
        COUNTED,
        required=False,
        format="date-time",
    ),
    _header("WWW-Authenticate", "The name of the scheme.", [401], enum=["AccessToken"]),
    _header("Allow", "The only allowed method.", [405], enum=["POST"]),
    _header(
        "Retry-After",
        "Whole seconds to wait before you retry.",
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
        "type": f"{settings.APP_URL}/docs/#{code.code}",
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


# Of most operations, only a wrong base URL or method gives 404 and 405, but a generated client may
# meet them.
FAILURES = {status: _failure(status) for status in (400, 401, 404, 405, 429, 500)}
CONFLICT = {409: _failure(409)}


def operation(
    operation_id: str,
    summary: str,
    description: str,
    answers: type[Serializer[Any]],
    *,
    request: dict[str, Any],
    answer: dict[str, Any],
    failures: dict[int, OpenApiResponse] = FAILURES,
) -> Callable[[F], F]:
    """Return a decorator that describes one of the operations that share a limit.

    It gives an example of request and answer.
    """
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        description=f"{description}\n\n{_allowed(settings.OTHER_RATE_PER_MINUTE)} of "
        "the operations that share this limit, all but get-redirect-url and get-assessments-info.",
        parameters=EVERY_ANSWER,
        examples=[
            OpenApiExample("request", request, request_only=True),
            OpenApiExample("answer", answer, response_only=True, status_codes=[200]),
        ],
        responses={200: OpenApiResponse(answers, summary), **failures},
    )


def _allowed(rate: int) -> str:
    return f"A project may make {rate} calls a minute"


get_redirect_url = extend_schema(
    operation_id="getRedirectUrl",
    summary="Get a link for a student",
    description=(
        "Returns a new single-use link to the assessment for one student. Every call makes a new "
        "link, even for the same student; earlier unused links stay valid until they expire. "
        "After a timeout, just call again.\n\n"
        f"{_allowed(settings.LINK_RATE_PER_MINUTE)}, unless agreed otherwise."
    ),
    parameters=[
        *EVERY_ANSWER,
        OpenApiParameter(
            "X-Reference",
            {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,64}$"},
            location="header",
            description="Your own id for the student or application: 1 to 64 of "
            "`A-Z a-z 0-9 . _ : -`. Other operations return it with the link and its assessment. "
            "Don't send a name or an address.",
        ),
        _header("X-Link-Id", "The id of the link, for cancel-links.", [200]),
    ],
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
        f"Returns at most {RESULTS_AT_MOST} completed and abandoned attempts of one e-mail address "
        "in your project; the one that started last comes first. Open attempts are not included. "
        "If no attempt has ended, or we don't know the address, the answer is `[]`. We delete an "
        "attempt at most 24 months after it ended, or earlier if agreed for the project or if the "
        "student asks: copy what you need.\n\n"
        f"{_allowed(settings.RESULTS_RATE_PER_MINUTE)}, unless agreed otherwise."
    ),
    parameters=EVERY_ANSWER,
    examples=[
        OpenApiExample(
            "request", {"projectId": PROJECT_ID, "email": STUDENT["email"]}, request_only=True
        ),
    ],
    responses={
        200: OpenApiResponse(Record(many=True), "The attempts that have ended."),
        **FAILURES,
    },
)

DESCRIPTION = """\
Your backend asks for a single-use assessment link for a student, the student takes the assessment \
in a browser, and your backend reads the status, the duration and the recommended courses by \
e-mail address.

Send one JSON object in UTF-8 with `Content-Type: application/json`. We remove white space at both \
ends of a string and ignore unknown fields.

We check in this order: https (400), host name (400, with an empty `field`), path (404), method \
(405, with `Allow`), credentials (401), rate limit (429), body (400), and whether the token is for \
the project (401). Every failure under `/partner/` has the body `Problem`.

We never redirect these calls. Don't let your client follow a redirect: it would send the secret \
along.

`get-redirect-url` and `get-assessments-info` are frozen: no field will be renamed, nested, \
removed or newly required. The other operations may gain fields.

A body has at most 16 kB and 5 levels. We refuse NUL, half of a surrogate pair, a duplicate key, \
`NaN` and compression; we ignore a byte order mark."""


def complete(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Add what belongs to the whole file, and what a serializer cannot say."""
    result["info"] = {
        "title": "Partner Assessment Service",
        "version": settings.VERSION,
        "description": DESCRIPTION,
        "contact": {
            "name": "Support",
            "email": settings.SUPPORT_EMAIL,
            "url": f"{settings.APP_URL}/docs/",
        },
        # Redocly and Spectral ask for one: https://spec.openapis.org/oas/v3.0.3#license-object
        "license": {"name": "Proprietary", "url": f"{settings.APP_URL}/docs/"},
    }
    result["tags"] = [{"name": TAG, "description": "Calls by a partner's backend."}]
    for item in result["paths"].values():
        item["post"]["tags"] = [TAG]
    result["servers"] = [{"url": settings.APP_URL}]
    schemas = result["components"]["schemas"]
    schemas["RedirectUrl"]["additionalProperties"] = False
    schemas["Assessment"]["additionalProperties"] = False
    for schema in schemas.values():
        for field in schema["properties"].values():
            field.pop("x-spec-enum-id", None)  # for a hook we don't use
    results = result["paths"]["/partner/get-assessments-info"]["post"]["responses"]["200"]
    content = results["content"]["application/json"]
    content["schema"]["maxItems"] = RESULTS_AT_MOST
    content["examples"] = {"Results": {"value": EXAMPLE_RESULTS}}
    for name, codes in (("Problem", CODES), ("FieldError", FIELD_CODES)):
        schemas[name]["properties"]["code"]["x-codes"] = [code._asdict() for code in codes]
    schemas["LinkStatus"]["properties"]["Advice"]["x-codes"] = [each._asdict() for each in ADVICE]
    schemas["Problem"]["properties"]["reason"]["x-reasons"] = [each._asdict() for each in REASONS]
    return result
