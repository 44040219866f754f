"""A limit that all workers share: of twenty times as many calls it lets in exactly as many."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bench.races_ground import OK, TOO_MANY, Ground, onboard
from tests.support import cpu
from tests.support.callers import LINK, RESULTS, Call, Caller
from tests.support.figures import Figure, exactly

if TYPE_CHECKING:
    from tests.support.server import Service

TIMES = 20
CALLERS = 30
# A new connection after so many calls: so that each worker gets its share of them.
CALLS_A_CONNECTION = 10
# What a worker has done that took part, in CPU seconds; one at rest does less in the same time.
WORK = 0.05
MINUTE = 60
# Another burst is tried if the minute turned under one, or if Redis, on a machine where nobody gets
# the processor, took longer than the limiter waits for it: then each worker counts for itself.
TRIES = 8
LOST, FOUND, APART_SECONDS = "Redis does not answer", "Redis answers again", 6.0
OPERATIONS = {
    "links": (LINK, "link_rate_per_minute"),
    "results": (RESULTS, "results_rate_per_minute"),
}


def limit_races(services: Sequence[Service], limit: int) -> list[Figure]:
    """Call each operation twenty times as often as it may be called, in one minute.

    The services share a database and a Redis, and the callers are spread over them.
    """
    figures: list[Figure] = []
    for name in OPERATIONS:
        workers = [pid for service in services for pid in cpu.descendants(service.pid)]
        before = [cpu.seconds(pid) for pid in workers]
        ground, calls = calls_of_one_minute(services, name, limit)
        worked = sum(
            cpu.seconds(pid) - spent > WORK for pid, spent in zip(workers, before, strict=True)
        )
        let_in = sum(call.status == OK for call in calls)
        refused = [call for call in calls if call.status == TOO_MANY]
        told = sum(1 <= call.retry_after <= MINUTE for call in refused)
        figures += [
            exactly(f"limit on {name}: calls let in", let_in, limit),
            exactly(f"limit on {name}: refused with 429", len(refused), (TIMES - 1) * limit),
            exactly(f"limit on {name}: told when to come again", told, len(refused)),
            exactly(f"limit on {name}: other answers", len(calls) - let_in - len(refused), 0),
            exactly(f"limit on {name}: workers that took part", worked, len(workers)),
        ]
        if name == "links":
            stored = links_of(services[0], ground)
            figures.append(exactly(f"limit on {name}: links stored", stored, limit))
    return figures


def calls_of_one_minute(
    services: Sequence[Service], name: str, limit: int
) -> tuple[Ground, list[Call]]:
    """Return a fresh project, and a burst of calls that were all counted together in one minute."""
    operation, column = OPERATIONS[name]
    for _ in range(TRIES):
        ground = onboard(services[0])
        services[0].rows(
            f"UPDATE partners_project SET {column} = %s WHERE project_id = %s",
            (limit, ground.project_id),
        )
        before = times_apart(services)
        calls = burst(services, ground, operation, TIMES * limit)
        if times_apart(services) != before:
            print(f"     on {name} again: Redis was too late")
            time.sleep(APART_SECONDS)
        elif not came_in_one_minute(calls):
            print(f"     on {name} again: the minute turned")
        else:
            return ground, calls
    raise RuntimeError(f"No burst of {TIMES * limit} calls was counted together in a minute.")


def times_apart(services: Sequence[Service]) -> int:
    """Return how often a worker lost sight of Redis, or found it again."""
    logs = [service.logs() for service in services]
    return sum(log.count(LOST) + log.count(FOUND) for log in logs)


def burst(services: Sequence[Service], ground: Ground, operation: str, count: int) -> list[Call]:
    """Call so many times, as fast as the callers can."""
    ports = itertools.cycle([service.port for service in services])
    callers = [Caller(next(ports), ground.project_id, number) for number in range(CALLERS)]

    def share(caller: Caller) -> list[Call]:
        calls = []
        for number in range(1, count // CALLERS + 1):
            calls.append(caller.call(operation, ground.credential))
            if number % CALLS_A_CONNECTION == 0:
                caller.close()
        caller.close()
        return calls

    with ThreadPoolExecutor(CALLERS) as pool:
        return [call for calls in pool.map(share, callers) for call in calls]


def came_in_one_minute(calls: Sequence[Call]) -> bool:
    """Tell, by what the refused were told, whether the limiter's minute turned under the calls.

    Whoever was told to wait 7 s was answered more than 6 s, and at most 7 s, before it turns.
    """
    refused = [call for call in calls if call.status == TOO_MANY]
    if not refused:
        return True
    earliest = max(call.began + call.retry_after - 1 for call in refused)
    latest = min(call.ended + call.retry_after for call in refused)
    first, last = min(call.began for call in calls), max(call.ended for call in calls)
    return earliest <= latest <= first + MINUTE and last <= earliest


def links_of(service: Service, ground: Ground) -> int:
    [counted] = service.rows(
        "SELECT count(*) AS links FROM assessments_assessmentlink l"
        " JOIN assessments_student s ON s.id = l.student_id"
        " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s",
        (ground.project_id,),
    )
    links: int = counted["links"]
    return links
