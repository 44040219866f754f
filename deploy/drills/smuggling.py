"""Send requests that two servers might split differently, and compare their logs.

    python -m deploy.drills.smuggling

nginx and two machines run with the configuration of deploy/. Every request hides another one
(smuggled.py, http2.py): no request may get two answers, no hidden one may reach gunicorn, and later
harmless requests must get their own answers. Takes about three minutes. Exit status 1 if a
target is missed, 2 if a program is not installed.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import ssl
import sys
import time
from collections import Counter
from dataclasses import dataclass
from urllib.parse import unquote

from deploy.drills import http2, smuggled
from deploy.drills.deployed import Deployed, Part, play
from tests.support.clients import HOST, Client, Failed, Gate, Partner
from tests.support.figures import Figure, at_least, exactly
from tests.support.ledger import Ledger

VARIANTS = 30
OTHERS = 4  # harmless requests after each
QUIET = 0.6  # seconds after which nothing more is expected
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


@dataclass(frozen=True)
class Sent:
    """The answers to one attack."""

    name: str
    outer: str
    inner: str
    answers: int
    others_astray: int


def smuggling(deployed: Deployed, partner: Partner, _: int) -> list[Figure]:
    """Send all attacks, each followed by harmless requests."""
    gate = deployed.gate
    seen_before = _seen_by_gunicorn(deployed)
    sent = [_send_raw(gate, number, attack) for number, attack in enumerate(smuggled.attacks())]
    sent += [
        _send_frames(gate, number, name, attack)
        for number, (name, attack) in enumerate(http2.ATTACKS.items(), 100)
    ]
    time.sleep(1)  # until the last log line is written
    seen = _seen_by_gunicorn(deployed) - seen_before
    ids = {request_id for request_id, _ in seen}
    twice = [one.name for one in sent if one.answers > 1]
    smuggled_in = [one.name for one in sent if one.inner in ids]
    unknown = seen - _passed_on(deployed)
    for name in (*twice, *smuggled_in, *unknown):
        print(f"     {name}")
    return [
        at_least("smuggling: variants sent", len(sent), VARIANTS),
        at_least("smuggling: of these passed on, in nginx's words", _outer(sent, ids), 1),
        exactly("smuggling: with two answers", len(twice), 0),
        exactly("smuggling: whose hidden request gunicorn saw", len(smuggled_in), 0),
        exactly("smuggling: seen by gunicorn, not passed on by nginx", unknown.total(), 0),
        exactly(
            "smuggling: requests after them that got no answer of their own",
            sum(one.others_astray for one in sent),
            0,
        ),
    ]


def _outer(sent: list[Sent], ids: set[str]) -> int:
    return sum(one.outer in ids for one in sent)


def _send_raw(gate: Gate, number: int, attack: smuggled.Attack) -> Sent:
    outer, inner = _ids(number)
    received = _exchange(gate, attack.bytes_of(outer, inner, HOST), [])
    # "100 Continue" is not the answer.
    statuses = [status for status in _STATUS.findall(received) if status != b"100"]
    return _sent(gate, number, attack.name, len(statuses))


def _send_frames(gate: Gate, number: int, name: str, attack: http2.Attack) -> Sent:
    outer, inner = _ids(number)
    received = _exchange(gate, attack.bytes_of(outer, inner, HOST), ["h2"])
    return _sent(gate, number, f"HTTP/2: {name}", http2.answers(received))


def _ids(number: int) -> tuple[str, str]:
    return f"outer-{number:03}", f"inner-{number:03}"


def _sent(gate: Gate, number: int, name: str, answers: int) -> Sent:
    astray = sum(not _gets_its_own(gate, f"other-{number:03}-{n}") for n in range(OTHERS))
    return Sent(name, *_ids(number), answers, astray)


def _exchange(gate: Gate, data: bytes, protocols: list[str]) -> bytes:
    """Send data; return all that comes back until nginx hangs up or falls silent."""
    context = ssl.create_default_context(cafile=gate.certificate)
    context.set_alpn_protocols(protocols)
    received = b""
    with (
        socket.create_connection((gate.host, gate.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname=HOST) as connection,
    ):
        connection.settimeout(QUIET)
        with contextlib.suppress(OSError):
            connection.sendall(data)
            while block := connection.recv(65536):
                received += block
    return received


def _gets_its_own(gate: Gate, request_id: str) -> bool:
    client = Client(gate, Ledger())
    try:
        answer = client.ask(
            "GET", "/.well-known/security.txt", headers={"X-Request-ID": request_id}
        )
    except Failed:
        return False
    finally:
        client.close()
    return answer.headers["X-Request-ID"] == request_id and b"Contact:" in answer.content


def _seen_by_gunicorn(deployed: Deployed) -> Counter[tuple[str, str]]:
    """Return the id and path of every request in the machines' access logs."""
    lines = [
        json.loads(line)
        for machine in deployed.machines
        for line in machine.logs().splitlines()
        # The machines' own probes don't come through nginx.
        if '"gunicorn.access"' in line and '"/readyz"' not in line
    ]
    return Counter((str(line.get("request_id")), str(line["path"])) for line in lines)


def _passed_on(deployed: Deployed) -> Counter[tuple[str, str]]:
    """Return the id and path of every request that nginx has logged as passed on."""
    lines = [line for line in deployed.nginx.access_log() if line["upstream"]]
    # nginx logs the path as it was sent, gunicorn decodes it.
    return Counter((line["request_id"], unquote(line["path"])) for line in lines)


PARTS: dict[str, Part] = {"smuggling": smuggling}

if __name__ == "__main__":
    sys.exit(play("deploy.drills.smuggling", __doc__, PARTS))
