"""Send the service what no partner and no browser sends, and count what goes wrong.

    python bench/hostile.py [--quick] [--only NAME] [--seed N]

`cases`: 10,000 calls that Schemathesis makes up from /openapi.json, with all its checks, by callers
with a good credential, a wrong one, none, and one that is over its limit.
`raw`: requests as bytes, each with the answers it must get.
`values`: Hypothesis, 5,000 values for the credential's header, e-mail addresses, link tokens and
the fields of each form of students; 500 to 2,500 for what is like another of them.
`bombs`: bodies made to cost much, and log lines hostile to what hides secrets in them.
`times`: does the time of a refusal, or of an empty result, tell its cause? 5,000 calls of each.

Everything runs on a PostgreSQL of its own, `cases`, `raw`, `bombs` and `times` through the real
gunicorn. The seed is printed. In full it takes about a quarter of an hour on two cores, with
--quick a tenth of it. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import collections
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a start by the file's name

from tests.support.figures import Figure, at_least, exactly, told
from tests.support.stack import Stack

if TYPE_CHECKING:
    from tests.raw.connection import Caller
    from tests.support.server import Service

SEED = 20261121
CASES, RAW_CASES, VALUES, ROUNDS, TIMES = 10_000, 150, 5000, 5000, 50
LIMITS = (
    "LINK_RATE_PER_MINUTE",
    "RESULTS_RATE_PER_MINUTE",
    "FAILED_CREDENTIALS_PER_MINUTE",
    "UNKNOWN_LINKS_PER_MINUTE",
)


class Bench:
    """What the parts share: the stack, how much of everything, and the seed."""

    def __init__(self, stack: Stack, *, is_quick: bool, seed: int) -> None:
        self.stack, self.seed = stack, seed
        self.share = 10 if is_quick else 1

    def of(self, count: int) -> int:
        return count // self.share

    def service(self, **environment: str) -> Service:
        """Return a running service; no limit is met unless the environment sets one."""
        service = self.stack.service(**dict.fromkeys(LIMITS, "10000000"), **environment)
        service.start()
        return service


def onboard(service: Service, name: str, *more: str) -> dict[str, Any]:
    arguments = ("Hostile", "--project", name, *more, "--json")
    issued: dict[str, Any] = json.loads(service.manage("onboard_partner", *arguments))
    return issued


def raw_caller(issued: dict[str, Any]) -> Caller:
    from tests.raw.connection import Caller

    credential = f"{issued['TokenId']}:{issued['TokenSecret']}"
    return Caller(credential.encode(), issued["projectId"].encode())


def cases(bench: Bench) -> list[Figure]:
    """Let Schemathesis call as four callers. The file's own cases are a hundred each time."""
    from tests.assessments import schema_cases
    from tokens import crypto

    service = bench.service()
    issued = onboard(service, "Cases")
    limited = onboard(service, "Limited", "--links-per-minute", "5", "--results-per-minute", "5")
    good = f"{issued['TokenId']}:{issued['TokenSecret']}"
    callers = {
        "good": (issued, good, 1300, 100),
        "wrong": (issued, f"{issued['TokenId']}:{crypto.new_secret()}", 1250, 50),
        "none": (issued, "", 1250, 50),
        "limited": (limited, f"{limited['TokenId']}:{limited['TokenSecret']}", 400, 20),
    }
    reports = {}
    for name, (project, credential, examples, chains) in callers.items():
        reports[name] = schema_cases.run(
            service.url,
            bench.stack.folder / f"cases-{name}",
            project_id=project["projectId"],
            credential=credential,
            examples=bench.of(examples),
            chains=bench.of(chains),
            seed=bench.seed,
        )
        if reports[name].failures:
            print(reports[name].text)
    statuses = answered(service, "/partner/")
    let_in = sum(reports[name].accepted for name in ("wrong", "none"))
    unknown = [status for status in statuses if status not in (200, 400, 401, 405, 429)]
    return [
        at_least("cases: made", sum(each.cases for each in reports.values()), bench.of(CASES)),
        exactly("cases: failures", sum(each.failures for each in reports.values()), 0),
        at_least("cases: right calls let in", reports["good"].accepted, 1),
        exactly("cases: let in without a good credential", let_in, 0),
        at_least("cases: answers of 429", statuses[429], 1),
        exactly("cases: statuses that the file does not know", len(unknown), 0),
        exactly("cases: answers of 5xx", crashes(statuses), 0),
        *after(service),
    ]


