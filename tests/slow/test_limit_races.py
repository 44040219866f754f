"""A limit that eight workers share: of twenty times as many calls, exactly as many are let in."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import RedisServer
from tests.slow.racing import OK, TOO_MANY
from tests.support import cpu
from tests.support.callers import LINK, RESULTS, Call, Caller
from tests.support.clients import Partner
from tests.support.server import Service

pytestmark = pytest.mark.slow

TIMES_OVER, MOST = 20, 300
CALLERS = 30
CALLS_A_CONNECTION = 10  # so that each worker gets its share of the calls
MINUTE = 60
# Another burst is tried if the minute turned under one, or if Redis, on a machine where nobody gets
# the processor, took longer than the limiter waits for it: then each worker counts for itself.
TRIES, APART_SECONDS = 8, 6.0
LOST, FOUND = "Redis does not answer", "Redis answers again"


@pytest.fixture(scope="module")
def services(
    redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Service]]:
    """Give two services with one database and one Redis, as two machines have them."""
    shared = {"REDIS_URL": redis_server.url, "WEB_CONCURRENCY": "4"}
    first = Service("postgresql", tmp_path_factory.mktemp("first"), **shared)
    second = Service("postgresql", tmp_path_factory.mktemp("second"), **shared)
    second.environment["DATABASE_URL"] = first.environment["DATABASE_URL"]
    try:
        first.prepare()
        first.start()
        second.start()
        yield [first, second]
    finally:
        first.close()
        second.close()


@pytest.mark.parametrize(
    ("operation", "column"),
    [(LINK, "link_rate_per_minute"), (RESULTS, "results_rate_per_minute")],
    ids=["links", "results"],
)
def test_eight_workers_of_two_machines_let_in_as_many_as_one(
    services: list[Service], times: int, operation: str, column: str
) -> None:
    limit = min(MOST, 60 * times)
    workers = [pid for service in services for pid in cpu.descendants(service.pid)]
    before = [cpu.seconds(pid) for pid in workers]

    partner, calls = calls_of_one_minute(services, operation, column, limit)

    let_in = [call for call in calls if call.status == OK]
    refused = [call for call in calls if call.status == TOO_MANY]
    assert (len(let_in), len(refused)) == (limit, (TIMES_OVER - 1) * limit)
    assert all(1 <= call.retry_after <= MINUTE for call in refused)
    assert all(cpu.seconds(pid) > spent for pid, spent in zip(workers, before, strict=True))
    [stored] = services[0].rows(
        "SELECT count(*) AS links FROM assessments_assessmentlink l"
        " JOIN assessments_student s ON s.id = l.student_id"
        " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s",
        (partner.project_id,),
    )
    assert stored["links"] == (limit if operation == LINK else 0)


def calls_of_one_minute(
    services: Sequence[Service], operation: str, column: str, limit: int
) -> tuple[Partner, list[Call]]:
    """Return a fresh project, and a burst of calls that were counted together in one minute."""
    for _ in range(TRIES):
        partner = Partner.onboarded(services[0].manage)
        services[0].rows(
            f"UPDATE partners_project SET {column} = %s WHERE project_id = %s",
            (limit, partner.project_id),
        )
        before = times_apart(services)
        calls = burst(services, partner, operation, TIMES_OVER * limit)
        if times_apart(services) != before:
            time.sleep(APART_SECONDS)
        elif came_in_one_minute(calls):
            return partner, calls
    raise AssertionError(f"no burst of {TIMES_OVER * limit} calls was counted in one minute")


def times_apart(services: Sequence[Service]) -> int:
    """Return how often a worker lost sight of Redis, or found it again."""
    logs = [service.logs() for service in services]
    return sum(log.count(LOST) + log.count(FOUND) for log in logs)


def burst(services: Sequence[Service], partner: Partner, operation: str, count: int) -> list[Call]:
    """Call so many times, as fast as the callers can, spread over the services."""
    ports = itertools.cycle([service.port for service in services])
    callers = [Caller(next(ports), partner.project_id, number) for number in range(CALLERS)]

    def share(caller: Caller) -> list[Call]:
        calls = []
        for number in range(1, count // CALLERS + 1):
            calls.append(caller.call(operation, partner.credential))
            if number % CALLS_A_CONNECTION == 0:
                caller.close()
        caller.close()
        return calls

    with ThreadPoolExecutor(CALLERS) as pool:
        return [call for calls in pool.map(share, callers) for call in calls]


def came_in_one_minute(calls: Sequence[Call]) -> bool:
    """Tell, by Retry-After, whether the limiter's minute did not turn under the calls.

    A call that was told to wait 7 s was answered between 6 and 7 s before the minute turns.
    """
    refused = [call for call in calls if call.status == TOO_MANY]
    if not refused:
        return True
    earliest = max(call.began + call.retry_after - 1 for call in refused)
    latest = min(call.ended + call.retry_after for call in refused)
    first, last = min(call.began for call in calls), max(call.ended for call in calls)
    return earliest <= latest <= first + MINUTE and last <= earliest
