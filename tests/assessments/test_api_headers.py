"""Headers of the partner API: the reference and id of a link, what is left, a token's end."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from assessments.models import AssessmentLink
from config import reference
from partners.times import rfc3339
from tests.assessments.partner import EVERY_OPERATION, LINK, OPERATIONS, Backend, assert_problem
from tests.support.rates import OPERATION_RATES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
REFERENCES = ["2026:IN_00.17", "x" * 64]
NO_REFERENCES = ["", "x" * 65, "a b", "आशा", "a@b.example"]


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_link_keeps_the_partners_reference_and_answers_with_its_id(
    api: Backend, reference: str
) -> None:
    response = api.post(LINK, api.link_body(), headers={"X-Reference": reference})

    link = AssessmentLink.objects.get()
    assert response.status_code == 200
    assert list(json.loads(response.content)) == ["redirect-url"]
    assert link.reference == reference
    assert response.headers["X-Link-Id"] == link.link_id


def test_a_link_without_a_reference_has_an_empty_one(api: Backend) -> None:
    response = api.link()

    link = AssessmentLink.objects.get()
    assert link.reference == ""
    assert response.headers["X-Link-Id"] == link.link_id


@pytest.mark.parametrize("reference", NO_REFERENCES)
def test_an_odd_reference_is_a_400_and_makes_no_link(api: Backend, reference: str) -> None:
    response = api.post(LINK, api.link_body(), headers={"X-Reference": reference})

    assert_problem(response, 400, "invalid_request", [("X-Reference", "invalid")])
    assert reference.strip() == "" or reference.encode() not in response.content
    assert not AssessmentLink.objects.exists()


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_counted_answers_say_what_is_left(api: Backend, path: str, settings: Settings) -> None:
    """Also a 400 and a 429: they were counted."""
    for setting in OPERATION_RATES:
        setattr(settings, setting, 2)
    name = path.rpartition("/")[2] if path in OPERATIONS else "other-operations"

    answers = [
        api.post(path, api.body(path)),
        api.post(path, b"{"),
        api.post(path, api.body(path)),
    ]

    assert [answer.status_code for answer in answers][1:] == [400, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {f'"{name}";q=2;w=60'}
    left = [answer.headers["RateLimit"].rpartition(";t=") for answer in answers]
    assert [policy for policy, _, _ in left] == [f'"{name}";r={n}' for n in (1, 0, 0)]
    assert all(1 <= int(seconds) <= 60 for _, _, seconds in left)


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_the_documented_limit_is_the_one_that_holds(api: Backend, path: str) -> None:
    answer = api.post(path, api.body(path))

    [allowed] = re.findall(r";q=([0-9]+);", answer.headers["RateLimit-Policy"])
    described = reference.document()["paths"][path]["post"]["description"]
    assert f"A project may make {allowed} calls a minute" in described


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_call_refused_before_it_was_counted_says_nothing_of_the_limit(
    api: Backend, path: str
) -> None:
    api.token.revoke(actor="command:tests")

    response = api.post(path, api.body(path))

    assert response.status_code == 401
    assert not {"RateLimit", "RateLimit-Policy", "X-Token-Ends"} & set(response.headers)


@pytest.mark.parametrize("path", EVERY_OPERATION)
def test_a_rotated_token_says_when_it_ends_and_a_fresh_one_nothing(api: Backend, path: str) -> None:
    before = api.post(path, api.body(path))
    at, week = timezone.now(), timedelta(days=7)
    api.token.rotate(overlap=week, at=at, actor="command:tests")

    after, refused = api.post(path, api.body(path)), api.post(path, b"{")

    assert "X-Token-Ends" not in before.headers
    assert after.headers["X-Token-Ends"] == rfc3339(at + week)
    assert (refused.status_code, refused.headers["X-Token-Ends"]) == (400, rfc3339(at + week))
