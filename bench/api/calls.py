"""Calls of the two operations, and a client that keeps several connections busy with them."""

import hashlib
import http.client
import itertools
import json
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from tests.support import cpu

CONNECTIONS = 16  # at once
NO_LIMIT = "100000000"  # calls a minute: counted, but never reached
REDIRECT = re.compile(rb'\{"redirect-url":"http://[0-9.:]+/[^/?"]+/assessment\?token=[\w-]{22}"\}')
RECORD = {"AssessmentId", "Status", "Recommendations", "AssessmentDuration"}


def ask(path, credential, fields, is_right, connection):
    """Send a call and return the body of its answer, which has to be right."""
    headers = {"Content-Type": "application/json", "X-Access-Token": credential}
    connection.request("POST", path, json.dumps(fields), headers)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200 and is_right(body), (path, response.status, body)
    return body


class Calls:
    """Endless calls, functions of a connection. Student n is in project n % partners."""

    def __init__(self, partners, students):
        self.partners, self.students = partners, students
        self._draw = random.Random("students")
        self._new = itertools.count(students + 1)

    def link(self):
        """Ask for links, alternately for known and for new students."""
        while True:
            for number in (self._known(), next(self._new)):
                details = {"name": f"Student {number}", "mobile": f"98{number % 10**8:08}"}
                yield self._call("get-redirect-url", number, REDIRECT.fullmatch, details)

    def results(self, numbers=()):
        """Ask for the results of these students, then of random known ones."""
        for number in itertools.chain(numbers, iter(self._known, None)):
            is_right = is_one_record if number % 5 else b"[]".__eq__
            yield self._call("get-assessments-info", number, is_right, {})

    def _known(self):
        return self._draw.randint(1, self.students)

    def _call(self, operation, number, is_right, details):
        partner = self.partners[number % len(self.partners)]
        # Scattered over the alphabet, like real addresses.
        email = f"{hashlib.md5(str(number).encode()).hexdigest()[:8]}.{number}@example.com"
        fields = {"projectId": partner.project_id, "email": email, **details}
        return partial(ask, f"/partner/{operation}", partner.credential, fields, is_right)


OPERATIONS = {"link": Calls.link, "results": Calls.results}


@dataclass(frozen=True)
class Side:
    """A server under load: its port, the first process of each program, and its calls."""

    name: str
    port: int
    pids: tuple[int, int, int]  # web server, PostgreSQL, Redis
    calls: Calls


def is_one_record(body):
    [record] = json.loads(body)
    return set(record) == RECORD and record["Status"] == "Completed"


def measured(pids, work):
    """Return the list that `work` returns, and the CPU ms of an entry by program."""
    before = [cpu.seconds(pid) for pid in pids]
    done = work()
    after = [cpu.seconds(pid) for pid in pids]
    return done, [1000 * (b - a) / len(done) for a, b in zip(before, after, strict=True)]


def run(port, calls, seconds, connections):
    """Call for some seconds over keep-alive connections; return the seconds of each answer."""
    until = time.monotonic() + seconds
    lock = threading.Lock()

    def one_connection(_):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        took = []
        while (begun := time.monotonic()) < until:
            with lock:
                call = next(calls)
            call(connection)
            took.append(time.monotonic() - begun)
        connection.close()
        return took

    with ThreadPoolExecutor(connections) as threads:
        return list(itertools.chain(*threads.map(one_connection, range(connections))))


def send(port, calls, count):
    """Send `count` calls on one connection and return the bodies of the answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    bodies = [call(connection) for call in itertools.islice(calls, count)]
    connection.close()
    return bodies
