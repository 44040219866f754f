"""The OpenAPI file is valid, and it says what the service does."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from assessments.api import serializers
from assessments.models import ItemBank
from assessments.models.links import AssessmentLink
from partners.plain_text import is_plain_text
from tests.assessments.attempts import issue, use
from tests.assessments.partner import CANCEL, EVERY_OPERATION, LINK, OPERATIONS, RESULTS, Backend
from tests.support.browser import Browser

Schema = dict[str, Any]

CODES = {
    "missing_credentials": 401,
    "malformed_credentials": 401,
    "invalid_credentials": 401,
    "rate_limited": 429,
    "invalid_request": 400,
    "https_required": 400,
    "not_found": 404,
    "link_in_use": 409,
    "method_not_allowed": 405,
    "internal_error": 500,
}
FIELD_CODES = ["required", "blank", "not_a_string", "too_long", "invalid"]


@pytest.fixture(scope="module")
def document() -> Schema:
    generator = SchemaGenerator(urlconf="config.urls")
    made: Schema = generator.get_schema(request=None, public=True)
    return made


def check(document: Schema, schema: Schema, value: Any) -> None:
    """Raise unless the value is as the schema of the document says."""
    jsonschema.validate(
        value,
        as_json_schema({**schema, "components": document["components"]}),
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )


def as_json_schema(schema: Any) -> Any:
    """Write the `nullable` of OpenAPI 3.0 as JSON Schema does."""
    if isinstance(schema, list):
        return [as_json_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    written = {name: as_json_schema(value) for name, value in schema.items()}
    if written.pop("nullable", False):
        written["type"] = [written["type"], "null"]
    return written


def answer_schema(document: Schema, path: str, status: int) -> Schema:
    """Return the schema of an operation's answer."""
    response = document["paths"][path]["post"]["responses"][str(status)]
    schema: Schema = response["content"]["application/json"]["schema"]
    return schema


def failures(document: Schema, path: str = LINK) -> dict[int, Schema]:
    """Return the descriptions of an operation's failures, by status."""
    responses = document["paths"][path]["post"]["responses"]
    return {int(status): response for status, response in responses.items() if status != "200"}


def described_example(document: Schema, code: str) -> Schema:
    """Return the example body of a code."""
    for path in (LINK, CANCEL):
        for response in failures(document, path).values():
            for described in response["content"]["application/json"]["examples"].values():
                body: Schema = described["value"]
                if body["code"] == code:
                    return body
    raise AssertionError(f"no example of {code}")


def test_the_command_finds_no_fault(tmp_path: Any) -> None:
    file = tmp_path / "openapi.json"

    call_command(
        "spectacular", validate=True, fail_on_warn=True, format="openapi-json", file=str(file)
    )

    assert json.loads(file.read_text())["info"]["title"] == "Partner Assessment Service"


def test_it_has_all_operations_and_nothing_else(document: Schema) -> None:
    paths = document["paths"]

    scheme = document["components"]["securitySchemes"]["AccessToken"]

    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "header", "X-Access-Token")
    assert set(paths) == set(EVERY_OPERATION)
    assert list(paths)[:2] == list(OPERATIONS)
    assert all(list(item) == ["post"] for item in paths.values())


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_an_operation_names_every_status_it_can_give(document: Schema, path: str) -> None:
    operation = document["paths"][path]["post"]

    statuses = {"200", "400", "401", "404", "405", "429", "500"}
    assert set(operation["responses"]) - {"409"} == statuses
    assert operation["security"] == [{"AccessToken": []}]
    assert operation["requestBody"]["required"] is True
    assert list(operation["requestBody"]["content"]) == ["application/json"]
    more = ["X-Reference"] if path == LINK else []
    named = [parameter["name"] for parameter in operation["parameters"]]
    assert named == [*more, "X-Request-ID"]


def test_the_requests_have_the_wire_names_all_required(document: Schema) -> None:
    schemas = document["components"]["schemas"]

    link, results = schemas["LinkRequest"], schemas["ResultsRequest"]

    assert list(link["properties"]) == ["projectId", "name", "email", "mobile"]
    assert list(results["properties"]) == ["projectId", "email"]
    assert sorted(link["required"]) == sorted(link["properties"])
    assert sorted(results["required"]) == sorted(results["properties"])


def test_the_answers_have_the_wire_names_and_no_others(document: Schema) -> None:
    schemas = document["components"]["schemas"]
    record = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]

    for name, fields in (("RedirectUrl", ["redirect-url"]), ("Assessment", record)):
        assert list(schemas[name]["properties"]) == fields
        assert sorted(schemas[name]["required"]) == sorted(fields)
        assert schemas[name]["additionalProperties"] is False


def test_every_code_is_described_with_its_status(document: Schema) -> None:
    schemas = document["components"]["schemas"]
    code = schemas["Problem"]["properties"]["code"]
    field_code = schemas["FieldError"]["properties"]["code"]

    assert {entry["code"]: entry["status"] for entry in code["x-codes"]} == CODES
    assert [entry["code"] for entry in field_code["x-codes"]] == FIELD_CODES
    for told, known in ((code, CODES), (field_code, FIELD_CODES)):
        assert all(f"`{name}`" in told["description"] for name in known)
    for name, status in CODES.items():
        assert described_example(document, name)["status"] == status


def test_a_code_or_status_of_tomorrow_is_as_the_schema_says(document: Schema) -> None:
    body = {
        **described_example(document, "invalid_request"),
        "status": 503,
        "code": "closed_for_an_hour",
        "errors": [{"field": "name", "code": "too_good", "detail": "It is."}],
        "more": True,
    }

    check(document, {"$ref": "#/components/schemas/Problem"}, body)


