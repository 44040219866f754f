"""/openapi.json and the pages under /docs/: public, the same for everybody, without a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from config import reference

# What a real credential or link looks like; placeholders must not.
CREDENTIAL = re.compile(r"(tok_[0-9A-Za-z]{16}|sec_[0-9A-Za-z]{20,})")
PAGES = ["/openapi.json", "/docs/", "/docs/changelog"]
LINK_TOKEN = re.compile(r"token=[0-9A-Za-z_-]{43}")


@pytest.fixture(autouse=True)
def _made_anew() -> Iterator[None]:
    """Forget what was made with the settings of another test."""
    made = (reference.document, reference.openapi_file, reference.reference_page)
    for function in made:
        function.cache_clear()
    yield
    for function in made:
        function.cache_clear()


class _Tags(HTMLParser):
    """The tags of a page with their attributes, its text, and the text of each row's header."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.rows: list[str] = []
        self._in_header = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "th":
            self.rows.append("")
            self._in_header = True

    def handle_endtag(self, tag: str) -> None:
        self._in_header &= tag != "th"

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_header:
            self.rows[-1] += data


def test_the_file_is_json_for_anybody(client: Client) -> None:
    response = client.get("/openapi.json")

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert response.json()["openapi"].startswith("3.")
    assert not response.cookies


def test_the_file_has_the_address_of_the_service(client: Client, settings: Any) -> None:
    settings.APP_URL = "https://assess.example.org"

    document = client.get("/openapi.json", headers={"Host": "localhost"}).json()

    assert document["servers"] == [{"url": "https://assess.example.org"}]
    assert document["info"]["contact"]["email"] == settings.SUPPORT_EMAIL


@pytest.mark.parametrize("path", PAGES)
def test_only_reading_is_allowed(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_no_secret_is_in_it(client: Client, settings: Any, path: str) -> None:
    text = client.get(path).content.decode()

    assert not CREDENTIAL.search(text.replace("x" * 16, "").replace("y" * 16, ""))
    assert not LINK_TOKEN.search(text)
    assert settings.SECRET_KEY not in text


@pytest.mark.parametrize("path", ["/docs/", "/docs/changelog"])
def test_the_page_has_no_inline_script_or_style(client: Client, path: str) -> None:
    page = _Tags(client.get(path).content.decode())

    assert "style" not in {tag for tag, _ in page.tags}
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert [script["src"] for script in scripts] == ["/static/docs.js"]
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag
        for name in ("src", "href"):
            target = attributes.get(name) or "/"
            assert target.startswith(("/", "#", "mailto:")), target


def test_each_failure_points_to_its_explanation(client: Client, settings: Any) -> None:
    page = _Tags(client.get("/docs/").content.decode())
    ids = [attributes.get("id") for _, attributes in page.tags]

    problem = client.post("/partner/get-redirect-url", {}, "application/json").json()

    address, _, anchor = problem["type"].partition("#")
    assert address == f"{settings.APP_URL}/docs/"
    assert anchor == problem["code"]
    assert anchor in ids


def test_the_links_within_the_page_lead_somewhere(client: Client) -> None:
    page = _Tags(client.get("/docs/").content.decode())
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]

    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        if (target := attributes.get("href") or "").startswith("#"):
            assert target[1:] in ids


def test_the_page_shows_every_field_and_code_of_the_file(client: Client) -> None:
    page = _Tags(client.get("/docs/").content.decode())
    schemas = client.get("/openapi.json").json()["components"]["schemas"]

    names = {name for schema in schemas.values() for name in schema["properties"]}
    codes = {
        code["code"]
        for name in ("Problem", "FieldError")
        for code in schemas[name]["properties"]["code"]["x-codes"]
    }

    assert {"redirect-url", "AssessmentDuration", "mobile", "requestId"} <= names
    assert names | codes <= {row.removesuffix("optional") for row in page.rows}
    assert {"errorsoptional", "reasonoptional"} <= set(page.rows)
