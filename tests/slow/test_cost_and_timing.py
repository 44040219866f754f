"""What a request may cost and tell: bodies made to be expensive, and the time of a refusal."""

import http.client
import json
import random
import statistics
import time
from contextlib import closing
from pathlib import Path

import pytest

from config.logging import redact
from tests.support import cpu
from tests.support.clients import Partner
from tokens import crypto

PATH = "/partner/get-assessments-info"
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
ROUNDS = 1000
# The slowest median by the quickest, of 5,000 rounds; and of fewer, which are less exact.
SPREAD, ROUGH_SPREAD, MANY = 1.05, 1.10, 5000
EMAILS = {
    "unknown": "snone@example.com",
    "in progress": "sopen@example.com",
    "another project's": "sother@example.com",
}


@pytest.fixture
def one_worker(start_service):
    return start_service(WEB_CONCURRENCY="1")


def connect(service):
    return closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=60))


def post(connection, credential, body):
    """Return the status of a call, and its body but for the request id."""
    headers = {"Content-Type": "application/json", "X-Access-Token": credential}
    connection.request("POST", PATH, body, headers)
    response = connection.getresponse()
    content = response.read().replace(response.headers["X-Request-ID"].encode(), b"")
    return response.status, content


@pytest.mark.slow
def test_each_body_is_refused_within_50_ms_and_5_megabytes(one_worker, times):
    sent, credential = 10 * times, Partner.onboarded(one_worker.manage).credential
    [worker] = cpu.descendants(one_worker.pid)
    process = Path("/proc") / str(worker)

    def send(body):
        with connect(one_worker) as connection:
            return post(connection, credential, body)[0]

    def peak():
        """Return the largest memory of the worker since it was forgotten, in bytes."""
        lines = (process / "status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if "VmHWM:" in line) * KILOBYTE

    at_first = cpu.resident_bytes(worker)
    for name, body in BOMBS.items():
        send(body)  # what is kept from the first one on
        before = cpu.seconds(worker)
        for _ in range(sent):
            (process / "clear_refs").write_text("5")  # forget the peak
            memory = cpu.resident_bytes(worker)
            assert send(body) == 400, name
            assert peak() - memory < 5 * KILOBYTE**2, name
        assert (cpu.seconds(worker) - before) / sent < 0.05, name
    # A request of DRF refers to itself, so its body waits for the garbage collector.
    assert cpu.resident_bytes(worker) - at_first < 50 * KILOBYTE**2


LINES = {each: (each * 20_000, 1, 1.0) for each in REPEATED}
LINES["a long path"] = ("Not Found: /" + "a%41" * 1_000, 100, 0.5)


@pytest.mark.parametrize(("line", "often", "seconds"), LINES.values(), ids=LINES)
def test_a_hostile_log_line_is_redacted_in_linear_time(line, often, seconds):
    began = time.process_time()
    for _ in range(often):
        redact(line)

    assert time.process_time() - began < seconds


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "status"), [("refusal", 401), ("empty result", 200)])
def test_the_time_of_an_answer_does_not_tell_its_cause(one_worker, times, kind, status):
    """A refusal: without the right secret, of an unknown, a live, a revoked and a closed token.

    An empty result: of an unknown address, one with an open attempt, one of another project.
    """
    good, other, revoked, closed = (Partner.onboarded(one_worker.manage) for _ in range(4))
    if kind == "refusal":
        one_worker.manage("revoke_token", revoked.credential.partition(":")[0], "--yes")
        close = "UPDATE partners_project SET closed_at = now() WHERE project_id = %s"
        one_worker.rows(close, (closed.project_id,))
        ids = {
            "unknown": (crypto.new_token_id(), good),
            "wrong secret": (good.credential.partition(":")[0], good),
            "revoked": (revoked.credential.partition(":")[0], revoked),
            "closed": (closed.credential.partition(":")[0], closed),
        }
        probes = {
            name: (f"{token_id}:{crypto.new_secret()}", each.project_id, EMAILS["unknown"])
            for name, (token_id, each) in ids.items()
        }
    else:
        for partner, student in ((good, "open"), (other, "other")):
            one_worker.call(
                "tests.support.prepare", f"start_in({partner.project_id!r}, {student!r})"
            )
        probes = {name: (good.credential, good.project_id, email) for name, email in EMAILS.items()}

    rounds, warm_up = ROUNDS * times, ROUNDS * times // 20
    taken = {name: [] for name in probes}
    answers = set()
    with connect(one_worker) as connection:
        for number in range(rounds + warm_up):
            for name in random.sample(list(probes), len(probes)):
                credential, project_id, email = probes[name]
                body = json.dumps({"projectId": project_id, "email": email}).encode()
                began = time.perf_counter()
                answers.add(post(connection, credential, body))
                taken[name] += [time.perf_counter() - began] if number >= warm_up else []

    assert {each[0] for each in answers} == {status}
    assert len(answers) == 1
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    spread = max(medians.values()) / min(medians.values())
    assert spread <= (SPREAD if rounds >= MANY else ROUGH_SPREAD), medians
