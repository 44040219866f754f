"""The page /docs/, made from the OpenAPI document, the examples and the template page.html."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from reference.schema import FOLDER, example

LANGUAGES = {"py": "Python", "mjs": "Node", "php": "PHP"}  # by a sample's suffix
PROGRAMS = ("partner_api.py", "partner-api.mjs", "partner_api.php")
CURL = """\
curl -sS "$BASE_URL/partner/{name}" \\
  -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" \\
  -H 'Content-Type: application/json' -H 'Accept: application/json' \\
  --data @- <<JSON
{body}
JSON
"""
RECEIVERS = ("webhook_receiver.py", "webhook_receiver.mjs", "webhook_receiver.php")
GENERATORS = {
    "typescript": "TypeScript, by openapi-typescript and openapi-fetch",
    "python": "Python, by openapi-python-client",
    "php": "PHP, by OpenAPI Generator",
    "java": "Java, by OpenAPI Generator",
}


def render(document: dict[str, Any]) -> str:
    """Return the page as a template that extends docs/base.html."""
    calls = {path: item["post"] for path, item in document["paths"].items()}
    schemas = document["components"]["schemas"]
    link = next(iter(calls.values()))
    failures = [_example(answer) for status, answer in link["responses"].items() if status != "200"]
    # The page has its own introduction.
    _, *about, edges = document["info"]["description"].split("\n\n")
    # Every operation has these; what one alone has is in its own section.
    headers: dict[str, str] = {}
    for answer in next(reversed(calls.values()))["responses"].values():
        headers |= _headers(answer)
    operations = [_operation(path, call, headers, schemas) for path, call in calls.items()]
    context = {
        "app_url": settings.APP_URL,
        "support_email": settings.SUPPORT_EMAIL,
        "about": about,
        "edges": edges,
        "request_id": next(
            each["description"] for each in link["parameters"] if each["name"] == "X-Request-ID"
        ),
        "quickstart": example("quickstart.sh"),
        "environment": example("environment.sh"),
        "first_answer": next(
            each["answer"] for each in operations if each["name"] == "check-credentials"
        ),
        "operations": operations,
        "headers": headers,
        "programs": [_sample(name) for name in PROGRAMS],
        "receivers": [_sample(name) for name in RECEIVERS],
        "event": example("webhook_event.json"),
        "signature": example("webhook_signature.txt"),
        "integration": example("test_integration.py"),
        # the lines that generate a client and give it its credentials
        "clients": [
            (name, (FOLDER / "clients" / f"{file}.txt").read_text(encoding="utf-8").splitlines())
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
    return render_to_string("page.html", context)


def _operation(
    path: str, call: dict[str, Any], shared_headers: dict[str, str], schemas: dict[str, Any]
) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    answer = call["responses"]["200"]
    returned = _headers(answer)
    response = _schema(answer, schemas)
    return {
        "name": name,
        "path": path,
        "summary": call["summary"],
        "description": call["description"].split("\n\n"),
        "request": _schema(call["requestBody"], schemas),
        "response": response,
        "parts": list(_parts(response, schemas)),
        "sent": [each for each in call["parameters"] if each["name"] != "X-Request-ID"],
        "returned": {each: returned[each] for each in returned if each not in shared_headers},
        "samples": [
            {"language": "curl", "text": _curl_sample(name, call)},
            *(_sample(f"{name}.{suffix}") for suffix in LANGUAGES),
        ],
        "answer": _json(_example(answer)),
    }


def _curl_sample(name: str, call: dict[str, Any]) -> str:
    """Return a command that sends the example of an operation."""
    body = {**_example(call["requestBody"]), "projectId": "$PROJECT_ID"}
    return CURL.format(name=name, body=_json(body))


def _headers(answer: dict[str, Any]) -> dict[str, str]:
    return {name: header["description"] for name, header in answer.get("headers", {}).items()}


def _parts(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the objects in an answer and in each of its lists, and those in these."""
    for name, field in schema["properties"].items():
        [one] = field.get("allOf", [field.get("items", {})])
        if inner := _component(one, schemas):
            yield {"name": name, "schema": inner, "is_list": "items" in field}
            yield from _parts(inner, schemas)


def _schema(body: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the object in a body, or of each object in its array."""
    schema = body["content"]["application/json"]["schema"]
    return _component(schema.get("items", schema), schemas)


def _component(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference names; empty if it is none.

    A field that is itself a reference gets the schema that it names.
    """
    found: dict[str, Any] = schemas.get(schema.get("$ref", "").rpartition("/")[2], {})
    if not found:
        return {}
    fields = {
        name: {**_component(field["allOf"][0], schemas), **field} if "allOf" in field else field
        for name, field in found["properties"].items()
    }
    return {**found, "properties": fields}


def _example(body: dict[str, Any]) -> Any:
    return next(iter(body["content"]["application/json"]["examples"].values()))["value"]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _sample(name: str) -> dict[str, str]:
    return {"language": LANGUAGES[name.rpartition(".")[2]], "text": example(name)}
