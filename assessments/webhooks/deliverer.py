"""Deliver webhooks: lease what is due, send it from threads, note the outcomes.

Only the main thread talks to the database, and no transaction is open while a call runs. A crash
leaves leases behind; when they expire, the same events are sent again, with the same ids.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from time import monotonic

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from assessments.api.webhook_bodies import body_of
from assessments.models import WebhookEvent
from assessments.models.webhook_sweep import store_past_ends
from assessments.webhooks.sending import Delivery, Outcome, send
from assessments.webhooks.signing import headers_of
from partners.models import LastSuccess
from partners.models.last_successes import WEBHOOKS

logger = logging.getLogger(__name__)

ACTOR = "command:deliver_webhooks"
CALLS_AT_ONCE = 16
# So that receivers that hang leave room for the others.
OF_ONE_ENDPOINT = 4
POLL_SECONDS = 1.0
SWEEP_SECONDS = 15.0
AFTER_DATABASE_ERROR_SECONDS = 5.0


class Deliverer:
    """Sends what is due, several events at once."""

    def __init__(self) -> None:
        self._calls: dict[Future[Outcome], WebhookEvent] = {}
        self._next_sweep = 0.0
        self.delivered = self.failed = 0

    def run(self, stopping: threading.Event) -> None:
        """Deliver until `stopping` is set, then wait for the calls that run."""
        with ThreadPoolExecutor(CALLS_AT_ONCE) as pool:
            while not stopping.is_set():
                try:
                    self._sweep()
                    self._begin(pool)
                    if not self._calls:
                        stopping.wait(POLL_SECONDS)
                    self._note(POLL_SECONDS)
                except DatabaseError:
                    # What was sent meanwhile is sent again once its lease has expired.
                    logger.exception("Webhooks: the database failed.")
                    connection.close()
                    stopping.wait(AFTER_DATABASE_ERROR_SECONDS)
            self._finish()

    def run_once(self) -> None:
        """Deliver what is due now, including what falls due meanwhile, and return."""
        with ThreadPoolExecutor(CALLS_AT_ONCE) as pool:
            self._sweep()
            while self._begin(pool) or self._calls:
                self._note(POLL_SECONDS)

    def _sweep(self) -> None:
        if monotonic() >= self._next_sweep:
            store_past_ends()
            LastSuccess.objects.note(WEBHOOKS)
            self._next_sweep = monotonic() + SWEEP_SECONDS

    def _begin(self, pool: ThreadPoolExecutor) -> int:
        """Lease events that are due and begin to send them, as far as there is room."""
        begun = 0
        of_endpoints = Counter(event.endpoint_id for event in self._calls.values())
        room = CALLS_AT_ONCE - len(self._calls)
        busy = [pk for pk, count in of_endpoints.items() if count >= OF_ONE_ENDPOINT]
        candidates = WebhookEvent.objects.candidates(room, except_for=busy) if room else []
        for event in candidates:
            if event.student and event.student.is_erased:
                event.delete()
                continue
            if of_endpoints[event.endpoint_id] >= OF_ONE_ENDPOINT or not event.lease():
                continue
            of_endpoints[event.endpoint_id] += 1
            begun += 1
            secrets = event.endpoint.secrets_at(timezone.now())
            self._calls[pool.submit(_send, event, body_of(event), secrets)] = event
        return begun

    def _note(self, timeout: float | None) -> None:
        """Wait until a call has ended, and store the outcome of each that has."""
        done, _ = wait(self._calls, timeout, FIRST_COMPLETED)
        for call in done:
            event = self._calls.pop(call)
            outcome = call.result()
            if outcome.error:
                self.failed += 1
                event.failed(outcome.status, outcome.error, actor=ACTOR)
            else:
                self.delivered += 1
                event.delivered(outcome.status or 0)
            # No address: it may contain a password.
            logger.info(
                "Webhook %s of %s, try %d: %s",
                *(event.event_id, event.endpoint, event.tries, outcome.error or outcome.status),
            )

    def _finish(self) -> None:
        """Note the outcomes of the calls that run, as far as the database answers."""
        while self._calls:
            try:
                self._note(None)
            except DatabaseError:
                logger.exception("Webhooks: the database failed.")
                connection.close()


def _send(event: WebhookEvent, body: str, secrets: list[str]) -> Outcome:
    """Make the call, signed with the time of this try. Runs in a thread, without the database."""
    headers = headers_of(event.event_id, body, secrets, datetime.now(UTC))
    delivery = Delivery(event.endpoint.url, headers, body)
    return send(delivery, test_receiver=settings.WEBHOOK_TEST_RECEIVER)
