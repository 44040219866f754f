"""Deliver webhooks: store ends by time, lease what is due, send it from threads, note the results.

Ends by an act are stored in their transaction: `WebhookEvent.objects.record_end`. Only the main
thread talks to the database, and no transaction is open during a call. A crash leaves leases
behind; when they expire, the same events are sent again, with the same ids.

A call goes to a public address that was checked, within ten seconds, without redirects. httpx
connects to that address, and its extension `sni_hostname` checks the certificate of the name.
urllib3 can do that too, but takes 103 for the final answer and refuses 101 headers.
"""

import contextlib
import functools
import json
import logging
import re
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import httpx
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.models import AssessmentLink, Attempt, WebhookEndpoint, WebhookEvent
from assessments.models.ended import Status
from assessments.models.feed import shown_until
from assessments.models.students import NOT_ERASED
from assessments.webhooks.endpoints import SendResult, is_loopback_url, is_public, validate_url
from assessments.webhooks.events import CHOICES, EventKind
from partners.models import Actor, LastSuccess
from partners.models.last_successes import WEBHOOKS
from partners.times import rfc3339

SECONDS = 10.0
# Of the ten, so that a second address is tried when the first does not answer.
SECONDS_TO_CONNECT = 4.0
MAX_ANSWER_BYTES = 64 * 1024
MAX_CONCURRENT = 16
# So that receivers that hang leave room for the others.
MAX_PER_ENDPOINT = 4
SWEEP_SECONDS = 15.0
BATCH = 500
# Looked through again each time, so that nothing is missed if a clock was set back.
SWEEP_OVERLAP = timedelta(hours=1)

# Why a try failed, for support and metrics.
ERRORS = {
    "status": "the receiver answered with another status than 2xx",
    "redirect": "the receiver answered with a redirect, which we don't follow",
    "timeout": "no complete answer within 10 seconds",
    "resolve": "the host name could not be resolved",
    "address": "the host name leads to an address that is not public",
    "connection": "the connection was refused or broke off",
    "tls": "no trusted TLS connection: check the certificate",
    "answer": "the answer was not HTTP",
}
_EXCEPTIONS: dict[type[Exception], str] = {
    ValidationError: "address",
    TimeoutError: "timeout",
    httpx.TimeoutException: "timeout",
    socket.gaierror: "resolve",
    UnicodeError: "resolve",
    ssl.SSLError: "tls",
    OSError: "connection",
}
_FAILURES = (ValidationError, OSError, RuntimeError, ValueError, httpx.HTTPError, httpx.InvalidURL)

logger = logging.getLogger(__name__)


def store_past_ends(until: datetime | None = None) -> int:
    """Store the events of all ends by time until `until`, for every endpoint. Return how many.

    The default is as far as `list-assessments` goes, so no attempt is completed after an event
    said that it was abandoned. Safe to run several times at once.
    """
    until = until or shown_until()
    late = Attempt.objects.filter(completed_at=None, abandoned_at=None)
    unused = AssessmentLink.objects.filter(used_at=None, cancelled_at=None)
    stored = 0
    for endpoint in WebhookEndpoint.objects.filter(swept_until__lt=until):
        since = max(endpoint.created_at, endpoint.swept_until - SWEEP_OVERLAP)
        for kind, key, rows, ends in (
            (EventKind.ABANDONED, "attempt_id", late, "finish_by_at"),
            (EventKind.LINK_EXPIRED, "link_id", unused, "expires_at"),
        ):
            if not getattr(endpoint, CHOICES[kind]):
                continue
            ended = rows.filter(
                NOT_ERASED,
                **{f"{ends}__gt": since, f"{ends}__lte": until},
                student__project=endpoint.project_id,
                webhook_events=None,
            ).order_by(ends, "pk")
            while found := list(ended.values_list("pk", ends)[:BATCH]):
                events = [WebhookEvent(kind=kind, **{key: pk}, happened_at=at) for pk, at in found]
                WebhookEvent.objects.store(endpoint, events, until)
                stored += len(found)
        # After all events are stored, and never backwards.
        behind = WebhookEndpoint.objects.filter(pk=endpoint.pk, swept_until__lt=until)
        behind.update(swept_until=until)
    return stored


def body_of(event: WebhookEvent) -> str:
    """Return the JSON of an event, as its attempt or link is now."""
    attempt, link, data = event.attempt, event.link, dict[str, Any]()
    if attempt:
        status = Status.COMPLETED if attempt.completed_at else Status.ABANDONED
        data = {"AssessmentId": attempt.assessment_id, "Status": status.value}
        data["EndedAt"] = rfc3339(attempt.ends_at)
    elif link:
        data = {"LinkId": link.link_id, "ExpiresAt": rfc3339(link.expires_at)}
    if data and event.endpoint.sends_reference:
        if attempt:
            of_attempt = Attempt.objects.filter(pk=attempt.pk)
            link = AssessmentLink.objects.that_started(of_attempt).first()
        data["Reference"] = (link.reference or None) if link else None
    body = {"type": event.kind, "timestamp": rfc3339(event.happened_at), "data": data}
    return json.dumps(body, separators=(",", ":"))


def headers_of(event_id: str, body: str, secrets: Sequence[str], at: datetime) -> dict[str, str]:
    """Return the headers of one try, signed with each secret. `at` is in UTC."""
    signatures = [Webhook(secret).sign(event_id, at, body) for secret in secrets]
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def send(url: str, headers: Mapping[str, str], body: str, seconds: float = SECONDS) -> SendResult:
    """Resolve, check, connect and post, once. A failure of the call is a result too."""
    try:
        return anyio.run(_send, url, headers, body, seconds)
    except _FAILURES as error:
        return SendResult(None, _name_of(error))


