"""Bodies, headers and limits around the two operations."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from assessments.models import AssessmentLink, Student
from tests.assessments.attempts import DETAILS
from tests.assessments.partner import LINK, OPERATIONS, RESULTS, Backend, assert_problem
from tests.factories import ProjectFactory

AT = datetime(2026, 11, 21, 9, 30, 12, tzinfo=UTC)
BODIES: dict[str, bytes] = {
    "no JSON": b"name=Asha",
    "cut off": b'{"projectId": "prj',
    "a list": b"[]",
    "a string": b'"x"',
    "two objects": b"{}{}",
    "NaN": b'{"email": NaN}',
    "1e999": b'{"x": 1e999}',
    "a long number": b'{"x": ' + b"9" * 5000 + b"}",
    "a name twice": b'{"email": "a@x.com", "email": "b@x.com"}',
    "deep lists": b"[" * 5000,
    "deep closed lists": b'{"x": ' + b"[" * 6 + b"]" * 6 + b"}",
    "NUL in a value": b'{"email": "a\\u0000@x.com"}',
    "NUL in a name": b'{"a\\u0000": 1}',
    "a lone surrogate": b'{"email": "\\ud800"}',
    "not UTF-8": b'{"email": "\xff"}',
    "UTF-16": '{"email": "a@x.com"}'.encode("utf-16"),
    "a raw newline in a string": b'{"email": "a\n"}',
}
CONTENT_TYPES = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=utf-16",
]
GOOD_CONTENT_TYPES = [
    "application/json",
    "APPLICATION/JSON",
    'application/json; charset="UTF-8"',
    "application/json; odata=verbose",
]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_refused(api: Backend, path: str, body: bytes) -> None:
    """A6, A7, A8."""
    response = api.post(path, body)

    assert_problem(response, 400, "invalid_request")
    assert not AssessmentLink.objects.exists()


def test_a_byte_order_mark_is_ignored(api: Backend) -> None:
    body = b"\xef\xbb\xbf" + json.dumps(api.link_body()).encode()

    response = api.post(LINK, body)

    assert response.status_code == 200
    assert Student.objects.get().name == DETAILS["name"]


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize(("size", "status"), [(16 * 1024, 200), (16 * 1024 + 1, 400)])
def test_a_body_has_at_most_16_kb(api: Backend, path: str, size: int, status: int) -> None:
    body = api.body(path, padding="")
    body["padding"] = "x" * (size - len(json.dumps(body)))

    response = api.post(path, body)

    assert response.status_code == status
    if status == 400:
        assert_problem(response, 400, "invalid_request")


def test_five_levels_are_enough(api: Backend) -> None:
    response = api.link(extra={"a": {"b": {"c": [1]}}})

    assert response.status_code == 200


@pytest.mark.parametrize("path", OPERATIONS)
@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_a_wrong_content_type_is_a_400(api: Backend, path: str, content_type: str) -> None:
    response = api.post(path, api.body(path), content_type=content_type)

    assert_problem(response, 400, "invalid_request")


@pytest.mark.parametrize("content_type", GOOD_CONTENT_TYPES)
def test_a_content_type_that_is_right(api: Backend, content_type: str) -> None:
    response = api.post(LINK, api.link_body(), content_type=content_type)

    assert response.status_code == 200


@pytest.mark.parametrize("accept", ["*/*", "application/xml", "", "*/*;q=0"])
@pytest.mark.parametrize("path", OPERATIONS)
def test_whatever_is_accepted_the_answer_is_json(api: Backend, path: str, accept: str) -> None:
    """A9."""
    good = api.post(path, api.body(path), headers={"Accept": accept})
    bad = api.post(path, {}, headers={"Accept": accept})

    assert good.status_code == 200
    assert good.headers["Content-Type"] == bad.headers["Content-Type"] == "application/json"
    assert bad.status_code == 400


def test_text_beyond_ascii_arrives_whole(api: Backend) -> None:
    body = json.dumps(api.link_body(name="आशा 𠮷 é"), ensure_ascii=False).encode()

    response = api.post(LINK, body)

    assert response.status_code == 200
    assert AssessmentLink.objects.get().name == "आशा 𠮷 é"


@pytest.mark.parametrize("path", OPERATIONS)
def test_the_request_id_is_echoed(api: Backend, path: str) -> None:
    given = {"X-Request-ID": "partner-7f3a.2026_11"}

    good = api.post(path, api.body(path), headers=given)
    bad = api.post(path, {"projectId": "x", "email": 1}, headers=given)

    assert good.headers["X-Request-ID"] == bad.headers["X-Request-ID"] == "partner-7f3a.2026_11"
    assert json.loads(bad.content)["requestId"] == "partner-7f3a.2026_11"


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "with space", "a\r\nb: c"])
def test_an_odd_request_id_is_replaced(api: Backend, given: str) -> None:
    response = api.post(LINK, {}, headers={"X-Request-ID": given})

    body: dict[str, Any] = json.loads(response.content)
    assert body["requestId"] == response.headers["X-Request-ID"]
    assert body["requestId"] != given
    assert len(body["requestId"]) == 32


@pytest.mark.parametrize("path", OPERATIONS)
def test_beyond_the_limit_it_is_a_429_until_the_next_minute(api: Backend, path: str) -> None:
    """A11: who waits as told is let in."""
    api.project.link_rate_per_minute = api.project.results_rate_per_minute = 2
    api.project.save()
    with time_machine.travel(AT, tick=False) as clock:
        statuses = [api.post(path, api.body(path)).status_code for _ in range(3)]
        refused = api.post(path, api.body(path))

        assert statuses == [200, 200, 429]
        body = assert_problem(refused, 429, "rate_limited")
        wait = int(refused.headers["Retry-After"])
        assert 1 <= wait <= 60
        assert str(wait) in body["detail"]
        clock.shift(timedelta(seconds=wait))
        assert api.post(path, api.body(path)).status_code == 200


@pytest.mark.parametrize(
    ("path", "name"), [(LINK, "LINK_RATE_PER_MINUTE"), (RESULTS, "RESULTS_RATE_PER_MINUTE")]
)
def test_each_operation_of_each_project_has_a_limit_of_its_own(
    api: Backend, settings: Settings, path: str, name: str
) -> None:
    setattr(settings, name, 1)
    other_path = RESULTS if path == LINK else LINK
    neighbour = Backend.of(ProjectFactory.create())

    first = api.post(path, api.body(path))
    second = api.post(path, api.body(path))

    assert (first.status_code, second.status_code) == (200, 429)
    assert api.post(other_path, api.body(other_path)).status_code == 200
    assert neighbour.post(path, neighbour.body(path)).status_code == 200


def test_every_answer_is_kept_out_of_caches(api: Backend) -> None:
    responses = [
        api.link(),
        api.results(),
        api.post(LINK, {}),
        Client().post("/partner/nothing"),
        Client().get(LINK),
        Client().post(LINK),
    ]

    assert {response.headers["Cache-Control"] for response in responses} == {"no-store"}
