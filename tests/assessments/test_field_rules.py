"""What each field of a request must be, and the code that says what it is not."""

from __future__ import annotations

from typing import Any

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments import identity
from assessments.models import AssessmentLink, Student
from tests.assessments.partner import LINK, OPERATIONS, RESULTS, Backend, assert_problem

FIELDS = {LINK: ["projectId", "name", "email", "mobile"], RESULTS: ["projectId", "email"]}
EVERY_FIELD = [(path, field) for path in OPERATIONS for field in FIELDS[path]]
NOT_STRINGS = [None, 9876543210, True, ["a"], {}]
LONGEST = {"projectId": 64, "name": 200, "email": 254, "mobile": 20}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("path", "field"), EVERY_FIELD)
def test_a_missing_field(api: Backend, path: str, field: str) -> None:
    body = api.body(path)
    del body[field]

    response = api.post(path, body)

    assert_problem(response, 400, "invalid_request", [(field, "required")])
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("value", ["", "\t\n", "\u3000"])
@pytest.mark.parametrize(("path", "field"), EVERY_FIELD)
def test_a_blank_field(api: Backend, path: str, field: str, value: str) -> None:
    response = api.post(path, api.body(path, **{field: value}))

    assert_problem(response, 400, "invalid_request", [(field, "blank")])
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("value", NOT_STRINGS, ids=repr)
@pytest.mark.parametrize(("path", "field"), EVERY_FIELD)
def test_a_field_that_is_no_string(api: Backend, path: str, field: str, value: Any) -> None:
    response = api.post(path, api.body(path, **{field: value}))

    body = assert_problem(response, 400, "invalid_request", [(field, "not_a_string")])
    assert body["errors"][0]["detail"] == "This field must be a string."
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize(("path", "field"), EVERY_FIELD)
def test_a_field_that_is_too_long(api: Backend, path: str, field: str) -> None:
    too_long = ("1" * (LONGEST[field] + 1)) if field != "email" else f"{'a' * 249}@x.com"

    response = api.post(path, api.body(path, **{field: too_long}))

    assert_problem(response, 400, "invalid_request", [(field, "too_long")])


def test_all_faults_are_named_at_once_in_the_order_of_the_fields(api: Backend) -> None:
    body = {"projectId": 1, "name": "", "email": "x"}

    response = api.post(LINK, body)

    assert_problem(
        response,
        400,
        "invalid_request",
        [
            ("projectId", "not_a_string"),
            ("name", "blank"),
            ("email", "invalid"),
            ("mobile", "required"),
        ],
    )


@pytest.mark.parametrize(
    "name",
    [
        "x" * 200,
        "  Asha Rao  ",
        "आशा राव",
        "க்\u200dஷ",
        "O'Neil-Smith, Jr.",
        "𠮷田",
        "<script>",
        "Ａｓｈａ",
        "Asha 👩🏽\u200d🎓",
    ],
)
def test_a_name_that_is_accepted(api: Backend, name: str) -> None:
    response = api.link(name=name)

    assert response.status_code == 200
    assert AssessmentLink.objects.get().name == name.strip()
    assert Student.objects.get().name == name.strip()


@pytest.mark.parametrize(
    "character",
    [
        *(chr(code) for code in (0x01, 0x1F, 0x7F, 0x9F)),
        "\n",
        "\u2028",
        "\u200e",
        *"\u202a\u202e\u2066\u2069",
        *"\u00ad\u200b\u2060\ufeff\U000e0041",
        *"\ue000\U0010fffd\u0378\uffff",
    ],
    ids=lambda character: f"U+{ord(character):04X}",
)
def test_a_name_with_a_character_that_hides_or_turns_text(api: Backend, character: str) -> None:
    response = api.link(name=f"Asha{character}Rao")

    assert_problem(response, 400, "invalid_request", [("name", "invalid")])
    assert not Student.objects.exists()


@pytest.mark.parametrize(
    "name", ["\u200d", "\u200c \u200c", "\u0301", "\u093f\u094d", "\u3164"], ids=ascii
)
def test_a_name_that_nobody_can_see(api: Backend, name: str) -> None:
    response = api.link(name=name)

    body = assert_problem(response, 400, "invalid_request", [("name", "invalid")])
    assert "visible character" in body["errors"][0]["detail"]
    assert not Student.objects.exists()


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("+91 98765 43210", "+919876543210"),
        ("9876543210", "+919876543210"),
        ("(080) 1234 5678", "+918012345678"),
        ("+1 (202) 555-0143", "+12025550143"),
        ("123456", "+91123456"),
        ("00000000000000000000", "00000000000000000000"),
        ("+999 123456789", "+999 123456789"),
        ("  9876543210  ", "+919876543210"),
    ],
)
def test_a_mobile_that_is_accepted(api: Backend, written: str, normal: str) -> None:
    response = api.link(mobile=written)

    assert response.status_code == 200
    assert AssessmentLink.objects.get().mobile == written.strip()
    assert Student.objects.get().mobile == normal
    assert identity.normal_mobile(written.strip()) == normal


@given(
    st.sampled_from(["", "+91", "+91 ", "+91-"]),
    st.from_regex(r"[6-9][0-9]{4}", fullmatch=True),
    st.sampled_from(["", " ", "-"]),
    st.from_regex(r"[0-9]{5}", fullmatch=True),
)
def test_an_indian_mobile_read_at_once_is_what_phonenumbers_makes_of_it(
    country: str, head: str, between: str, tail: str
) -> None:
    text = country + head + between + tail
    number = phonenumbers.parse(text, identity.DEFAULT_REGION)
    assert phonenumbers.is_possible_number(number)

    normal = identity.normal_mobile(text)

    assert normal == phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


@pytest.mark.parametrize(
    "mobile",
    [
        "12345",
        "98765x43210",
        "९८७६५४३२१०",
        "98765\u00a043210",
        "98765.43210",
        "987654\n3210",
        "+91;9876543",
        "      +     ()",
    ],
)
def test_a_mobile_that_is_refused(api: Backend, mobile: str) -> None:
    response = api.link(mobile=mobile)

    assert_problem(response, 400, "invalid_request", [("mobile", "invalid")])
    assert not Student.objects.exists()


@pytest.mark.parametrize("path", OPERATIONS)
def test_a_project_id_is_trimmed(api: Backend, path: str) -> None:
    response = api.post(path, api.body(path, projectId=f"  {api.project.project_id}\n"))

    assert response.status_code == 200


@pytest.mark.parametrize("path", OPERATIONS)
def test_unknown_fields_are_ignored(api: Backend, path: str) -> None:
    body = api.body(path, next="https://evil.example", nested={"a": [1, None]}, id=7)

    response = api.post(path, body)

    assert response.status_code == 200


def test_fields_are_known_by_their_exact_names(api: Backend) -> None:
    body = api.link_body()
    body["ProjectId"] = body.pop("projectId")
    body["Email"] = body.pop("email")

    response = api.post(LINK, body)

    assert_problem(
        response, 400, "invalid_request", [("projectId", "required"), ("email", "required")]
    )


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Asha Rao", "Asha"),
        ("आशा राव", "आशा"),
        ("A\u00a0B", "A"),
        ("Asha  Padmini Rao", "Asha"),
        ("", ""),
    ],
)
def test_the_given_name_is_the_first_word(name: str, given: str) -> None:
    assert identity.given_name(name) == given
