"""Requests as bytes, right and wrong ones, to the real gunicorn: each gets its one answer."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.raw import headers, lengths, lines
from tests.raw.connection import Caller, Case, exchange, is_answering, surprises
from tests.support.server import Service

pytestmark = pytest.mark.slow

# Each is one test of many cases: a test of its own for each would take longer than the case.
GROUPS: dict[str, Callable[[Caller], list[Case]]] = {
    "lines": lines.of,
    "lengths": lengths.of,
    "headers": headers.of,
}


@pytest.fixture(scope="module")
def caller(service: Service) -> Caller:
    printed = service.manage("onboard_partner", "Hostile", "--project", "Bytes", "--json")
    issued = json.loads(printed)
    credential = f"{issued['TokenId']}:{issued['TokenSecret']}"
    return Caller(credential.encode(), issued["projectId"].encode())


@pytest.mark.parametrize("group", GROUPS)
def test_each_request_gets_its_answer_and_the_server_goes_on(
    service: Service, caller: Caller, group: str
) -> None:
    """A9, A20, L15: no crash, no second answer, JSON wherever the API answers."""
    logged = len(service.logs())

    wrong = [each for case in GROUPS[group](caller) for each in surprises(service.port, case)]

    assert not wrong, "\n".join(wrong)
    assert '"level": "ERROR"' not in service.logs()[logged:]
    assert service.logs().count("Booting worker") == 1


def test_who_hangs_up_in_the_middle_is_not_missed(service: Service, caller: Caller) -> None:
    """The server goes on, and a call that was not finished has not been made."""
    logged = len(service.logs())

    for half in lengths.halves(caller):
        exchange(service.port, half, reset=True)
        assert is_answering(service.port)

    assert '"level": "ERROR"' not in service.logs()[logged:]


def test_there_are_as_many_cases_as_promised() -> None:
    caller = Caller(b"tok_x:sec_y", b"prj_z")

    cases = [case for group in GROUPS.values() for case in group(caller)]

    assert len(cases) >= 150
    assert len({case.name for case in cases}) == len({case.sent for case in cases}) == len(cases)
