"""Tokens that end while sixteen backends call with them, without a pause."""

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

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


class Call(NamedTuple):
    """One call: its start and end on the monotonic clock, which all processes share."""

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
        fields = {"projectId": project_id, "email": f"caller-{number}@example.com"}
        body = json.dumps(fields | {"name": f"Caller {number}", "mobile": "9876543210"})
        calls, left = [], AFTER_THE_END
        while left:
            left -= self.stopping.is_set()
            for credential in tuple(self.credentials):
                headers = {"Content-Type": "application/json", "X-Access-Token": credential}
                began = time.monotonic()
                connection.request("POST", (LINK, RESULTS)[number % 2], body, headers)
                response = connection.getresponse()
                response.read()
                calls.append(Call(credential, began, time.monotonic(), response.status))
            if len(calls) == 1:
                self.came_in.wait()
        connection.close()
        return calls


@pytest.fixture(scope="module")
def busy_service(redis_server, tmp_path_factory):
    """Give a service of 4 workers of 4 threads, and its staff; its rows must end up sound."""
    environment = {"REDIS_URL": redis_server.url, "WEB_CONCURRENCY": "4"}
    service = Service("postgresql", tmp_path_factory.mktemp("busy"), **environment)
    try:
        service.prepare()
        service.start()
        with TokenStaff(service) as staff:
            yield service, staff
        assert service.call("tests.support.invariants", "violations()") == []
        service.assert_no_leaks()
    finally:
        service.close()


@pytest.mark.parametrize("end", ["revoke", "rotate", "overlap", "expiry"])
def test_no_call_that_begins_after_the_end_is_let_in_and_none_before_is_refused(
    busy_service, times, end
):
    """`rotate` ends the old token at once, `overlap` some time later, `expiry` by the clock."""
    service, staff = busy_service
    for _ in range(2 * times):
        project_id = Partner.onboarded(service.manage).project_id
        lifetime = LIFETIME if end == "expiry" else None
        done = staff.do("issue", project_id=project_id, seconds=lifetime)
        old, new, token_id = done["credential"], "", done["credential"].partition(":")[0]
        callers = Callers(service.port, project_id, old)
        callers.came_in.wait()
        if end == "revoke":
            done = staff.do("revoke", token_id=token_id)
        elif end != "expiry":
            overlap = OVERLAP if end == "overlap" else 0
            done = staff.do("rotate", token_id=token_id, overlap=overlap)
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
        assert len(after) >= AFTER_THE_END * CALLERS
        assert all(call.status == OK for call in calls if call.credential == new)
