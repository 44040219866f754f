"""No end is missing in the feed, none comes twice, whoever commits late or has a wrong clock."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.slow import feeding
from tests.support.clients import Partner
from tests.support.programs import ROOT
from tests.support.server import DATABASE, Service

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DATABASE != "postgresql", reason="SQLite has one writer at a time"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Give the database of a service, whose web process is not needed."""
    service = Service("postgresql", tmp_path_factory.mktemp("feed"))
    try:
        service.prepare()
        yield service
    finally:
        service.close()


def begun(service: Service, call: str) -> subprocess.Popen[str]:
    """Call a function of feeding.py in a process of its own."""
    program = f"import json; from tests.slow import feeding; print(json.dumps(feeding.{call}))"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-v", "0", "-c", program]
    return subprocess.Popen(
        command, cwd=ROOT, env=service.environment, stdout=subprocess.PIPE, text=True
    )


def result(process: subprocess.Popen[str], seconds: float) -> Any:
    out, _ = process.communicate(timeout=seconds)
    assert process.returncode == 0
    return json.loads(out)


@pytest.fixture
def played(prepared: Service, times: int) -> Any:
    """Give a function that ends attempts while a client follows, and returns what it met.

    With --times 20, 10,000 attempts end, in real time; else fewer, in a tenth of it.
    """
    plan = (10_000, 180.0, 1.0) if times >= 20 else (400, 6.0, 10.0)

    def play() -> Any:
        partner = Partner.onboarded(prepared.manage)
        values = repr((partner.project_id, *plan))[1:-1]
        result(begun(prepared, f"make({values})"), 300)
        client = begun(prepared, f"follow({values})")
        writers = [begun(prepared, f"write({part}, {values})") for part in range(feeding.PROCESSES)]
        for writer in writers:
            result(writer, 900)
        return result(client, 900)

    return play


def test_whoever_follows_the_cursor_meets_each_end_once_and_in_order(
    played: Any, record_property: Any
) -> None:
    met = played()

    record_property("slowest", met.pop("slowest"))
    assert met == {"missing": 0, "twice": 0, "in order": True}
