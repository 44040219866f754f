"""The partner reference: the OpenAPI file, and the page that is rendered from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

Schema = dict[str, Any]

EXAMPLES = Path(settings.BASE_DIR) / "templates" / "docs" / "examples"
EXAMPLE_BASE_URL = "https://assessments.example.com"
# What is described changes only with the code.
CACHE_CONTROL = "public, max-age=300"


@dataclass(frozen=True)
class Field:
    """A row of a table of fields."""

    name: str
    type: str
    required: bool
    description: SafeString


@dataclass(frozen=True)
class Operation:
    """One of the two calls, as the page shows it."""

    name: str
    path: str
    summary: str
    description: list[SafeString]
    request: list[Field]
    response: list[Field]
    curl: str
    answer: str


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Answer the OpenAPI file."""
    headers = {"Cache-Control": CACHE_CONTROL}
    return HttpResponse(openapi_file(), content_type="application/json", headers=headers)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Answer the page for partner developers."""
    headers = {"Cache-Control": CACHE_CONTROL}
    return HttpResponse(reference_page(), headers=headers)


@cache
def document() -> Schema:
    """Return the OpenAPI document, made once: it cannot change while the process runs."""
    generator = SchemaGenerator(urlconf="config.urls")
    made: Schema = generator.get_schema(request=None, public=True)
    return made


@cache
def openapi_file() -> bytes:
    return json.dumps(document(), indent=2).encode()


@cache
def reference_page() -> str:
    """Return the page. It is the same for everybody."""
    made = document()
    schemas = made["components"]["schemas"]
    context = {
        "app_url": settings.APP_URL,
        "support_email": settings.SUPPORT_EMAIL,
        "about": about(made),
        "request_id": request_id(made),
        "setup": example("setup.sh"),
        "operations": [operation(path, item["post"]) for path, item in made["paths"].items()],
        "python": example("partner_api.py"),
        "node": example("partner-api.mjs"),
        "problem": fields(schemas["Problem"]),
        "problem_example": problem_example(made),
        "field_error": fields(schemas["FieldError"]),
        "codes": codes(schemas["Problem"]),
        "field_codes": codes(schemas["FieldError"]),
        "link_rate": settings.LINK_RATE_PER_MINUTE,
        "results_rate": settings.RESULTS_RATE_PER_MINUTE,
        "failures_rate": settings.FAILED_CREDENTIALS_PER_MINUTE,
    }
    return render_to_string("docs/reference.html", context)


def about(made: Schema) -> list[SafeString]:
    """Return what holds for every call; the first paragraph, what the service is, stands above."""
    return [prose(text) for text in made["info"]["description"].split("\n\n")[1:]]


def request_id(made: Schema) -> SafeString:
    """Return what the one optional header is for."""
    (parameter,) = next(iter(made["paths"].values()))["post"]["parameters"]
    return prose(parameter["description"])


def operation(path: str, described: Schema) -> Operation:
    """Return one call as the page shows it."""
    name = path.rpartition("/")[2]
    answer = described["responses"]["200"]["content"]["application/json"]
    return Operation(
        name=name,
        path=path,
        summary=described["summary"],
        description=[prose(text) for text in described["description"].split("\n\n")],
        request=fields(described["requestBody"]["content"]["application/json"]["schema"]),
        response=fields(answer["schema"]),
        curl=example(f"{name}.sh"),
        answer=pretty(only_example(answer)),
    )


def fields(schema: Schema) -> list[Field]:
    """Return the fields of an object, or of the objects that an array holds."""
    described = resolved(schema)
    if described["type"] == "array":
        return fields(described["items"])
    return [
        Field(name, type_of(field), name in described["required"], prose(description_of(field)))
        for name, field in described["properties"].items()
    ]


def type_of(field: Schema) -> str:
    """Return a field's type in words."""
    if field["type"] != "array":
        return str(field["type"])
    return f"array of {resolved(field['items'])['type']}s"


def description_of(field: Schema) -> str:
    """Return a field's description, with the bounds of its length."""
    text: str = field["description"]
    if "maxLength" in field:
        text += f" {field['minLength']} to {field['maxLength']} characters."
    return text


def codes(schema: Schema) -> list[dict[str, Any]]:
    """Return the values of a body's `code`, each with its explanation."""
    explained = schema["properties"]["code"]["x-codes"]
    return [
        {
            **code,
            "meaning": prose(code["meaning"]),
            "action": prose(code.get("action", "")),
        }
        for code in explained
    ]


def problem_example(made: Schema) -> list[tuple[str, str]]:
    """Return an example of each failing status: its name and its body."""
    found = []
    for response in made["components"]["responses"].values():
        body = next(iter(response["content"]["application/json"]["examples"].values()))["value"]
        found.append((f"{body['status']} {body['title']}", pretty(body)))
    return found


def resolved(schema: Schema) -> Schema:
    """Follow a reference within the document."""
    found: Schema = schema
    if reference := schema.get("$ref"):
        found = document()
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
    return found


def only_example(content: Schema) -> Any:
    (example,) = content["examples"].values()
    return example["value"]


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def prose(text: str) -> SafeString:
    """Return a text with what stands in backticks as code."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>" if at % 2 else "{}", part),) for at, part in parts),
    )


def example(name: str) -> str:
    """Return an example program, with the address of this service."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return text.replace(EXAMPLE_BASE_URL, settings.APP_URL)
