"""Bodies and log lines made to cost much: what each costs the service in time and memory."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from config.logging import redact
from tests.raw.connection import Caller, answers, exchange
from tests.raw.lines import call
from tests.support import cpu
from tests.support.figures import Figure, at_most, exactly
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
REPEATED = ["a", "1 ", "+1", "a@", "(", "sec", "token=", "1-2", "%40", "=", "a%41", "postgres://"]


def bombs(service: Service, caller: Caller, times: int) -> list[Figure]:
    """Send each bomb some times and once more; return the worst time, growth and status."""
    (worker,) = cpu.descendants(service.pid)
    took, grew, statuses = {}, {}, set()
    for name, body in BOMBS.items():
        sent = call(caller, body=body)
        spent = []
        for _ in range(times):
            began = time.perf_counter()
            statuses.add(status(service.port, sent))
            spent.append(time.perf_counter() - began)
        took[name] = statistics.median(spent) * 1000
        forget_peak(worker)
        before = cpu.resident_bytes(worker)
        statuses.add(status(service.port, sent))
        grew[name] = (peak(worker) - before) / KILOBYTE**2
    slowest, largest = max(took, key=took.__getitem__), max(grew, key=grew.__getitem__)
    return [
        exactly("bombs: answers other than 400", len(statuses - {400}), 0),
        at_most(f"bombs: slowest median, ms ({slowest})", took[slowest], 50),
        at_most(f"bombs: largest growth, MiB ({largest})", grew[largest], 5),
    ]


def status(port: int, sent: bytes) -> int:
    [answer] = answers(exchange(port, sent))
    return answer.status


def forget_peak(pid: int) -> None:
    """Let the kernel count a process's largest memory anew, from what it holds now."""
    (Path("/proc") / str(pid) / "clear_refs").write_text("5")


def peak(pid: int) -> int:
    """Return the largest memory of a process since then, in bytes."""
    for line in (Path("/proc") / str(pid) / "status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * KILOBYTE
    raise ValueError(f"process {pid} tells nothing of its memory")


def redaction() -> list[Figure]:
    """Take the secrets out of log lines that are hostile to the patterns which look for them."""
    took = {}
    for text in REPEATED:
        began = time.process_time()
        redact(text * 20_000)
        took[text] = time.process_time() - began
    slowest = max(took, key=took.__getitem__)
    began = time.process_time()
    for _ in range(100):
        redact("Not Found: /" + "a%41" * 1_000)
    path = (time.process_time() - began) * 10
    return [
        at_most(f"redaction: CPU seconds of 20,000 times {slowest!r}", took[slowest], 1),
        at_most("redaction: CPU milliseconds of a path of 4,000 characters", path, 5),
    ]
