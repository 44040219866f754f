"""The time of a refusal, or of an empty result, does not tell its cause."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import time
from collections.abc import Callable

import pytest

from tests.slow.racing import prepared
from tests.support.clients import Partner
from tests.support.server import Service
from tokens import crypto

pytestmark = pytest.mark.slow

ROUNDS = 1000
# The slowest median by the quickest, of 5,000 rounds; and of fewer, which are less exact.
SPREAD, ROUGH_SPREAD, MANY = 1.05, 1.10, 5000
PATH = "/partner/get-assessments-info"
EMAIL = "asha@example.com"


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    return start_service(WEB_CONCURRENCY="1")


def test_a_refusal_takes_as_long_for_every_cause(service: Service, times: int) -> None:
    """A2: without the right secret, of an unknown, a live, a revoked and a closed project's token.

    Who holds the secret of the last two is told the reason.
    """
    good, revoked, closed = (Partner.onboarded(service.manage) for _ in range(3))
    service.manage("revoke_token", revoked.credential.partition(":")[0], "--yes")
    service.rows(
        "UPDATE partners_project SET closed_at = now() WHERE project_id = %s",
        (closed.project_id,),
    )
    token_id, _, secret = good.credential.partition(":")
    gone = [each.credential.partition(":")[0] for each in (revoked, closed)]
    probes = {
        "unknown": (f"{crypto.new_token_id()}:{secret}", good.project_id, EMAIL),
        "wrong secret": (f"{token_id}:{crypto.new_secret()}", good.project_id, EMAIL),
        "revoked": (f"{gone[0]}:{crypto.new_secret()}", revoked.project_id, EMAIL),
        "closed": (f"{gone[1]}:{crypto.new_secret()}", closed.project_id, EMAIL),
    }

    assert compared(service, probes, ROUNDS * times) == 401


def test_an_empty_result_takes_as_long_for_every_cause(service: Service, times: int) -> None:
    """A15: an unknown address, one with an open attempt only, one of another project."""
    good, other = (Partner.onboarded(service.manage) for _ in range(2))
    for partner, student in ((good, "open"), (other, "other")):
        prepared(service, f"start_in({partner.project_id!r}, {student!r})")
    emails = {
        "unknown": "snone@example.com",
        "in progress": "sopen@example.com",
        "another project's": "sother@example.com",
    }
    probes = {name: (good.credential, good.project_id, email) for name, email in emails.items()}

    assert compared(service, probes, ROUNDS * times) == 200


def compared(service: Service, probes: dict[str, tuple[str, str, str]], rounds: int) -> int:
    """Make all probes once a round, in random order; return their one status.

    Raise AssertionError if their answers differ, or their medians are too far apart.
    """
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    taken: dict[str, list[float]] = {name: [] for name in probes}
    answers = set()
    for number in range(rounds + rounds // 20):
        for name in random.sample(list(probes), len(probes)):
            seconds, answer = timed(connection, *probes[name])
            answers.add(answer)
            if number >= rounds // 20:  # the first ones warm up
                taken[name].append(seconds)
    connection.close()
    medians = {name: statistics.median(times) for name, times in taken.items()}
    print({name: f"{1000 * median:.3f} ms" for name, median in medians.items()})
    [(status, _)] = answers
    spread = max(medians.values()) / min(medians.values())
    assert spread <= (SPREAD if rounds >= MANY else ROUGH_SPREAD), medians
    return status


def timed(
    connection: http.client.HTTPConnection, credential: str, project_id: str, email: str
) -> tuple[float, tuple[int, bytes]]:
    """Make a call; return the seconds it took, its status, and its body but for the request id."""
    headers = {"Content-Type": "application/json", "X-Access-Token": credential}
    body = json.dumps({"projectId": project_id, "email": email})
    began = time.perf_counter()
    connection.request("POST", PATH, body, headers)
    response = connection.getresponse()
    content = response.read()
    seconds = time.perf_counter() - began
    return seconds, (
        response.status,
        content.replace(response.headers["X-Request-ID"].encode(), b""),
    )
