"""The OpenAPI description of the two operations, beside the views that it describes.

drf-spectacular reads paths, methods and requests from the code; `complete` adds what no code says.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from assessments import identity
from assessments.api import schema_errors, serializers
from assessments.api.schema_errors import Schema
from assessments.api.serializers import RESULTS_AT_MOST
from partners.plain_text import BIDI_CONTROLS

STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43210"}
PROJECT_ID = "prj_xxxxxxxxxxxxxxxx"
LINK_TOKEN = "the-link-token"  # noqa: S105  a placeholder

# What a field must be like beside its length. Patterns describe the value without the white space
# around it, in the syntax that all common engines share.
_REFUSED = "\\x00-\\x1f\\x7f-\\x9f\u2028\u2029" + "".join(sorted(BIDI_CONTROLS))
RULES: dict[type[serializers.Text], Schema] = {
    serializers.Text: {
        "pattern": r"\S",
        "description": "Your project, as you were given it at onboarding.",
    },
    serializers.Name: {
        "pattern": rf"^[^{_REFUSED}]*[^{_REFUSED}\s][^{_REFUSED}]*$",
        "description": "The student's name without a title, as students are greeted by its first "
        "word. At least one visible character; no control, invisible (but for the zero-width "
        "joiners of Indic scripts), private-use or unassigned characters, and none that change the "
        "direction of text.",
    },
    serializers.Email: {
        "format": "email",
        "description": "The student's e-mail address; results are stored against it. "
        "`local@domain` with an ASCII local part and a public domain, which may be "
        "international. Case does not matter.",
    },
    serializers.Mobile: {
        "minLength": identity.MOBILE_MIN,
        "pattern": r"^([+()-][+() -]*)?[0-9]([0-9+ ()-]*[0-9+()-])?$",
        "description": "The student's mobile number: digits, `+`, spaces, hyphens and brackets; "
        "at least one digit. Without a country code it is read as Indian.",
    },
}


class TextSchema(OpenApiSerializerFieldExtension):
    """Describe the string fields of the requests."""

    target_class = serializers.Text
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> Schema:
        limits = {"minLength": 1, "maxLength": self.target.max_length}
        return {"type": "string", **limits, **RULES[type(self.target)]}


class AccessTokenScheme(OpenApiAuthenticationExtension):
    """Describe the credential header."""

    target_class = "tokens.authentication.AccessTokenAuthentication"
    name = "AccessToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> Schema:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "X-Access-Token",
            "description": "`<TokenId>:<TokenSecret>`, the two joined by a colon. For backends "
            "only: never in a browser, an app or a log.",
        }


REDIRECT_URL: Schema = {
    "type": "object",
    "required": ["redirect-url"],
    "additionalProperties": False,
    "properties": {
        "redirect-url": {
            "type": "string",
            "format": "uri",
            "description": "The link for the student. Time-bound and single-use: open it in a new "
            "tab, do not cache it, do not use it for anybody else.",
        }
    },
}
ASSESSMENT: Schema = {
    "type": "object",
    "description": "An attempt that is over. It has these four fields and no others.",
    "required": ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"],
    "additionalProperties": False,
    "properties": {
        "AssessmentId": {"type": "string", "description": "Identifier of the attempt."},
        "Status": {
            "type": "string",
            "enum": ["Completed", "Abandoned"],
            "description": "`Completed`: every question is answered. `Abandoned`: the student left "
            "it, started again, or did not finish in time. Neither ever changes.",
        },
        "Recommendations": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Names of recommended courses, the best match first, as they were "
            "called when the attempt was completed. Empty for an abandoned attempt.",
        },
        "AssessmentDuration": {
            "type": "string",
            "pattern": "^[0-9]+m [0-5]?[0-9]s$",
            "description": "`<minutes>m <seconds>s`, rounded down; minutes may exceed 59. From the "
            "start to completion, or to the last saved answer of an abandoned attempt.",
        },
    },
}
ASSESSMENTS: Schema = {
    "type": "array",
    "maxItems": RESULTS_AT_MOST,
    "items": {"$ref": "#/components/schemas/Assessment"},
}
EXAMPLE_ASSESSMENTS = [
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

REQUEST_ID = OpenApiParameter(
    "X-Request-ID",
    # No pattern: a call with an odd one is not refused.
    {"type": "string"},
    OpenApiParameter.HEADER,
    description="An id of yours for this call: 8 to 64 of `A-Z a-z 0-9 . _ -`. It comes back and "
    "stands in our logs; it may be the same for each retry. Any other text is ignored, and an id "
    "of ours takes its place.",
)

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
    parameters=[REQUEST_ID],
    examples=[
        OpenApiExample("request", {"projectId": PROJECT_ID, **STUDENT}, request_only=True),
        OpenApiExample(
            "link",
            {"redirect-url": f"{settings.APP_URL}/{PROJECT_ID}/assessment?token={LINK_TOKEN}"},
            response_only=True,
        ),
    ],
    responses=OpenApiResponse({"$ref": "#/components/schemas/RedirectUrl"}, "The link."),
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
    parameters=[REQUEST_ID],
    examples=[
        OpenApiExample(
            "request", {"projectId": PROJECT_ID, "email": STUDENT["email"]}, request_only=True
        ),
        OpenApiExample("results", EXAMPLE_ASSESSMENTS, response_only=True),
    ],
    responses=OpenApiResponse(ASSESSMENTS, "The attempts that are over."),
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


def complete(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """Add to the generated file what applies to every operation."""
    result["info"] = {
        "title": "Partner Assessment Service",
        "version": "1",
        "description": DESCRIPTION,
        "contact": {"email": settings.SUPPORT_EMAIL},
    }
    result["servers"] = [{"url": settings.APP_URL}]
    result["components"]["schemas"] |= {
        "RedirectUrl": REDIRECT_URL,
        "Assessment": ASSESSMENT,
        "Problem": schema_errors.PROBLEM,
        "FieldError": schema_errors.FIELD_ERROR,
    }
    result["components"]["headers"] = schema_errors.HEADERS
    result["components"]["responses"] = schema_errors.responses()
    for path in result["paths"].values():
        answers = path["post"]["responses"]
        answers["200"]["headers"] = schema_errors.REQUEST_ID
        answers |= schema_errors.references()
    return result
