"""A tenth of bench/races.py: races that only a database of many writers and workers can lose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import races
from tests.conftest import RedisServer
from tests.server import Service

# SQLite has one writer at a time and would hide a lost race.
pytestmark = pytest.mark.needs_postgresql

TENTH = races.RACES // 10


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
    finally:
        service.close()


def test_of_many_simultaneous_starts_one_wins(busy_service: Service) -> None:
    figures = races.start_races(busy_service, TENTH)

    assert [str(figure) for figure in figures if not figure.met] == []


def test_pressing_twice_is_pressing_once(busy_service: Service) -> None:
    figures = races.double_races(busy_service, TENTH)

    assert [str(figure) for figure in figures if not figure.met] == []


def test_finishing_and_leaving_at_once_come_to_one_end(busy_service: Service) -> None:
    figures = races.end_races(busy_service, TENTH)

    assert [str(figure) for figure in figures if not figure.met] == []
