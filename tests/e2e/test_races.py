"""A small share of bench/races.py: races that only a database of many writers and workers can lose.

The models alone are raced in tests/assessments/test_attempt_races.py and test_link_races.py, and in
tests/tokens/test_two_at_once.py; the limiter in tests/tokens/test_limit_store_redis.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import races, races_answers, races_ends, races_starts, races_tokens
from tests.conftest import RedisServer
from tests.support.figures import Figure
from tests.support.server import Service

pytestmark = pytest.mark.slow


# SQLite has one writer at a time and would hide a lost race.
@pytest.fixture(scope="module")
def busy_service(
    redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Give a service of several workers."""
    service = Service(
        "postgresql",
        tmp_path_factory.mktemp("races"),
        REDIS_URL=redis_server.url,
        WEB_CONCURRENCY=str(races.WORKERS),
    )
    try:
        service.prepare()
        service.start()
        yield service
        assert races.sound(service).met
    finally:
        service.close()


def missed(figures: list[Figure]) -> list[str]:
    return [str(figure) for figure in figures if not figure.met]


def test_of_many_simultaneous_starts_one_wins(busy_service: Service) -> None:
    assert missed(races_starts.start_races(busy_service, 100)) == []


def test_pressing_start_twice_is_pressing_once(busy_service: Service) -> None:
    assert missed(races_starts.double_races(busy_service, 50)) == []


def test_finishing_twice_is_finishing_once(busy_service: Service) -> None:
    assert missed(races_ends.finish_races(busy_service, 50)) == []


def test_finishing_and_leaving_at_once_come_to_one_end(busy_service: Service) -> None:
    assert missed(races_ends.end_races(busy_service, 100)) == []


def test_of_sixteen_answers_to_a_page_one_stands_whole(busy_service: Service) -> None:
    assert missed(races_answers.statement_races(busy_service, 20)) == []


def test_of_sixteen_answers_to_a_puzzle_the_first_stands(busy_service: Service) -> None:
    assert missed(races_answers.puzzle_races(busy_service, 20)) == []


def test_nobody_comes_in_with_a_token_that_ended(busy_service: Service) -> None:
    assert missed(races_tokens.token_races(busy_service, 1)) == []
