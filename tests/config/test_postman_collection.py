"""/docs/postman.json: the operations as a Postman collection, format 2.1."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from config import reference

FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


@pytest.fixture
def collection(client: Client) -> dict[str, Any]:
    response = client.get("/docs/postman.json")
    assert response.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = response.json()
    return found


def filled_in(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def test_it_has_every_operation(collection: dict[str, Any]) -> None:
    paths = ["/" + "/".join(item["request"]["url"]["path"]) for item in collection["item"]]

    assert collection["info"]["schema"] == FORMAT
    assert paths == list(reference.document()["paths"])
    assert len({item["name"] for item in collection["item"]}) == len(paths)


def test_its_requests_need_the_variables_alone(collection: dict[str, Any], settings: Any) -> None:
    variables = {each["key"]: each["value"] for each in collection["variable"]}
    assert variables == {
        "baseUrl": settings.APP_URL,
        "projectId": "",
        "tokenId": "",
        "tokenSecret": "",
    }
    values = {**variables, "projectId": "prj_1", "tokenId": "tok_1", "tokenSecret": "sec_1"}

    for item in collection["item"]:
        request = item["request"]
        text = filled_in(json.dumps(request), values)
        assert "{{" not in text
        headers = {each["key"]: each["value"] for each in json.loads(text)["header"]}
        assert headers == {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-Access-Token": "tok_1:sec_1",
        }
        assert request["method"] == "POST"
        assert json.loads(filled_in(request["body"]["raw"], values))["projectId"] == "prj_1"


def test_it_shows_the_example_answers(collection: dict[str, Any]) -> None:
    for item in collection["item"]:
        codes = [response["code"] for response in item["response"]]
        assert {200, 400, 401, 429, 500} <= set(codes)
        for response in item["response"]:
            assert json.loads(response["body"])