def _name_of(error: BaseException) -> str:
    """Return which of ERRORS an exception, or its cause, is."""
    cause: BaseException | None = error
    while cause:
        for kind, code in _EXCEPTIONS.items():
            if isinstance(cause, kind):
                return code
        cause = cause.__cause__ or cause.__context__
    return "connection" if isinstance(error, httpx.NetworkError) else "answer"


async def _send(url: str, headers: Mapping[str, str], body: str, seconds: float) -> SendResult:
    with anyio.fail_after(seconds):
        validate_url(url)
        parts = urlsplit(url)
        host = (parts.hostname or "").removesuffix(".")  # a certificate has no full stop there
        # A resolver that hangs is left behind at the deadline.
        addresses = await anyio.to_thread.run_sync(_resolve, host, abandon_on_cancel=True)
        if not is_loopback_url(url) and not all(map(is_public, addresses)):
            return SendResult(None, "address")
        all_headers = {
            "Host": parts.netloc.removesuffix(":443").removesuffix("."),
            "Content-Type": "application/json",
            "User-Agent": "assessment-webhooks/1",
            "Connection": "close",
            **headers,
        }
        timeout = httpx.Timeout(seconds, connect=SECONDS_TO_CONNECT)
        # `trust_env`: a proxy would choose the address.
        async with httpx.AsyncClient(verify=_tls(), timeout=timeout, trust_env=False) as client:
            for address in addresses:
                request = client.build_request(
                    "POST",
                    httpx.URL(url).copy_with(host=address),
                    content=body,
                    headers=all_headers,
                    extensions={"sni_hostname": host},
                )
                try:
                    return await _post(client, request)
                except (httpx.ConnectError, httpx.ConnectTimeout):
                    if address == addresses[-1]:
                        raise
    raise AssertionError("a name has an address")


def _resolve(host: str) -> list[str]:
    entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return one context for all connections: loading the certificates takes some 20 ms."""
    return ssl.create_default_context()


async def _post(client: httpx.AsyncClient, request: httpx.Request) -> SendResult:
    response = await client.send(request, stream=True)
    # Only the status counts. Read the body anyway: some receivers fail if nobody does.
    with contextlib.suppress(httpx.HTTPError):
        async for _ in response.aiter_raw():
            if response.num_bytes_downloaded >= MAX_ANSWER_BYTES:
                break
    error = {2: "", 3: "redirect"}.get(response.status_code // 100, "status")
    return SendResult(
        response.status_code, error, _pause_of(response.headers.get("Retry-After", ""))
    )


def _pause_of(retry_after: str) -> timedelta:
    """Return the pause of a Retry-After header, seconds or a date; at most an hour."""
    if re.fullmatch("[0-9]{1,9}", retry_after):
        pause = timedelta(seconds=int(retry_after))
    else:
        try:
            pause = parsedate_to_datetime(retry_after) - timezone.now()
        except (ValueError, TypeError, OverflowError):
            return timedelta(0)
    return min(max(pause, timedelta(0)), timedelta(hours=1))


class Deliverer:
    def __init__(self) -> None:
        self._calls: dict[Future[SendResult], WebhookEvent] = {}
        self._next_sweep = 0.0
        self.counts = Counter(delivered=0, failed=0)

    def run(self, stopping: threading.Event) -> None:
        """Deliver until `stopping` is set and all calls have ended."""
        with ThreadPoolExecutor(MAX_CONCURRENT) as pool:
            while self._calls or not stopping.is_set():
                try:
                    if not stopping.is_set():
                        self.begin(pool)
                    self.finish()
                    if not self._calls:
                        stopping.wait(1)
                except DatabaseError:
                    # What was sent meanwhile is sent again once its lease has expired.
                    logger.exception("Webhooks: the database failed.")
                    connection.close()
                    stopping.wait(5)

    def run_once(self) -> None:
        """Deliver what is due, and what falls due meanwhile, then return."""
        with ThreadPoolExecutor(MAX_CONCURRENT) as pool:
            while self.begin(pool) or self._calls:
                self.finish()

    def begin(self, pool: ThreadPoolExecutor) -> int:
        """Lease due events and begin to send them, as many as there is room for."""
        if monotonic() >= self._next_sweep:
            store_past_ends()
            LastSuccess.objects.note(WEBHOOKS)
            self._next_sweep = monotonic() + SWEEP_SECONDS
        begun, room = 0, MAX_CONCURRENT - len(self._calls)
        calls_to = Counter(event.endpoint_id for event in self._calls.values())
        busy = [pk for pk, count in calls_to.items() if count >= MAX_PER_ENDPOINT]
        for event in WebhookEvent.objects.candidates(room, except_for=busy) if room else ():
            about = event.attempt or event.link
            if about and about.student.is_erased:
                event.delete()
            elif calls_to[event.endpoint_id] < MAX_PER_ENDPOINT and event.lease():
                calls_to[event.endpoint_id] += 1
                begun += 1
                body, now = body_of(event), timezone.now()
                headers = headers_of(event.event_id, body, event.endpoint.secrets_at(now), now)
                self._calls[pool.submit(send, event.endpoint.url, headers, body)] = event
        return begun

    def finish(self) -> None:
        """Wait up to a second for a call to end. Note the results of all that have ended."""
        for call in wait(self._calls, 1, FIRST_COMPLETED).done:
            event, result = self._calls.pop(call), call.result()
            self.counts["failed" if result.error else "delivered"] += 1
            event.finish(result, by=Actor("command:deliver_webhooks"))
            # No address: it may contain a password.
            logger.info(
                "Webhook %s of %s, try %d: %s",
                *(event.event_id, event.endpoint, event.tries, result.error or result.status),
            )
