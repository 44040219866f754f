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
from partners.plain_text import fault_of
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


# What a field of a request accepts, by the document and by the serializer, of a trimmed value.
# The pattern of a name is pure ASCII and allows these; its words refuse them.
# What copying adds, and digits of other scripts, are read as something else.
READ_OTHERWISE = {*identity.AT_ENDS, *map(chr, identity.IN_ASCII)} - {" "}
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=READ_OTHERWISE)
) | st.text("+() -0123459a", max_size=25)


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
@given(value=TEXTS.map(str.strip))
@example(value="+() -1")
@example(value="++++++")
@example(value="1" * 20)
@example(value="1" * 21)
@example(value="x" * 200)
@example(value="x" * 201)
@example(value="")
def test_a_field_accepts_exactly_what_the_document_allows(name, value):
    rules = openapi()["components"]["schemas"]["LinkRequest"]["properties"][name]
    allowed = jsonschema.Draft202012Validator(rules).is_valid(value)
    if name == "name":
        allowed = allowed and not fault_of(value)
    if not allowed or value.endswith("-") or value.startswith("-"):
        # A client that obeys the document may not be refused less than what the service takes.
        assert allowed or not accepts(name, value)
        return

    assert accepts(name, value)
    # Also by an engine that matches bytes.
    assert not allowed or re.search(rules["pattern"].encode(), value.encode())
