"""The operations as a Postman collection, from the OpenAPI document.

The format: https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
"""

from __future__ import annotations

import json
from typing import Any

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
# Postman asks for these; it does not share what is typed in as a current value.
VARIABLES = ("projectId", "tokenId", "tokenSecret")
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "X-Access-Token": "{{tokenId}}:{{tokenSecret}}",
}


def collection(document: dict[str, Any]) -> dict[str, Any]:
    """Return the collection of the operations of an OpenAPI document."""
    server = document["servers"][0]["url"]
    return {
        "info": {
            "name": document["info"]["title"],
            "description": document["info"]["description"],
            "schema": SCHEMA,
        },
        "variable": [
            {"key": "baseUrl", "value": server},
            *({"key": name, "value": ""} for name in VARIABLES),
        ],
        "item": [_item(path, item["post"]) for path, item in document["paths"].items()],
    }


def _item(path: str, call: dict[str, Any]) -> dict[str, Any]:
    request = _request(path, call)
    return {
        "name": call["summary"],
        "request": request,
        "response": [
            _response(int(status), name, example["value"], request)
            for status, answer in call["responses"].items()
            for name, example in _content(answer)["examples"].items()
        ],
    }


def _request(path: str, call: dict[str, Any]) -> dict[str, Any]:
    [example] = _content(call["requestBody"])["examples"].values()
    body = {**example["value"], "projectId": "{{projectId}}"}
    return {
        "method": "POST",
        "header": [{"key": name, "value": value} for name, value in HEADERS.items()],
        "body": {
            "mode": "raw",
            "raw": json.dumps(body, indent=2, ensure_ascii=False),
            "options": {"raw": {"language": "json"}},
        },
        "url": {
            "raw": f"{{{{baseUrl}}}}{path}",
            "host": ["{{baseUrl}}"],
            "path": path.strip("/").split("/"),
        },
        "description": call["description"],
    }


def _response(status: int, name: str, body: Any, request: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "originalRequest": request,
        "code": status,
        "header": [{"key": "Content-Type", "value": "application/json"}],
        "body": json.dumps(body, indent=2, ensure_ascii=False),
    }


def _content(described: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = described["content"]["application/json"]
    return content