def raw(bench: Bench) -> list[Figure]:
    """Send bytes to two workers."""
    from tests.raw import headers, lengths, lines
    from tests.raw.connection import exchange, is_answering, surprises

    service = bench.service()
    caller = raw_caller(onboard(service, "Bytes"))
    sent = [case for table in (lines, lengths, headers) for case in table.of(caller)]
    wrong = [each for case in sent for each in surprises(service.port, case)]
    print("\n".join(wrong), end="\n" if wrong else "")
    for half in lengths.halves(caller):
        exchange(service.port, half, reset=True)
    return [
        at_least("raw: cases", len(sent), RAW_CASES),
        exactly("raw: answers that are not as they should be", len(wrong), 0),
        exactly("raw: it goes on after all of them", is_answering(service.port), True),
        exactly("raw: workers started", service.logs().count("Booting worker"), 2),
        *after(service),
    ]


def values(bench: Bench) -> list[Figure]:
    """Send values through Django's own client to a database of the tests' kind."""
    from django.db import connection
    from django.test.utils import override_settings, setup_test_environment

    from assessments.models import ItemBank
    from tests.assessments.hostile_targets import TARGETS, Scene
    from tests.support.server import SMALL_BANK

    setup_test_environment()
    logging.disable(logging.WARNING)  # a line for each refusal
    connection.creation.create_test_db(verbosity=0)
    bank, _ = ItemBank.objects.publish(
        json.loads(SMALL_BANK.read_bytes()), shipped=True, actor="command:bench"
    )
    bank.make_current(actor="command:bench")
    figures = []
    statuses: collections.Counter[int] = collections.Counter()
    for name, (share, target_in) in TARGETS.items():
        wanted = int(bench.of(VALUES) * share)
        with override_settings(**dict.fromkeys(LIMITS, 10**9)):
            try:
                found = target_in(Scene.make()).try_out(wanted, bench.seed)
            except AssertionError as error:
                print(f"{name}: {error}")
                found = collections.Counter()
        statuses += found
        figures.append(at_least(f"values: of {name}, all answered", found.total(), wanted))
    connection.close()
    return [
        *figures,
        exactly("values: answers of 5xx", crashes(statuses), 0),
        told("values: in all", statuses.total()),
    ]


def bombs(bench: Bench) -> list[Figure]:
    from bench import bombs

    service = bench.service(REDIS_URL="", WEB_CONCURRENCY="1")
    caller = raw_caller(onboard(service, "Bombs"))
    return [
        *bombs.bombs(service, caller, bench.of(TIMES)),
        *bombs.redaction(),
        *after(service),
    ]


def times(bench: Bench) -> list[Figure]:
    from bench import secrets_timed

    service = bench.service(REDIS_URL="", WEB_CONCURRENCY="1")
    rounds = bench.of(ROUNDS)
    return [
        *secrets_timed.refusals(service, rounds),
        *secrets_timed.look_ups(service, rounds),
        *after(service),
    ]


def answered(service: Service, under: str) -> collections.Counter[int]:
    """Return how often each status was answered under a path, by gunicorn's own lines."""
    lines = [json.loads(line) for line in service.logs().splitlines()]
    return collections.Counter(
        line["status"]
        for line in lines
        if line["logger"] == "gunicorn.access" and (line["path"] or "").startswith(under)
    )


def crashes(statuses: collections.Counter[int]) -> int:
    return sum(count for status, count in statuses.items() if status >= 500)


def after(service: Service) -> list[Figure]:
    """End a service; return whether it has kept its secrets, and crashed nowhere."""

    errors = service.logs().count('"level": "ERROR"')
    try:
        service.assert_no_leaks()
        leak = 0
    except AssertionError as error:
        print(error)
        leak = 1
    service.stop()
    return [exactly("    errors in its log", errors, 0), exactly("    secrets found", leak, 0)]


PARTS: dict[str, Callable[[Bench], list[Figure]]] = {
    "cases": cases,
    "raw": raw,
    "values": values,
    "bombs": bombs,
    "times": times,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--only", choices=PARTS, help="one part of it")
    parser.add_argument("--seed", type=int, default=SEED, help="of what is made up")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    figures = []
    with Stack() as stack:
        import django  # it needs what the stack has set

        django.setup()
        bench = Bench(stack, is_quick=options.quick, seed=options.seed)
        for name, part in PARTS.items():
            if options.only in (None, name):
                began = time.monotonic()
                found = part(bench)
                print(*found, sep="\n")
                print(f"     ({name}: {time.monotonic() - began:.0f} s)", flush=True)
                figures += found
    missed = [figure for figure in figures if not figure.met]
    print(f"{len(missed)} of {len(figures)} targets missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
