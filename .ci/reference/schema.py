"""What drf-spectacular cannot infer for the OpenAPI file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    Direction,
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework.serializers import CharField, IntegerField, Serializer, URLField

from assessments.api.failures import CODES, FIELD_CODES, REASONS, Failure
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import MAX_RESULTS, Email, Mobile, Text
from assessments.models import identity
from reference.advice import ADVICE
from tokens.limits import LINKS, OTHER, RESULTS

# One tag for all operations: client generators make a class of each.
TAG = "partner"
FOLDER = Path(__file__).resolve().parent
# One JSON file per operation, with the example of a call; and example programs.
EXAMPLES = FOLDER / "examples"
EXAMPLE_BASE_URL = "https://assessments.example.com"

# A generated client refuses what these forbid, so they forbid nothing that the service reads. PHP
# matches bytes: a class with other characters than ASCII would refuse Indian names and digits.
ANY_TEXT = {"pattern": r"\S"}
TEXTS: Mapping[type[Text], Mapping[str, Any]] = {
    Email: {"format": "email"},
    Mobile: {**ANY_TEXT, "minLength": identity.MOBILE_MIN},
}


class AccessTokenScheme(OpenApiAuthenticationExtension):
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


class TextSchema(OpenApiSerializerFieldExtension):
    target_class = "assessments.api.serializers.Text"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        text: Text = self.target
        limits = {"minLength": 1, "maxLength": text.max_length}
        return {"type": "string", **limits, **TEXTS.get(type(text), ANY_TEXT)}


# The two operations of the specification ignore unknown fields, all others refuse them.
FROZEN_REQUESTS = {"LinkRequest", "ResultsRequest"}

# Answers with these statuses tell what is left of the limit; a 500 does not.
COUNTED = [200, 400, 401, 404, 409, 429]


def header(
    name: str, description: str, statuses: list[int] | bool = COUNTED, **schema: Any
) -> OpenApiParameter:
    """Describe a response header. With the statuses COUNTED it is optional."""
    return OpenApiParameter(
        name,
        {"type": "string", **schema},
        location="header",
        required=statuses != COUNTED,
        description=description,
        response=statuses,
    )


def in_backticks(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


EVERY_ANSWER = [
    OpenApiParameter(
        "X-Request-ID",  # no pattern, because an invalid one is ignored, not refused
        location="header",
        description="Your own id for this call: 8 to 64 of `A-Z a-z 0-9 . _ -`. We return it and "
        "record it in our logs; retries may share it. We replace any other value with an id of "
        "ours.",
    ),
    header("X-Request-ID", "The id of the call in our logs: yours, or a new one.", True),
    header(
        "RateLimit-Policy",
        "The limit by its name: calls (`q`) in a window of seconds (`w`). Left out if the call was "
        "refused before it was counted.",
    ),
    header("RateLimit", "What is left: calls (`r`), and seconds until there are more (`t`)."),
    header(
        "X-Token-Ends",
        "When the token stops working: sent if it was rotated, or expires within 14 days, and by "
        "`check-credentials` whenever it expires. Switch to its successor, or ask for one, before.",
        format="date-time",
    ),
    header("WWW-Authenticate", "The name of the scheme.", [401], enum=["AccessToken"]),
    header("Allow", "The only allowed method.", [405], enum=["POST"]),
    header(
        "Retry-After",
        "Whole seconds to wait before you retry.",
        [429, 500, 503],
        type="integer",
        minimum=1,
    ),
]


class FieldError(Serializer[Any]):
    field = CharField(
        help_text="The field's name, after `?` if it was in a query string. Empty if the whole "
        "body or the host name is wrong."
    )
    code = CharField(
        help_text=f"What is wrong, for programs: {in_backticks(FIELD_CODES)}. New codes may be "
        "added."
    )
    detail = CharField(help_text="What is wrong, for developers.")


class Problem(Serializer[Any]):
    """The body of every failure under `/partner/`. Its member names are those of RFC 9457."""

    type = URLField(help_text="The address of the code's explanation.")
    title = CharField(help_text="The HTTP status in words.")
    status = IntegerField(help_text="The HTTP status.")
    detail = CharField(help_text="What happened, for developers. It may change.")
    code = CharField(
        help_text=f"What happened, for programs: {in_backticks(CODES)}. "
        "New codes may be added: look at the status first."
    )
    requestId = CharField(help_text="The `X-Request-ID` of the call. Quote it to support.")
    reason = CharField(
        required=False,
        help_text="With `invalid_credentials`, if the secret is right: why it was refused: "
        f"{in_backticks(REASONS)}. New reasons may be added.",
    )
    errors = FieldError(  # type: ignore[assignment]  # a field of this name, not the property
        many=True, required=False, help_text="With `invalid_request`: everything that is wrong."
    )


def _failure(status: int) -> OpenApiResponse:
    codes = {code: each.meaning for code, each in CODES.items() if each.status == status}
    return OpenApiResponse(
        Problem,
        " ".join(f"`{code}`: {meaning}" for code, meaning in codes.items()),
        [OpenApiExample(code, _example_body(code), response_only=True) for code in codes],
    )


def _example_body(code: str) -> dict[str, Any]:
    errors = [
        {"field": "name", "code": "blank", "detail": "This field may not be blank."},
        {"field": "mobile", "code": "required", "detail": "This field is required."},
    ]
    failure = Failure(code, errors=errors if code == "invalid_request" else ())
    return failure.body("5f0c2b9e7d1a4c3f8e6b0a9d2c4e6f81")


RATES = {
    LINKS: f"{settings.LINK_RATE_PER_MINUTE} calls a minute, unless agreed otherwise.",
    RESULTS: f"{settings.RESULTS_RATE_PER_MINUTE} calls a minute, unless agreed otherwise.",
    OTHER: f"{settings.OTHER_RATE_PER_MINUTE} calls a minute of the operations that share this "
    "limit, all but get-redirect-url and get-assessments-info.",
}
# Most operations give 404 and 405 only for a wrong base URL or method, which clients may meet too.
FAILURES = (400, 401, 404, 405, 429, 500, 503)


def without_template_syntax(text: str) -> str:
    """Return the text. Raises ValueError if a template would read more of it than placeholders."""
    if found := re.search(r"\{[{%#](?! [A-Z_]+ \}\}).*", text):
        raise ValueError(f"The service would take this for a template's: {found[0]}")
    return text


def example(name: str) -> str:
    text = without_template_syntax((EXAMPLES / name).read_text(encoding="utf-8"))
    return text.replace(EXAMPLE_BASE_URL, settings.APP_URL)


def example_call(name: str) -> dict[str, Any]:
    """Return the `request` and the `answer` of an operation's example."""
    call: dict[str, Any] = json.loads(example(f"{name}.json"))
    return call


