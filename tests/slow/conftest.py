import json

import pytest

from tests.support import invariants
from tests.support.server import Service


@pytest.fixture(scope="module")
def busy_service(redis_server, tmp_path_factory):
    """Give a service of 4 workers of 4 threads; at the end, its rows must be sound."""
    environment = {"REDIS_URL": redis_server.url, "WEB_CONCURRENCY": "4"}
    service = Service("postgresql", tmp_path_factory.mktemp("busy"), **environment)
    try:
        service.prepare()
        service.start()
        yield service
        assert invariants.violations_of(service) == []
        lines = [json.loads(line) for line in service.logs().splitlines()]
        crashes = [line for line in lines if line["level"] == "ERROR"]
        assert max(line.get("status", 0) for line in lines) < 500, crashes
        service.assert_no_leaks()
    finally:
        service.close()
