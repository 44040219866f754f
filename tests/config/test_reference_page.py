"""/openapi.json and the pages under /docs/: this service's values, and what it does."""

import html
import json
import re

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from assessments.api import serializers
from assessments.models import identity
from assessments.models.identity import new_url_secret
from tests.assessments.attempts import issue, token_of
from tests.assessments.partner import LINK, RESULTS, assert_valid, openapi

# What a real credential or link looks like; placeholders must not.
CREDENTIAL = re.compile(r"tok_[0-9A-Za-z]{16}|sec_[0-9A-Za-z]{20,}|token=[0-9A-Za-z_-]{22}")
PAGES = ["/openapi.json", "/docs/", "/docs/changelog", "/"]


def attributes(page, name):
    return re.findall(rf'<[a-z][^>]*\s{name}="([^"]*)"', page)


def test_the_file_and_the_page_have_the_values_of_this_service(client, settings):
    settings.APP_URL = "https://assess.example.org"
    settings.SUPPORT_EMAIL = "o'brien@example.org"
    settings.LINK_RATE_PER_MINUTE = 7

    response = client.get("/openapi.json", headers={"Host": "localhost"})
    page = client.get("/docs/").text

    document = response.json()
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert document["openapi"].startswith("3.")
    assert document["servers"] == [{"url": "https://assess.example.org"}]
    assert document["info"]["contact"]["email"] == "o'brien@example.org"
    assert document["info"]["version"] == settings.VERSION
    described = document["paths"]["/partner/get-redirect-url"]["post"]["description"]
    assert "may make 7 calls" in described
    assert "mailto:o&#x27;brien@example.org" in page
    assert "may make 7 calls" in page
    assert "{{" not in response.text + page


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


def messages(client):
    """Return the samples of messages: SMS, WhatsApp, Telegram, e-mail."""
    page = client.get("/docs/").text
    [section] = re.findall(r'<section aria-labelledby="messages">(.*?)</section>', page, re.DOTALL)
    found = re.findall(r"<code>([^<]*)</code></pre>", section)
    return [html.unescape(text) for text in found]


def test_each_message_of_the_page_carries_the_link_whole(client, project):
    url = issue(project)[1]
    token = token_of(url)

    filled = [
        re.sub(r"(?<=token=)(\{#var#\}|\{\{1\}\}|the-link-token)", token, text)
        for text in messages(client)
    ]

    assert len(filled) == 4
    filled = [text.replace("prj_xxxxxxxxxxxxxxxx", project.project_id) for text in filled]
    assert [re.findall(r'http[^\s"<>\\]+', text) for text in filled] == [[url]] * 4
    assert url in json.loads(filled[1])["url"]
    assert url in json.loads(filled[2])["text"].splitlines()


# The basic character set of 3GPP TS 23.038 that messages in ASCII may use: each counts as one.
GSM = re.compile(r"[A-Za-z0-9 \n@$_!\"#%&'()*+,\-./:;<=>?]*")
OF_A_VARIABLE, OF_ONE_SMS = 30, 160


def test_an_sms_template_has_the_start_of_the_link_and_its_token_as_a_variable(client, settings):
    settings.APP_URL = "https://assessments.example.com"
    template, *_ = messages(client)
    tokens = [new_url_secret() for _ in range(1000)]

    assert template.count("{#var#}") == 2
    assert max(map(len, tokens)) <= OF_A_VARIABLE
    assert not [token for token in tokens if token[-1] in "-_"]
    for token in tokens:
        text = template.replace("{#var#}", "Asha", 1).replace("{#var#}", token)
        assert GSM.fullmatch(text) and len(text) <= OF_ONE_SMS


def test_the_page_has_the_members_of_every_object_of_an_answer(client):
    tables = attributes(client.get("/docs/").text, "aria-label")

    assert {"Outcome", "Courses", "Links", "Assessments", "Failures", "Fields"} <= set(tables)


def test_the_two_specified_operations_have_the_specified_fields_and_no_others():
    record = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]
    specified = {
        "LinkRequest": ["projectId", "name", "email", "mobile"],
        "ResultsRequest": ["projectId", "email"],
        "RedirectUrl": ["redirect-url"],
        "Assessment": record,
    }

    assert list(openapi()["paths"])[:2] == [LINK, RESULTS]
    for name, fields in specified.items():
        schema = openapi()["components"]["schemas"][name]
        assert list(schema["properties"]) == fields
        assert sorted(schema["required"]) == sorted(fields)
        assert name.endswith("Request") or schema["additionalProperties"] is False


def test_every_example_is_as_its_schema_says():
    for item in openapi()["paths"].values():
        for body in (item["post"]["requestBody"], *item["post"]["responses"].values()):
            content = body["content"]["application/json"]
            for described in content["examples"].values():
                assert_valid(described["value"], content["schema"])


# Marks that copying adds are read over; they make a text longer than what is read.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=identity.MARKS)) | (
    st.text("+() -0123459a" + "".join(map(chr, identity.IN_ASCII.keys())), max_size=25)
)


def accepts(name, value):
    try:
        serializers.LinkRequest().fields[name].run_validation(value)
    except ValidationError:
        return False
    return True


def test_every_pattern_is_ascii():
    """An engine that matches bytes, as PHP's does without a flag, takes apart other characters."""
    patterns = re.findall(r'"pattern": "[^"]*"', json.dumps(openapi(), ensure_ascii=False))

    assert len(patterns) >= 5
    assert "".join(patterns).isascii()


@pytest.mark.parametrize("name", ["name", "mobile"])
@given(value=TEXTS.map(identity.trimmed))
@example(value="98765.43201")
@example(value="९८७६५\xa0४३२०१")
@example(value="1" * 20)
@example(value="x" * 200)
@example(value="Asha\xa0Rao")
def test_the_document_forbids_nothing_that_a_field_accepts(name, value):
    rules = openapi()["components"]["schemas"]["LinkRequest"]["properties"][name]
    if not accepts(name, value):
        return

    assert jsonschema.Draft202012Validator(rules).is_valid(value)
    # Also to an engine that matches bytes.
    assert re.search(rules["pattern"].encode(), value.encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [("name", ""), ("name", "x" * 201), ("mobile", "12345"), ("mobile", "1" * 21)],
)
def test_the_document_forbids_what_is_too_short_or_too_long(name, value):
    rules = openapi()["components"]["schemas"]["LinkRequest"]["properties"][name]

    assert not jsonschema.Draft202012Validator(rules).is_valid(value)
    assert not accepts(name, value)
