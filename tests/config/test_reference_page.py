"""/openapi.json, the pages under /docs/ and the documents: unchanged on purpose, links lead on."""

import json
import re
from pathlib import Path

import pytest

from config import docs_views

# What a real credential or link looks like; placeholders must not.
CREDENTIAL = re.compile(r"tok_[0-9A-Za-z]{16}|sec_[0-9A-Za-z]{20,}|token=[0-9A-Za-z_-]{43}")
PAGES = ["/openapi.json", "/docs/", "/docs/changelog", "/"]
SNAPSHOT = Path(__file__).with_name("openapi.json")
PROSE = {"description", "summary", "title", "example", "examples"}


@pytest.fixture(autouse=True)
def _made_anew():
    """Forget what was made with the settings of another test."""
    made = (docs_views.document, docs_views.openapi_file, docs_views.reference_page)
    for function in made:
        function.cache_clear()
    yield
    for function in made:
        function.cache_clear()


def attributes(page, name):
    return re.findall(rf'<[a-z][^>]*\s{name}="([^"]*)"', page)


def without_prose(node):
    if isinstance(node, list):
        return [without_prose(each) for each in node]
    if isinstance(node, dict):
        # A schema's member may have such a name; only prose is a text, or a table of examples.
        return {
            name: without_prose(each)
            for name, each in node.items()
            if name not in PROSE or (isinstance(each, dict) and "type" in each)
        }
    return node


def test_paths_fields_types_and_statuses_of_the_api_are_as_they_were():
    """If you changed one on purpose, write the new ones to openapi.json, and tell partners."""
    document = without_prose(docs_views.document())
    shared = {"paths": document["paths"], "components": document["components"]}

    assert json.loads(json.dumps(shared)) == json.loads(SNAPSHOT.read_text())


def test_the_file_is_json_with_the_address_of_the_service(client, settings):
    settings.APP_URL = "https://assess.example.org"

    response = client.get("/openapi.json", headers={"Host": "localhost"})

    document = response.json()
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert document["openapi"].startswith("3.")
    assert document["servers"] == [{"url": "https://assess.example.org"}]
    assert document["info"]["contact"]["email"] == settings.SUPPORT_EMAIL


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_only_read_and_has_no_secret(client, settings, path):
    response = client.get(path)

    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert not response.cookies
    assert not CREDENTIAL.search(response.text.replace("x" * 16, "").replace("y" * 16, ""))
    assert settings.SECRET_KEY not in response.text
    assert (client.post(path).status_code, client.head(path).status_code) == (405, 200)


def test_the_links_within_the_page_and_of_each_failure_lead_somewhere(client, settings):
    page = client.get("/docs/").text
    problem = client.post("/partner/get-redirect-url", {}, "application/json").json()

    ids, links = attributes(page, "id"), attributes(page, "href")
    assert len(ids) == len(set(ids)) > 20
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert problem["type"] == f"{settings.APP_URL}/docs/#{problem['code']}"
    assert problem["code"] in ids
