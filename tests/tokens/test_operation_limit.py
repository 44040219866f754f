from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from tests.factories import ProjectFactory, issued_token

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.tokens.probe_urls")]
NOW = 1_780_000_000


@pytest.fixture(autouse=True)
def low_limits(settings: Settings) -> None:
    settings.LINK_RATE_PER_MINUTE = 2
    settings.RESULTS_RATE_PER_MINUTE = 3


def post(header: str, operation: str = "links") -> Any:
    return Client().post(f"/partner/{operation}", headers={"X-Access-Token": header})


def header_of(**project: Any) -> str:
    token, secret = issued_token(ProjectFactory.create(**project))
    return f"{token.token_id}:{secret}"


def statuses(header: str, calls: int, operation: str = "links") -> list[int]:
    return [post(header, operation).status_code for _ in range(calls)]


def test_beyond_the_limit_it_is_429() -> None:
    header = header_of()

    with time_machine.travel(NOW, tick=False):
        assert statuses(header, 4) == [200, 200, 429, 429]


def test_a_call_passes_after_retry_after_and_not_a_second_earlier() -> None:
    header = header_of()

    with time_machine.travel(NOW, tick=False) as clock:
        statuses(header, 2)
        refused = post(header)
        wait = int(refused.headers["Retry-After"])
        clock.shift(wait - 1)
        too_early = post(header)
        clock.shift(1)
        in_time = post(header)

    assert refused.status_code == 429
    assert refused.json()["code"] == "rate_limited"
    assert refused.headers["Cache-Control"] == "no-store"
    assert 1 <= wait <= 60
    assert [too_early.status_code, in_time.status_code] == [429, 200]


@pytest.mark.parametrize("offset", range(0, 61, 7))
def test_the_wait_is_a_whole_number_from_1_to_60(offset: int) -> None:
    header = header_of()

    with time_machine.travel(NOW + offset, tick=False):
        waits = [post(header).headers.get("Retry-After") for _ in range(3)]

    assert waits[:2] == [None, None]
    assert 1 <= int(waits[2] or 0) <= 60


def test_each_operation_has_its_own_count() -> None:
    header = header_of()

    with time_machine.travel(NOW, tick=False):
        assert statuses(header, 3, "links") == [200, 200, 429]
        assert statuses(header, 4, "results") == [200, 200, 200, 429]


def test_each_project_has_its_own_count() -> None:
    one, other = header_of(), header_of()

    with time_machine.travel(NOW, tick=False):
        assert statuses(one, 3) == [200, 200, 429]
        assert statuses(other, 3) == [200, 200, 429]


def test_the_tokens_of_a_project_share_its_count() -> None:
    project = ProjectFactory.create()
    headers = [f"{token}:{secret}" for token, secret in (issued_token(project) for _ in range(3))]

    with time_machine.travel(NOW, tick=False):
        found = [post(header).status_code for header in headers]

    assert found == [200, 200, 429]


def test_a_project_may_have_limits_of_its_own() -> None:
    header = header_of(link_rate_per_minute=4, results_rate_per_minute=1)

    with time_machine.travel(NOW, tick=False):
        assert statuses(header, 5, "links") == [200] * 4 + [429]
        assert statuses(header, 2, "results") == [200, 429]


def test_who_is_not_let_in_is_not_counted() -> None:
    header = header_of()

    with time_machine.travel(NOW, tick=False):
        statuses(header[:-1], 3)
        assert statuses(header, 3) == [200, 200, 429]
