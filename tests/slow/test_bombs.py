"""Bodies and log lines made to cost much: their cost in processor time and memory is bounded."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from config.logging import redact
from tests.support import cpu
from tests.support.server import Service

KILOBYTE = 1024
BOMBS = {
    "16,000 open lists": b"[" * 16_000,
    "8,000 lists in each other": b"[" * 8000 + b"]" * 8000,
    "2,000 objects in each other": b'{"a":' * 2000 + b"1" + b"}" * 2000,
    "200 kB of open lists": b"[" * 200_000,
    "a text of 16 kB": b'{"name": "' + b"x" * 16_000 + b'"}',
    "a text of 64 kB": b'{"name": "' + b"x" * 64_000 + b'"}',
    "a text of a megabyte": b'{"name": "' + b"x" * 1_000_000 + b'"}',
    "a text of escapes": b'{"name": "' + b"\\u0041" * 2600 + b'"}',
    "1,300 names": b"{" + b",".join(b'"%d":%d' % (n, n) for n in range(1300)) + b"}",
    "10,000 names": b"{" + b",".join(b'"%d":%d' % (n, n) for n in range(10_000)) + b"}",
    "one name 2,000 times": b"{" + b",".join([b'"a":1'] * 2000) + b"}",
    "8,000 numbers": b'{"a":[' + b"1," * 7900 + b"1]}",
    "5,000 objects": b'{"a":[' + b"{}," * 5000 + b"1]}",
    "a number of 16,000 digits": b'{"a": ' + b"9" * 16_000 + b"}",
    "a fraction of 16,000 digits": b'{"a": 0.' + b"9" * 16_000 + b"}",
    "an endless number": b'{"a": 1e999}',
    "16 kB of blanks": b" " * 16_000,
    "16 kB that are no UTF-8": b"\xff" * 16_000,
    "half of 2,600 characters": b'{"a": "' + b"\\ud800" * 2600 + b'"}',
}
# Close to what the patterns look for that hide secrets in log lines.
REPEATED = ["a", "1 ", "+1", "a@", "(", "sec", "token=", "1-2", "%40", "=", "a%41", "postgres://"]


@pytest.mark.slow
def test_each_body_is_refused_within_50_ms_and_5_megabytes(
    start_service: Callable[..., Service], times: int
) -> None:
    service, sent = start_service(WEB_CONCURRENCY="1"), 10 * times
    issued = json.loads(service.manage("onboard_partner", "Bombs", "--project", "Cost", "--json"))
    headers = {
        "Content-Type": "application/json",
        "X-Access-Token": f"{issued['TokenId']}:{issued['TokenSecret']}",
    }
    [worker] = cpu.descendants(service.pid)

    at_first = cpu.resident_bytes(worker)
    for name, body in BOMBS.items():
        status_of(service.port, body, headers)  # what is kept from the first one on
        before = cpu.seconds(worker)
        for _ in range(sent):
            memory = forget_peak(worker)
            assert status_of(service.port, body, headers) == 400, name
            assert peak(worker) - memory < 5 * KILOBYTE**2, name
        assert (cpu.seconds(worker) - before) / sent < 0.05, name
    # A request of DRF refers to itself, so its body waits for the garbage collector.
    assert cpu.resident_bytes(worker) - at_first < 50 * KILOBYTE**2


def status_of(port: int, body: bytes, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", "/partner/get-assessments-info", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


def forget_peak(pid: int) -> int:
    """Let the kernel count a process's largest memory anew; return what it holds now."""
    (Path("/proc") / str(pid) / "clear_refs").write_text("5")
    return cpu.resident_bytes(pid)


def peak(pid: int) -> int:
    """Return the largest memory of a process since then, in bytes."""
    status = (Path("/proc") / str(pid) / "status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * KILOBYTE


@pytest.mark.parametrize("text", REPEATED)
def test_a_hostile_log_line_is_redacted_in_linear_time(text: str) -> None:
    began = time.process_time()
    redact(text * 20_000)

    assert time.process_time() - began < 1


def test_redacting_a_long_path_takes_milliseconds() -> None:
    began = time.process_time()
    for _ in range(100):
        redact("Not Found: /" + "a%41" * 1_000)

    assert time.process_time() - began < 0.5
