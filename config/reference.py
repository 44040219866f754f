"""The OpenAPI file, and the reference page for partner developers that is rendered from it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

EXAMPLES = Path(settings.BASE_DIR) / "templates" / "docs" / "examples"
EXAMPLE_BASE_URL = "https://assessments.example.com"


@require_safe
@cache_control(public=True, max_age=300)
def openapi(request: HttpRequest) -> HttpResponse:
    """Answer the OpenAPI file."""
    return HttpResponse(openapi_file(), content_type="application/json")


@require_safe
@cache_control(public=True, max_age=300)
def reference(request: HttpRequest) -> HttpResponse:
    """Answer the reference page."""
    return HttpResponse(reference_page())


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document. It cannot change while the process runs."""
    made: dict[str, Any] = SchemaGenerator(urlconf="config.urls").get_schema(public=True)
    return made


@cache
def openapi_file() -> bytes:
    return json.dumps(document(), indent=2).encode()


@cache
def reference_page() -> str:
    """Return the page. It is the same for everybody."""
    made = document()
    calls = {path: item["post"] for path, item in made["paths"].items()}
    link = next(iter(calls.values()))
    schemas = made["components"]["schemas"]
    failures = [answer for status, answer in link["responses"].items() if status != "200"]
    context = {
        "app_url": settings.APP_URL,
        "support_email": settings.SUPPORT_EMAIL,
        # The page has the first paragraph, what the service is, in words of its own.
        "about": _paragraphs(made["info"]["description"])[1:],
        "request_id": prose(link["parameters"][0]["description"]),
        "setup": example("setup.sh"),
        "operations": [_operation(path, call) for path, call in calls.items()],
        "python": example("partner_api.py"),
        "node": example("partner-api.mjs"),
        "problem": _fields(schemas["Problem"]),
        "problem_example": [
            (f"{body['status']} {body['title']}", pretty(body))
            for body in map(_first_example, failures)
        ],
        "field_error": _fields(schemas["FieldError"]),
        "codes": _codes(schemas["Problem"]),
        "field_codes": _codes(schemas["FieldError"]),
        "link_rate": settings.LINK_RATE_PER_MINUTE,
        "results_rate": settings.RESULTS_RATE_PER_MINUTE,
        "failures_rate": settings.FAILED_CREDENTIALS_PER_MINUTE,
    }
    return render_to_string("docs/reference.html", context)


def _operation(path: str, call: dict[str, Any]) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    answer = call["responses"]["200"]
    return {
        "name": name,
        "path": path,
        "summary": call["summary"],
        "description": _paragraphs(call["description"]),
        "request": _fields(call["requestBody"]["content"]["application/json"]["schema"]),
        "response": _fields(answer["content"]["application/json"]["schema"]),
        "curl": example(f"{name}.sh"),
        "answer": pretty(_first_example(answer)),
    }


def _fields(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table of an object's fields, or of the objects in an array."""
    schema = schema.get("items", schema)
    if "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return [
        {
            "name": name,
            "type": _type(field),
            "required": name in schema["required"],
            "description": prose(field["description"] + _length(field)),
        }
        for name, field in schema["properties"].items()
    ]


def _type(field: dict[str, Any]) -> str:
    if field["type"] == "array":
        return f"array of {field['items'].get('type', 'object')}s"
    return str(field["type"])


def _length(field: dict[str, Any]) -> str:
    if "maxLength" not in field:
        return ""
    return f" {field['minLength']} to {field['maxLength']} characters."


def _codes(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            name: prose(text) if name in ("meaning", "action") else text
            for name, text in code.items()
        }
        for code in schema["properties"]["code"]["x-codes"]
    ]


def _first_example(response: dict[str, Any]) -> Any:
    examples = response["content"]["application/json"]["examples"]
    return next(iter(examples.values()))["value"]


def _paragraphs(text: str) -> list[SafeString]:
    return [prose(paragraph) for paragraph in text.split("\n\n")]


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def prose(text: str) -> SafeString:
    """Return a text with its backticks turned into <code>."""
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
