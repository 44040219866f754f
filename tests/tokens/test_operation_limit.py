from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from tests.factories import ProjectFactory, issued_token
from tokens import limits

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.tokens.probe_urls")]
NOW = 1_780_000_000


@pytest.fixture(autouse=True)
def low_limits(settings: Settings) -> None:
    settings.LINK_RATE_PER_MINUTE = 2
    settings.RESULTS_RATE_PER_MINUTE = 3
    settings.OTHER_RATE_PER_MINUTE = 2


def post(header: str, path: str = "links") -> Any:
    return Client().post(f"/partner/{path}", headers={"X-Access-Token": header})


def header_of(**project: Any) -> str:
    token, secret = issued_token(ProjectFactory.create(**project))
    return f"{token.token_id}:{secret}"


def statuses(header: str, *paths: str) -> list[int]:
    with time_machine.travel(NOW, tick=False):
        return [post(header, path).status_code for path in paths]


@pytest.mark.parametrize(
    ("project", "paths", "expected"),
    [
        ({}, ["links"] * 4, [200, 200, 429, 429]),
        ({}, ["links"] * 2 + ["results"] * 4, [200] * 5 + [429]),
        ({}, ["links"] * 3 + ["one"] * 2, [200, 200, 429, 200, 200]),
        ({}, ["one", "another", "one", "another"], [200, 200, 429, 429]),
        ({"link_rate_per_minute": 4}, ["links"] * 5, [200] * 4 + [429]),
        ({"results_rate_per_minute": 1}, ["results"] * 2, [200, 429]),
    ],
    ids=["limit", "own", "apart", "shared", "links of the project", "results of the project"],
)
def test_calls_are_counted_by_limit(
    project: dict[str, int], paths: list[str], expected: list[int]
) -> None:
    assert statuses(header_of(**project), *paths) == expected


def test_the_tokens_of_a_project_share_its_count_and_projects_do_not() -> None:
    project = ProjectFactory.create()
    headers = [f"{token}:{secret}" for token, secret in (issued_token(project) for _ in range(3))]

    found = [statuses(header, "links") for header in (*headers, header_of())]

    assert found == [[200], [200], [429], [200]]


def test_who_is_not_let_in_is_not_counted() -> None:
    header = header_of()

    statuses(header[:-1], *["links"] * 3)

    assert statuses(header, *["links"] * 3) == [200, 200, 429]


@pytest.mark.parametrize("offset", [0, 7, 35, 59, 60])
def test_a_call_passes_after_retry_after_and_not_a_second_earlier(offset: int) -> None:
    header = header_of()

    with time_machine.travel(NOW + offset, tick=False) as clock:
        refused = [post(header) for _ in range(3)][2]
        wait = int(refused.headers["Retry-After"])
        clock.shift(wait - 1)
        too_early = post(header)
        clock.shift(1)
        in_time = post(header)

    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert refused.headers["Cache-Control"] == "no-store"
    assert 1 <= wait <= 60
    # With a wait of 1 s, the call a second earlier is still of the refused minute.
    assert [too_early.status_code, in_time.status_code] == [429, 200]


def test_decisions_are_counted_for_the_operator() -> None:
    def decided() -> list[float]:
        counters = [limits.DECISIONS.labels("other", each) for each in ("allowed", "refused")]
        return [counter.collect()[0].samples[0].value for counter in counters]

    allowed, refused = decided()

    statuses(header_of(), "one", "one", "another")

    assert decided() == [allowed + 2, refused + 1]