@dataclass(frozen=True)
class Operation:
    """`body` is the answer's serializer, `answered` its description if not the summary."""

    view: type[PartnerOperation]
    summary: str
    description: str
    body: Any
    answered: str = ""
    answer_name: str = "answer"
    headers: Sequence[OpenApiParameter] = ()
    failures: Sequence[int] = FAILURES

    def describe(self) -> None:
        """Tell drf-spectacular about the view."""
        call = example_call(self.view.name)
        examples = [OpenApiExample("request", call["request"], request_only=True)]
        # drf-spectacular would wrap the example of a list in another list: `complete` adds it.
        if isinstance(call["answer"], dict):
            answer = OpenApiExample(
                self.answer_name, call["answer"], response_only=True, status_codes=[200]
            )
            examples.append(answer)
        first, *words = self.view.name.split("-")
        described = extend_schema(
            operation_id=first + "".join(word.capitalize() for word in words),
            summary=self.summary,
            tags=[TAG],
            description=f"{self.description}\n\nA project may make {RATES[self.view.limit]}",
            parameters=[*EVERY_ANSWER, *self.headers],
            examples=examples,
            responses={
                200: OpenApiResponse(self.body, self.answered or self.summary),
                **{status: _failure(status) for status in self.failures},
            },
        )
        extend_schema_view(post=described)(self.view)


def complete(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Add what concerns the whole file, and what serializers can't express."""
    result["info"] = {
        "title": "Partner Assessment Service",
        "version": settings.VERSION,
        "description": (FOLDER / "description.md").read_text(encoding="utf-8").strip(),
        "contact": {
            "name": "Support",
            "email": settings.SUPPORT_EMAIL,
            "url": f"{settings.APP_URL}/docs/",
        },
        # Redocly and Spectral want one.
        "license": {"name": "Proprietary", "url": f"{settings.APP_URL}/docs/"},
    }
    result["tags"] = [{"name": TAG, "description": "Calls by a partner's backend."}]
    result["servers"] = [{"url": settings.APP_URL}]
    schemas = result["components"]["schemas"]
    schemas["RedirectUrl"]["additionalProperties"] = False
    schemas["Assessment"]["additionalProperties"] = False
    for call in (each["post"] for each in result["paths"].values()):
        [body] = call["requestBody"]["content"].values()
        name = body["schema"]["$ref"].rpartition("/")[2]
        schemas[name]["additionalProperties"] = name in FROZEN_REQUESTS
    for schema in schemas.values():
        for field in schema["properties"].values():
            field.pop("x-spec-enum-id", None)  # for a hook we don't use
            if "allOf" in field and field.pop("nullable", False):  # linters want a type beside it
                schemas[field["allOf"][0]["$ref"].rpartition("/")[2]]["nullable"] = True
    results = result["paths"]["/partner/get-assessments-info"]["post"]["responses"]["200"]
    content = results["content"]["application/json"]
    content["schema"]["maxItems"] = MAX_RESULTS
    content["examples"] = {"Results": {"value": example_call("get-assessments-info")["answer"]}}
    field_codes = [{"code": code, "meaning": text} for code, text in FIELD_CODES.items()]
    schemas["FieldError"]["properties"]["code"]["x-codes"] = field_codes
    problem = schemas["Problem"]["properties"]
    problem["code"]["x-codes"] = [{"code": code, **each._asdict()} for code, each in CODES.items()]
    problem["reason"]["x-reasons"] = _explained(REASONS)
    advice = schemas["LinkStatus"]["properties"]["Advice"]
    advice["description"] += f" {in_backticks(ADVICE)}. New codes may be added."
    advice["x-codes"] = _explained(ADVICE)
    return result


def _explained(codes: Mapping[str, tuple[str, str]]) -> list[dict[str, str]]:
    return [
        {"code": code, "meaning": meaning, "action": action}
        for code, (meaning, action) in codes.items()
    ]
