"""Write refused calls to the failures log in the background, so that no call waits for it.

Calls wait in memory for some seconds. If a fault loses them, only an explanation is missing.
"""

import logging
import threading

from django.db import connections
from prometheus_client import Counter

from assessments.models.refused_calls import RefusedCall

logger = logging.getLogger(__name__)

MAX_WAITING = 1_000  # rows, which calls over a limit or with an ended token share
WRITE_AFTER = 2.0  # seconds

LOST = Counter(
    "assess_refused_calls_lost",
    "Refused calls that are missing in the failures log.",
    registry=None,
)


class FailureLog:
    def __init__(self) -> None:
        self._calls: dict[object, RefusedCall] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def add(self, call: RefusedCall) -> None:
        """Have a call written within seconds. Never waits for the database or raises."""
        key = call.shares_row
        with self._lock:
            if key in self._calls:
                self._calls[key].count += call.count
            elif len(self._calls) < MAX_WAITING:
                self._calls[key] = call
            else:
                LOST.inc()
            if self._timer is None:
                self._start()

    def write(self) -> None:
        """Write the calls that wait. If that fails, count them as lost."""
        with self._lock:
            calls, self._calls = list(self._calls.values()), {}
        try:
            RefusedCall.objects.store(calls)
        except Exception:  # later calls must be written, whatever the database raises
            LOST.inc(sum(call.count for call in calls))
            logger.warning("%s rows of the failures log were not written.", len(calls))

    def _start(self) -> None:
        """Start the timer. If no thread can be started, the next call tries again."""
        timer = threading.Timer(WRITE_AFTER, self._run)
        try:
            timer.start()
        except RuntimeError:
            return
        self._timer = timer

    def _run(self) -> None:
        # The next timer starts after this, so that only one thread writes to a slow database.
        self.write()
        # Refusals are rare: don't keep the connection for the next ones.
        connections.close_all()
        with self._lock:
            self._timer = None
            if self._calls:
                self._start()


# Python waits for the timer before it exits. Workers are forked before they serve a call.
LOG = FailureLog()
