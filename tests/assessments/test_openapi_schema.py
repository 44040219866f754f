"""The OpenAPI file says what the service does.

`.ci/openapi.py --check` finds whether it is valid and as built. Answers and refusals are compared
with it wherever a test calls `Backend.read` or `assert_problem`.
"""

import json
import re

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from assessments.api import serializers
from assessments.models import identity
from tests.assessments.partner import LINK, RESULTS, assert_valid, openapi


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
