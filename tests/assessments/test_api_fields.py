"""Bodies and fields of partners' calls: what is accepted, and the code of what is refused."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from rest_framework.exceptions import ValidationError

from assessments.api.serializers import LinkRequest
from assessments.models import AssessmentLink, RefusedCall, Student
from tests.assessments.attempts import DETAILS, issue
from tests.assessments.partner import (
    BESIDE,
    CANCEL,
    CHECK,
    EVERY_OPERATION,
    FEED,
    LINK,
    OPERATIONS,
    OUTCOME,
    RESULTS,
    assert_problem,
)

JSON = "application/json"
# Every shape of a body and Content-Type is in tests/config/test_parsing.py.
REFUSED = [
    *((b"name=Asha", JSON), (b'{"email": "a@x.com", "email": "b@x.com"}', JSON)),
    (b"{}", "text/plain"),
]
# The longest that a field may be.
LONGEST = {"projectId": 64, "name": 200, "email": 254, "mobile": 20, "LinkId": 64, "cursor": 200}
LONGEST |= {"AssessmentId": 64, "CourseCode": 64, "Stage": 16, "NextCursor": 200}
OPTIONAL = {(CANCEL, "LinkId"), (CANCEL, "email"), (FEED, "cursor"), (OUTCOME, "email")}
OPTIONAL |= {(FEED, "NextCursor"), (OUTCOME, "AssessmentId")}
NULLABLE = {(FEED, "cursor"), (FEED, "NextCursor")}
FIELDS = {LINK: ["name", "email", "mobile"], RESULTS: ["email"], **BESIDE}
EVERY_FIELD = {(path, field) for path in FIELDS for field in ("projectId", *FIELDS[path])}
EVERY_FIELD |= OPTIONAL

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_body_that_is_refused(api, path):
    for body, content_type in REFUSED:
        response = api.post(path, body, content_type=content_type)
        assert_problem(response, 400, "invalid_request")


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize(
    "content_type",
    [JSON, "APPLICATION/JSON", 'application/json; charset="UTF-8"', "application/json; odata=x"],
)
def test_the_two_operations_ignore_unknown_fields_up_to_16_kb_and_five_levels(
    api, path, content_type
):
    nested = {"a": {"b": {"c": [1]}}}
    project_id = f"  {api.project.project_id}\n"
    body = api.body(path, projectId=project_id, next="https://evil.example", extra=nested, id=7)
    padding = "x" * (16 * 1024 - len(json.dumps({**body, "padding": ""})))
    longest, longer = {**body, "padding": padding}, {**body, "padding": f"{padding}x"}

    accepted = api.post(path, longest, content_type=content_type)
    refused = api.post(path, longer, content_type=content_type)

    assert accepted.status_code == 200
    assert_problem(refused, 400, "invalid_request")


def misspelt(name):
    """Return the name in other cases and with a letter lost, doubled or changed."""
    snake = re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
    others = {name.lower(), name.upper(), name.swapcase(), snake}
    others |= {name[:2] + name[3:], f"{name}s", f"x{name[1:]}"}
    return sorted(others - {name})


@pytest.mark.parametrize(("path", "name"), sorted(EVERY_FIELD | {(FEED, "limit")}))
def test_a_misspelt_name_is_refused_with_the_nearest_but_ignored_by_the_two_operations(
    bank, api, path, name
):
    """Beside the right one, and in its place; whatever the value is."""
    link, _ = issue(api.project)
    body = {"cursor": None, "NextCursor": None, "limit": None} if path == FEED else {}
    body |= api.body(path)
    if name not in body:
        del body["email"]
        body[name] = link.link_id
    for spelling in misspelt(name):
        beside = api.post(path, {**body, spelling: body[name]})
        instead = api.post(path, {spelling if each == name else each: body[each] for each in body})
        if path in OPERATIONS:
            assert beside.status_code == 200
            found = assert_problem(instead, 400, "invalid_request", [(name, "required")])
            assert "similar name" in found["errors"][0]["detail"]
            continue
        found = assert_problem(beside, 400, "invalid_request", [(spelling, "unknown")])
        assert f"`{name}`?" in found["errors"][0]["detail"]
        assert (instead.status_code, instead.json()["errors"][-1]) == (400, found["errors"][0])
        link.refresh_from_db()
        assert link.cancelled_at is None


@pytest.mark.sqlite
@pytest.mark.parametrize("path", EVERY_OPERATION)
@pytest.mark.parametrize("name", ["cursor", "projectId", "x", "", "%ff", "a" * 70])
def test_a_query_string_is_refused_by_name_but_ignored_by_the_two_operations(
    api, failure_log, path, name
):
    plain = api.post(path, api.body(path))

    response = api.post(f"{path}?{name}=1&{name}=2", api.body(path))

    if path in OPERATIONS:
        assert response.status_code == plain.status_code == 200
        return
    sent = f"?{name}".replace("%ff", "\ufffd")[:64]
    found = assert_problem(response, 400, "invalid_request", [(sent, "unknown")])
    is_field = f"`{name}`" in found["errors"][0]["detail"].partition("?")[0]
    assert is_field is (name == "projectId" or (path == FEED and name == "cursor"))
    failure_log.write()
    [kept] = RefusedCall.objects.filter(status=400).values_list("fields", flat=True)
    assert kept == [{"field": name if is_field else "", "code": "unknown"}]


@pytest.mark.sqlite
@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_query_string_of_very_many_names(api, path):
    response = api.post(f"{path}?{'a&' * 2000}", api.body(path))

    if path in OPERATIONS:
        assert response.status_code == 200
    else:
        assert_problem(response, 400, "invalid_request", [("", "invalid")])


@pytest.mark.sqlite
def test_of_many_and_long_unknown_names_twenty_are_cut_to_64_characters(api, failure_log):
    body = api.body(CHECK, **{f"{n:02}{'a' * 100}": n for n in range(30)})

    response = api.post(CHECK, body)

    names = [f"{n:02}{'a' * 62}" for n in range(20)]
    assert_problem(response, 400, "invalid_request", [(name, "unknown") for name in names])
    failure_log.write()
    assert RefusedCall.objects.get().fields == [{"field": "", "code": "unknown"}]


@pytest.mark.parametrize(("path", "name"), [(CANCEL, "LinkId"), (OUTCOME, "AssessmentId")])
@pytest.mark.parametrize("null", ["name", "email", "both"])
def test_of_two_fields_of_which_one_is_sent_the_other_may_not_be_null(bank, api, path, name, null):
    link, _ = issue(api.project)
    sent = {name: link.link_id, "email": DETAILS["email"]}
    nulls = ["email", name] if null == "both" else [name if null == "name" else null]

    response = api.post(path, api.body(path, **sent | dict.fromkeys(nulls)))

    found = assert_problem(
        response, 400, "invalid_request", [(each, "not_a_string") for each in nulls]
    )
    assert all("null" in each["detail"] for each in found["errors"])
    assert all(f"`{name}` or `email`" in each["detail"] for each in found["errors"])
    link.refresh_from_db()
    assert link.cancelled_at is None


@pytest.mark.sqlite
@pytest.mark.parametrize(("path", "field"), sorted(EVERY_FIELD))
def test_a_field_that_is_missing_blank_no_string_or_too_long(api, path, field):
    longest = "1" * LONGEST[field]
    if field == "email":
        longest = longest[:-6] + "@x.com"
    faults = [
        *((value, "blank") for value in ["", "\t\n", "\u3000", "\ufeff\u200b"]),
        *((value, "not_a_string") for value in [None, 9876543210, True, ["a"], {}]),
        (f"1{longest}", "too_long"),
    ]
    for value, code in faults:
        if value is None and (path, field) in NULLABLE:
            continue
        response = api.post(path, api.body(path, **{field: value}))

        body = assert_problem(response, 400, "invalid_request", [(field, code)])
        assert ("must be a string" in body["errors"][0]["detail"]) is (code == "not_a_string")
    assert b"too_long" not in api.post(path, api.body(path, **{field: longest})).content
    if (path, field) not in OPTIONAL:
        body = api.body(path)
        del body[field]
        assert_problem(api.post(path, body), 400, "invalid_request", [(field, "required")])


@pytest.mark.sqlite
def test_what_copying_added_is_neither_stored_nor_refused(api):
    sent = {
        "name": "\u200eAs\u200bha\u00a0",
        "email": "\ufeffa@x.com\u200e",
        "mobile": "९८७६५.४३२१०",
    }

    assert api.link(**sent).status_code == 200

    link = AssessmentLink.objects.get()
    assert (link.name, link.mobile) == ("Asha", "98765-43210")
    assert (link.student.email, link.student.mobile) == ("a@x.com", "+919876543210")


def test_all_faults_are_named_at_once_in_the_order_of_the_fields(api):
    faults = [("projectId", "not_a_string"), ("name", "blank"), ("email", "invalid")]

    response = api.post(LINK, {"projectId": 1, "name": "", "email": "x", "Mobile": "123456"})

    assert_problem(response, 400, "invalid_request", [*faults, ("mobile", "required")])


@pytest.mark.sqlite
def test_a_student_is_not_made_of_what_is_invalid(api):
    for field, value in (
        # All characters are in tests/partners/test_plain_text.py.
        *(("name", f"Asha{character}Rao") for character in "\n\u202e\u200e\ue000"),
        *(("name", text) for text in ("\u200d", "\u0301", "\u3164", "{{first_name}}", "undefined")),
        ("name", "%NAME%"),
        *(("email", text) for text in ("a@", "a@x.com\nBcc: b@x.com", "{{email}}", "%NAME%@x.com")),
        *(("mobile", text) for text in ("12345", "98765x43210", "9.87651E+09")),
    ):
        for path in (each for each in FIELDS if field in FIELDS[each]):
            response = api.post(path, api.body(path, **{field: value}))
            assert_problem(response, 400, "invalid_request", [(field, "invalid")])
    assert not Student.objects.exists()


def test_threads_that_share_a_serializer_each_get_their_own_fields():
    kept = LinkRequest()
    start = threading.Barrier(8)

    def validate(number):
        body = {"projectId": f"p{number}", "name": f"N{number}", "email": f"n{number}@example.com"}
        start.wait()
        for _ in range(200):
            found = kept.run_validation(body | {"mobile": f"98765432{number:02}"})
            assert found["email"] == body["email"]
            with pytest.raises(ValidationError) as refused:
                kept.run_validation(body)
            assert set(refused.value.detail) == {"mobile"}

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(validate, range(8)))
