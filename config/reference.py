"""The OpenAPI file, and the reference page for partner developers that is rendered from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

EXAMPLES = Path(settings.BASE_DIR) / "templates" / "docs" / "examples"
EXAMPLE_BASE_URL = "https://assessments.example.com"


@require_safe
@cache_control(public=True, max_age=300)
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(openapi_file(), content_type="application/json")


@require_safe
@cache_control(public=True, max_age=300)
def reference(request: HttpRequest) -> HttpResponse:
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
    """Return the page, which is the same for everybody."""
    made = document()
    calls = {path: item["post"] for path, item in made["paths"].items()}
    schemas = made["components"]["schemas"]
    link = next(iter(calls.values()))
    failures = [_example(answer) for status, answer in link["responses"].items() if status != "200"]
    context = {
        "app_url": settings.APP_URL,
        "support_email": settings.SUPPORT_EMAIL,
        # The page has its own introduction.
        "about": made["info"]["description"].split("\n\n")[1:],
        "request_id": next(
            each["description"] for each in link["parameters"] if each["name"] == "X-Request-ID"
        ),
        "setup": example("setup.sh"),
        "operations": [_operation(path, call) for path, call in calls.items()],
        "python": example("partner_api.py"),
        "node": example("partner-api.mjs"),
        "problem": schemas["Problem"],
        "problem_examples": [
            (f"{each['status']} {each['title']}", _json(each)) for each in failures
        ],
        "field_error": schemas["FieldError"],
        "codes": schemas["Problem"]["properties"]["code"]["x-codes"],
        "advice": schemas["LinkStatus"]["properties"]["Advice"]["x-codes"],
        "reasons": schemas["Problem"]["properties"]["reason"]["x-reasons"],
        "field_codes": schemas["FieldError"]["properties"]["code"]["x-codes"],
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
        "description": call["description"].split("\n\n"),
        "request": _schema(call["requestBody"]),
        "response": _schema(answer),
        "lists": list(_lists(_schema(answer))),
        "curl": example(f"{name}.sh"),
        "answer": _json(_example(answer)),
    }


def _lists(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and schema of the objects in each list of an answer."""
    for name, field in schema["properties"].items():
        item = field.get("items", {}).get("$ref", "").rpartition("/")[2]
        if item:
            yield name, document()["components"]["schemas"][item]


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the object in a body, or of each object in its array."""
    schema = body["content"]["application/json"]["schema"]
    name = schema.get("items", schema)["$ref"].rpartition("/")[2]
    found: dict[str, Any] = document()["components"]["schemas"][name]
    return found


def _example(body: dict[str, Any]) -> Any:
    """Return the first example of a body."""
    return next(iter(body["content"]["application/json"]["examples"].values()))["value"]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def example(name: str) -> str:
    """Return an example program, with the address of this service."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    return text.replace(EXAMPLE_BASE_URL, settings.APP_URL)