@pytest.mark.parametrize("path", EVERY_OPERATION)
@pytest.mark.parametrize("status", [400, 401, 404, 405, 429, 500])
def test_the_headers_of_a_failure_are_described(document: Schema, status: int, path: str) -> None:
    counted = ["RateLimit-Policy", "RateLimit", "X-Token-Ends"]
    more = {
        401: ["WWW-Authenticate"],
        405: ["Allow"],
        429: ["Retry-After"],
        500: ["Retry-After"],
    }

    headers = failures(document, path)[status]["headers"]

    may_come = [] if status in {405, 500} else counted
    assert list(headers) == ["X-Request-ID", *may_come, *more.get(status, [])]
    assert [name for name in headers if not headers[name].get("required")] == may_come


def test_every_example_is_as_its_schema_says(document: Schema) -> None:
    contents = [
        body["content"]["application/json"]
        for item in document["paths"].values()
        for body in (item["post"]["requestBody"], *item["post"]["responses"].values())
    ]

    for content in contents:
        for described in content["examples"].values():
            check(document, content["schema"], described["value"])


def test_real_answers_are_as_the_schema_says(
    document: Schema, api: Backend, bank: ItemBank
) -> None:
    link = api.link()
    browser = Browser()
    browser.finish(browser.start(link.json()["redirect-url"].removeprefix("http://testserver")))
    results = api.results()

    check(document, answer_schema(document, LINK, 200), link.json())
    check(document, answer_schema(document, RESULTS, 200), results.json())
    assert len(results.json()) == 1
    assert AssessmentLink.objects.get().used_at


def provoked(code: str, api: Backend, settings: Any) -> HttpResponse:
    """Make a call that fails with this code."""
    unknown = f"tok_{'0' * 16}:{api.credential.partition(':')[2]}"
    body = api.link_body()
    match code:
        case "invalid_request":
            return api.post(LINK, {**body, "name": " ", "mobile": 5})
        case "https_required":
            settings.SECURE_COOKIES = True
            return api.link()
        case "missing_credentials":
            return api.post(LINK, body, headers={"X-Access-Token": None})
        case "malformed_credentials":
            return api.post(LINK, body, headers={"X-Access-Token": api.credential[:-1]})
        case "invalid_credentials":
            return api.post(LINK, body, headers={"X-Access-Token": unknown})
        case "not_found":
            return api.post(f"{LINK}/", body)
        case "method_not_allowed":
            return Client().get(LINK)
        case "link_in_use":
            link, _ = issue(api.project)
            use(link)
            return api.post(CANCEL, {"projectId": body["projectId"], "LinkId": link.link_id})
        case "rate_limited":
            settings.LINK_RATE_PER_MINUTE = 1
            api.link()
            return api.link()
        case "internal_error":
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(AssessmentLink, "url", None)
                return api.link()
    raise AssertionError(code)


@pytest.mark.django_db
@pytest.mark.parametrize("code", CODES)
def test_a_real_failure_is_as_its_example_says(
    code: str, document: Schema, api: Backend, bank: ItemBank, settings: Any
) -> None:
    told = described_example(document, code)

    response = provoked(code, api, settings)

    body = response.json()  # type: ignore[attr-defined]
    check(document, {"$ref": "#/components/schemas/Problem"}, body)
    assert set(body) == set(told)
    assert without_changing_parts(body) == without_changing_parts(told)
    path = CANCEL if code == "link_in_use" else LINK
    for header, described in failures(document, path)[response.status_code]["headers"].items():
        assert header in response.headers or not described.get("required")
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        assert int(response.headers["Retry-After"]) >= 1


def without_changing_parts(body: Mapping[str, Any]) -> Schema:
    kept = {name: value for name, value in body.items() if name not in ("requestId", "errors")}
    return {**kept, "detail": re.sub(r"\d+ s", "n s", body["detail"])}


# What a field of a request accepts, by the document and by the serializer, of a trimmed value.
# The pattern of a name is pure ASCII and allows these; its words refuse them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("+() -0123459a", max_size=25)


def patterns(schema: Any) -> Iterator[str]:
    """Yield every pattern in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        yield from itertools.chain.from_iterable(map(patterns, schema.values()))
    elif isinstance(schema, list):
        yield from itertools.chain.from_iterable(map(patterns, schema))


def test_every_pattern_is_ascii(document: Schema) -> None:
    """An engine that matches bytes, as PHP's does without a flag, takes apart other characters."""
    published = list(patterns(document))

    assert len(published) >= 5
    assert all(pattern.isascii() for pattern in published), published


@given(value=TEXTS.map(str.strip))
def test_a_name_that_we_accept_is_accepted_by_an_engine_that_matches_bytes(
    document: Schema, value: str
) -> None:
    rules = document["components"]["schemas"]["LinkRequest"]["properties"]["name"]

    if accepted(serializers.LinkRequest().fields["name"], value):
        assert re.search(rules["pattern"].encode(), value.encode())


@pytest.mark.parametrize("name", ["name", "mobile"])
@given(value=TEXTS.map(str.strip))
@example(value="+() -1")
@example(value="++++++")
@example(value="1" * 20)
@example(value="1" * 21)
@example(value="x" * 200)
@example(value="x" * 201)
@example(value="")
def test_a_field_accepts_exactly_what_the_document_allows(
    document: Schema, name: str, value: str
) -> None:
    rules = document["components"]["schemas"]["LinkRequest"]["properties"][name]
    allowed = jsonschema.Draft202012Validator(rules).is_valid(value)
    if name == "name":
        allowed = allowed and is_plain_text(value)

    field = serializers.LinkRequest().fields[name]

    assert accepted(field, value) is allowed


def accepted(field: Any, value: str) -> bool:
    try:
        field.run_validation(value)
    except ValidationError:
        return False
    return True
