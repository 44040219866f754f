"""Tokens that end while sixteen backends call both operations with them, without a pause."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from tests.support import invariants
from tests.support.clients import Partner
from tests.support.server import Service
from tests.support.token_staff import TokenStaff

pytestmark = pytest.mark.slow

OK, UNAUTHORIZED = 200, 401
CALLERS = 16
AFTER_THE_END = 5  # calls that a caller still makes with each credential
LINK, RESULTS = "/partner/get-redirect-url", "/partner/get-assessments-info"
# Seconds that a token lives which expires by itself, and one that was rotated with an overlap.
LIFETIME, OVERLAP = 1.0, 0.5
EVENTS = {"revoke": "token.revoked", "rotate": "token.rotated", "overlap": "token.rotated"}


@dataclass(frozen=True)
class Call:
    """One call: its start and end on the monotonic clock, which all processes share."""

    caller: int
    operation: str
    credential: str
    began: float
    ended: float
    status: int


class Callers:
    """Backends that keep calling with each of the `credentials`, until told to stop."""

    def __init__(self, port, project_id, credential):
        self.credentials = [credential]
        self.stopping = threading.Event()
        self.came_in = threading.Barrier(CALLERS + 1, timeout=60)
        self.pool = ThreadPoolExecutor(CALLERS)
        go_on = self.pool.submit
        self.calls = [go_on(self.call, port, project_id, number) for number in range(CALLERS)]

    def stop(self):
        """Return all calls, once each caller has called some more times."""
        self.stopping.set()
        calls = [call for called in self.calls for call in called.result(120)]
        self.pool.shutdown()
        return calls

    def call(self, port, project_id, number):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        operation = (LINK, RESULTS)[number % 2]
        fields = {"projectId": project_id, "email": f"caller-{number}@example.com"}
        details = {"name": f"Caller {number}", "mobile": "9876543210"}
        body = json.dumps(fields | details if operation == LINK else fields)
        calls = []
        left = AFTER_THE_END
        while left:
            left -= self.stopping.is_set()
            for credential in tuple(self.credentials):
                headers = {"Content-Type": "application/json", "X-Access-Token": credential}
                began = time.monotonic()
                connection.request("POST", operation, body, headers)
                response = connection.getresponse()
                response.read()
                call = began, time.monotonic(), response.status
                calls.append(Call(number, operation, credential, *call))
            if len(calls) == 1:
                self.came_in.wait()
        connection.close()
        return calls


@pytest.fixture(scope="module")
def busy_service(redis_server, tmp_path_factory):
    """Give a service of 4 workers of 4 threads; at the end, its rows must be sound."""
    environment = {"REDIS_URL": redis_server.url, "WEB_CONCURRENCY": "4"}
    service = Service("postgresql", tmp_path_factory.mktemp("busy"), **environment)
    try:
        service.prepare()
        service.start()
        yield service
        assert invariants.violations_of(service) == []
        lines = [json.loads(line) for line in service.logs().splitlines()]
        crashes = [line for line in lines if line["level"] == "ERROR"]
        assert max(line.get("status", 0) for line in lines) < 500, crashes
        service.assert_no_leaks()
    finally:
        service.close()


@pytest.fixture(scope="module")
def staff(busy_service):
    with TokenStaff(busy_service) as staff:
        yield staff


@pytest.mark.parametrize("end", ["revoke", "rotate", "overlap", "expiry"])
def test_no_call_that_begins_after_the_end_is_let_in_and_none_before_is_refused(
    busy_service, staff, times, end
):
    """`rotate` ends the old token at once, `overlap` some time later, `expiry` by the clock."""
    partner = Partner.onboarded(busy_service.manage)
    for _ in range(2 * times):
        lifetime = LIFETIME if end == "expiry" else None
        done = staff.do("issue", project_id=partner.project_id, seconds=lifetime)
        old, new = done["credential"], ""
        callers = Callers(busy_service.port, partner.project_id, old)
        callers.came_in.wait()
        if end == "revoke":
            done = staff.do("revoke", token_id=id_of(old))
        elif end != "expiry":
            overlap = OVERLAP if end == "overlap" else 0
            done = staff.do("rotate", token_id=id_of(old), overlap=overlap)
            new = done["credential"]
            callers.credentials.append(new)
        # Let in until the end was asked for; refused after its commit, or when the clock says so.
        ends = done["ends"]
        begun = done["begun"] if end in {"revoke", "rotate"} else ends
        time.sleep(max(0.0, ends - time.monotonic()))
        calls = callers.stop()

        with_old = [call for call in calls if call.credential == old]
        after = [call for call in with_old if call.began > ends]
        assert {call.status for call in with_old} <= {OK, UNAUTHORIZED}
        assert {call.status for call in with_old if call.ended < begun} == {OK}
        assert {call.status for call in after} == {UNAUTHORIZED}
        assert {call.caller for call in after} == set(range(CALLERS))
        assert len(after) >= AFTER_THE_END * CALLERS
        assert all(call.status == OK for call in calls if call.credential == new)
        for credential in filter(None, (old, new)):
            made = credential, LINK, OK
            links = [
                each for each in calls if (each.credential, each.operation, each.status) == made
            ]
            [stored] = busy_service.rows(
                "SELECT count(*) AS links FROM assessments_assessmentlink l"
                " JOIN tokens_accesstoken t ON t.id = l.access_token_id WHERE t.token_id = %s",
                (id_of(credential),),
            )
            assert stored["links"] == len(links)
        written = busy_service.rows(
            "SELECT action FROM partners_auditevent WHERE object_id = %s ORDER BY action",
            (id_of(old),),
        )
        events = ["token.issued", *([EVENTS[end]] if end in EVENTS else [])]
        assert [row["action"] for row in written] == events
        if new:
            staff.do("revoke", token_id=id_of(new))


def id_of(credential):
    return credential.partition(":")[0]
