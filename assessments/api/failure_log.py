"""Write refused calls to the failures log in the background, so that no call waits for it.

Calls gather in memory for some seconds. What is not written, because the database fails, the
process dies or too many calls gather, is lost: it only explains faults.
"""

from __future__ import annotations

import json
import logging
import threading

from django.db import connections
from django.http import HttpResponse
from django.utils import timezone
from prometheus_client import Counter

from assessments.models.refused_calls import RATE_LIMITED, RefusedCall
from tokens.models import AccessToken

logger = logging.getLogger(__name__)

GATHERED_AT_MOST = 1_000  # calls; those over a limit count once a minute, operation and project
SECONDS = 2.0  # for which calls gather

LOST = Counter(
    "assess_refused_calls_lost",
    "Refused calls that are missing in the failures log.",
    registry=None,
)


class FailureLog:
    """Refused calls of this process that are not written yet, and the timer that will do it."""

    def __init__(self) -> None:
        self._calls: dict[object, RefusedCall] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def note(self, call: RefusedCall) -> None:
        """Have a call written within some seconds. Never waits, never raises."""
        key: object = (call.project_id, call.operation, call.at) if call.is_counted else object()
        with self._lock:
            if key in self._calls:
                self._calls[key].count += call.count
            elif len(self._calls) < GATHERED_AT_MOST:
                self._calls[key] = call
            else:
                LOST.inc()
            if self._timer is None:
                self._start()

    def write(self) -> None:
        """Write the calls that have gathered, or count them as lost."""
        with self._lock:
            calls, self._calls = list(self._calls.values()), {}
        try:
            RefusedCall.objects.store(calls)
        except Exception:  # later calls must be written, whatever the database raises
            LOST.inc(sum(call.count for call in calls))
            logger.warning("%s rows of the failures log were not written.", len(calls))

    def _start(self) -> None:
        """Start the timer. If the system has no thread to give, the next call tries again."""
        timer = threading.Timer(SECONDS, self._run)
        try:
            timer.start()
        except RuntimeError:
            return
        self._timer = timer

    def _run(self) -> None:
        """Write what has gathered; one thread at a time, however slow the database is."""
        self.write()
        # Refusals are rare, so the connection is not kept for the next ones.
        connections.close_all()
        with self._lock:
            self._timer = None
            if self._calls:
                self._start()


# A process that ends waits for the timer. One that forks has not served a call.
LOG = FailureLog()


def note(name: str, token: AccessToken, response: HttpResponse) -> None:
    """Note the refusal of a call whose secret was right, without any value that was sent."""
    problem = json.loads(response.content)
    at = timezone.now()
    fields = [{"field": e["field"], "code": e["code"]} for e in problem.get("errors", ())]
    if reason := problem.get("reason"):
        wrong = "projectId" if reason == "wrong_project" else "X-Access-Token"
        fields = [{"field": wrong, "code": reason}]
    if response.status_code == RATE_LIMITED:
        at = at.replace(second=0, microsecond=0)
    LOG.note(
        RefusedCall(
            project_id=token.project_id,
            access_token_id=token.pk,
            at=at,
            request_id=problem["requestId"],
            operation=name,
            status=response.status_code,
            code=problem["code"],
            fields=fields,
        )
    )
