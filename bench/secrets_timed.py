"""Does the time of a refusal tell its cause? Medians of calls that are made in turns."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import time
from dataclasses import dataclass
from typing import Any

from tests.support.figures import Figure, at_most, exactly
from tests.support.server import Service
from tokens import crypto

PATH = "/partner/get-assessments-info"
SPREAD = 5  # per cent between the quickest and the slowest cause


@dataclass(frozen=True)
class Probe:
    """A call whose answer must not tell, nor its time, why it is what it is."""

    name: str
    credential: str
    body: dict[str, str]


def onboard(service: Service, name: str) -> dict[str, Any]:
    arguments = ("Timing", "--project", name, "--json")
    issued: dict[str, Any] = json.loads(service.manage("onboard_partner", *arguments))
    return issued


def credential(issued: dict[str, Any]) -> str:
    return f"{issued['TokenId']}:{issued['TokenSecret']}"


def refusals(service: Service, rounds: int) -> list[Figure]:
    """A2: an unknown TokenId, a wrong secret, a revoked token, a closed project."""
    good, revoked, closed = (onboard(service, name) for name in ("Open", "Revoked", "Closed"))
    service.manage("revoke_token", revoked["TokenId"], "--yes")
    service.rows(
        "UPDATE partners_project SET closed_at = now() WHERE project_id = %s",
        (closed["projectId"],),
    )
    unknown = good | {"TokenId": crypto.new_token_id()}
    wrong = good | {"TokenSecret": crypto.new_secret()}
    probes = [
        Probe(name, credential(given), body_of(given, "asha@example.com"))
        for name, given in {
            "unknown": unknown,
            "wrong secret": wrong,
            "revoked": revoked,
            "closed": closed,
        }.items()
    ]
    return compared("refusals", service, probes, rounds, 401)


def look_ups(service: Service, rounds: int) -> list[Figure]:
    """A15: an unknown address, one with an open attempt only, one of another project."""
    good, other = (onboard(service, name) for name in ("Asking", "Other"))
    program = (
        "from tests.support import prepare; from partners.models import Project;"
        "p = lambda i: Project.objects.get(project_id=i);"
        f"prepare.start(p({good['projectId']!r}), 'open');"
        f"prepare.start(p({other['projectId']!r}), 'other')"
    )
    service.manage("shell", "--no-imports", "-c", program)
    probes = [
        Probe(name, credential(good), body_of(good, email))
        for name, email in {
            "unknown": "snone@example.com",
            "in progress": "sopen@example.com",
            "another project's": "sother@example.com",
        }.items()
    ]
    return compared("look-ups", service, probes, rounds, 200)


def body_of(issued: dict[str, Any], email: str) -> dict[str, str]:
    return {"projectId": issued["projectId"], "email": email}


def compared(
    what: str, service: Service, probes: list[Probe], rounds: int, status: int
) -> list[Figure]:
    """Make all probes once a round, in an order of its own; compare their medians and answers."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    taken: dict[str, list[float]] = {probe.name: [] for probe in probes}
    answers = set()
    order = list(probes)
    for number in range(rounds + rounds // 20):
        random.shuffle(order)
        for probe in order:
            took, answer = timed(connection, probe)
            answers.add(answer)
            if number >= rounds // 20:  # the first ones warm up
                taken[probe.name].append(took)
    connection.close()
    medians = {name: statistics.median(times) * 1000 for name, times in taken.items()}
    low, high = min(medians.values()), max(medians.values())
    shown = ", ".join(f"{name} {median:.3f}" for name, median in medians.items())
    print(f"     {what}, medians in ms: {shown}", flush=True)
    return [
        exactly(f"{what}: kinds of answer", len(answers), 1),
        exactly(f"{what}: their status", next(iter(answers))[0], status),
        at_most(f"{what}: between the medians, per cent", (high / low - 1) * 100, SPREAD),
    ]


def timed(connection: http.client.HTTPConnection, probe: Probe) -> tuple[float, tuple[Any, ...]]:
    """Make a call; return the seconds it took, and all of the answer but its request id."""
    headers = {"Content-Type": "application/json", "X-Access-Token": probe.credential}
    body = json.dumps(probe.body)
    began = time.perf_counter()
    connection.request("POST", PATH, body, headers)
    response = connection.getresponse()
    content = response.read()
    took = time.perf_counter() - began
    request_id = response.headers["X-Request-ID"].encode()
    return took, (response.status, content.replace(request_id, b""))
