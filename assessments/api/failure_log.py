"""Write refused calls to the failures log in the background, so that no call waits for it.

Calls gather in memory for some seconds. They are lost if the database fails, the process dies or
too many gather, which is acceptable in a log that only explains faults.
"""

from __future__ import annotations

import logging
import threading

from django.db import connections
from prometheus_client import Counter

from assessments.models.refused_calls import RefusedCall

logger = logging.getLogger(__name__)

MAX_GATHERED = 1_000  # calls; those over a limit count once a minute, operation and project
WRITE_AFTER = 2.0  # seconds

LOST = Counter(
    "assess_refused_calls_lost",
    "Refused calls that are missing in the failures log.",
    registry=None,
)


class FailureLog:
    """The refused calls of this process that are not written yet, and the timer to write them."""

    def __init__(self) -> None:
        self._calls: dict[object, RefusedCall] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def add(self, call: RefusedCall) -> None:
        """Have a call written within seconds. Never waits for the database, never raises."""
        key: object = (call.project_id, call.operation, call.at) if call.is_counted else object()
        with self._lock:
            if key in self._calls:
                self._calls[key].count += call.count
            elif len(self._calls) < MAX_GATHERED:
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
        """Start the timer. If the system refuses the thread, the next call tries again."""
        timer = threading.Timer(WRITE_AFTER, self._run)
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


# Python waits for the timer before it exits. Workers are forked before they serve a call.
LOG = FailureLog()
