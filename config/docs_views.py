"""The OpenAPI file, the pages for partner developers, and security.txt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from assessments.api.schema import DOCS, example

LANGUAGES = {"py": "Python", "mjs": "Node", "php": "PHP"}  # by a sample's suffix
PROGRAMS = ("partner_api.py", "partner-api.mjs", "partner_api.php")
RECEIVERS = ("webhook_receiver.py", "webhook_receiver.mjs", "webhook_receiver.php")
GENERATORS = {
    "typescript": "TypeScript, by openapi-typescript and openapi-fetch",
    "python": "Python, by openapi-python-client",
    "php": "PHP, by OpenAPI Generator",
    "java": "Java, by OpenAPI Generator",
}


@require_safe
@cache_control(public=True, max_age=300)
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(openapi_file(), content_type="application/json")


@require_safe
@cache_control(public=True, max_age=300)
def reference(request: HttpRequest) -> HttpResponse:
    return HttpResponse(reference_page())


@require_safe
@cache_control(public=True, max_age=300)
def page(request: HttpRequest, template: str) -> HttpResponse:
    return render(request, template)


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116). It expires half a year from today, so it is never stale."""
    expires = timezone.now() + timedelta(days=180)
    text = (
        f"Contact: mailto:{settings.SUPPORT_EMAIL}\nExpires: {expires:%Y-%m-%dT00:00:00Z}\n"
        f"Preferred-Languages: en\nCanonical: {settings.APP_URL}{reverse('security-txt')}\n"
    )
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


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
    made = document()
    calls = {path: item["post"] for path, item in made["paths"].items()}
    schemas = made["components"]["schemas"]
    link = next(iter(calls.values()))
    failures = [_example(answer) for status, answer in link["responses"].items() if status != "200"]
    # The page has its own introduction.
    _, *about, edges = made["info"]["description"].split("\n\n")
    # Every operation has these; what one alone has is in its own section.
    headers: dict[str, str] = {}
    for answer in next(reversed(calls.values()))["responses"].values():
        headers |= _headers(answer)
    operations = [_operation(path, call, headers) for path, call in calls.items()]
    context = {
        "app_url": settings.APP_URL,
        "support_email": settings.SUPPORT_EMAIL,
        "about": about,
        "edges": edges,
        "request_id": next(
            each["description"] for each in link["parameters"] if each["name"] == "X-Request-ID"
        ),
        "quickstart": example("quickstart.sh"),
        "first_answer": next(
            each["answer"] for each in operations if each["name"] == "check-credentials"
        ),
        "operations": operations,
        "headers": headers,
        "programs": [_sample(name) for name in PROGRAMS],
        "receivers": [_sample(name) for name in RECEIVERS],
        "event": example("webhook_event.json"),
        "integration": example("test_integration.py"),
        # the lines that generate a client and give it its credentials
        "clients": [
            (name, (DOCS / "clients" / f"{file}.txt").read_text(encoding="utf-8").splitlines())
            for file, name in GENERATORS.items()
        ],
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


def _operation(path: str, call: dict[str, Any], shared_headers: dict[str, str]) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    answer = call["responses"]["200"]
    returned = _headers(answer)
    return {
        "name": name,
        "path": path,
        "summary": call["summary"],
        "description": call["description"].split("\n\n"),
        "request": _schema(call["requestBody"]),
        "response": _schema(answer),
        "lists": list(_lists(_schema(answer))),
        "sent": [each for each in call["parameters"] if each["name"] != "X-Request-ID"],
        "returned": {each: returned[each] for each in returned if each not in shared_headers},
        "samples": [
            {"language": "curl", "text": curl_sample(name, call)},
            *(_sample(f"{name}.{suffix}") for suffix in LANGUAGES),
        ],
        "answer": _json(_example(answer)),
    }


def curl_sample(name: str, call: dict[str, Any]) -> str:
    """Return a command that sends the example of an operation. `call` is in quickstart.sh."""
    body = {**_example(call["requestBody"]), "projectId": "$PROJECT_ID"}
    return f"call {name} <<JSON\n{_json(body)}\nJSON\n"


def _headers(answer: dict[str, Any]) -> dict[str, str]:
    return {name: header["description"] for name, header in answer.get("headers", {}).items()}


def _lists(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and schema of the objects in each list of an answer, and in lists of these."""
    for name, field in schema["properties"].items():
        if inner := _component(field.get("items", {})):
            yield name, inner
            yield from _lists(inner)


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the object in a body, or of each object in its array."""
    schema = body["content"]["application/json"]["schema"]
    return _component(schema.get("items", schema))


def _component(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference names; empty if it is none."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document()["components"]["schemas"].get(name, {})
    return found


def _example(body: dict[str, Any]) -> Any:
    return next(iter(body["content"]["application/json"]["examples"].values()))["value"]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _sample(name: str) -> dict[str, str]:
    return {"language": LANGUAGES[name.rpartition(".")[2]], "text": example(name)}
