from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.conftest import RedisServer
from tests.support import invariants
from tests.support.server import Service


@pytest.fixture(scope="module")
def busy_service(
    redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Give a service of 4 workers of 4 threads; at the end, its rows must be sound."""
    service = Service(
        "postgresql",
        tmp_path_factory.mktemp("busy"),
        REDIS_URL=redis_server.url,
        WEB_CONCURRENCY="4",
    )
    try:
        service.prepare()
        service.start()
        yield service
        assert invariants.violations_of(service) == []
        statuses = [json.loads(line).get("status", 0) for line in service.logs().splitlines()]
        crashes = [line for line in service.logs().splitlines() if '"level": "ERROR"' in line]
        assert max(statuses) < 500, crashes
        service.assert_no_leaks()
    finally:
        service.close()
