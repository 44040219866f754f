"""Deliver webhooks: lease what is due, send it from threads, note the outcomes.

Only the main thread talks to the database, and no transaction is open while a call runs. A crash
leaves leases behind; when they expire, the same events are sent again, with the same ids.
A call goes to a public address that was checked, within ten seconds, without redirects. No HTTP
client lets us choose the address and limit the whole call, name resolution included.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import logging
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.webhooks.events import body_of, store_past_ends
from assessments.webhooks.models import WebhookEvent, is_loopback_url, validate_url
from partners.models import LastSuccess
from partners.models.last_successes import WEBHOOKS

SECONDS = 10.0
# Of the ten, so that a second address is tried when the first does not answer.
SECONDS_TO_CONNECT = 4.0
CALLS_AT_ONCE = 16
# So that receivers that hang leave room for the others.
OF_ONE_ENDPOINT = 4
SWEEP_SECONDS = 15.0

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
# The first that fits; any other exception is an "answer".
_EXCEPTIONS: dict[type[Exception], str] = {
    ValidationError: "address",
    TimeoutError: "timeout",
    socket.gaierror: "resolve",
    ssl.SSLError: "tls",
    OSError: "connection",
}
# Listed here and not taken from `is_global`, whose answers differ between versions of Python:
# private and special networks, multicast, reserved, broadcast; Teredo, ORCHID and other protocols,
# documentation, 6to4, documentation.
_REFUSED = [
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]
# Global unicast. Mapped and translated addresses (::ffff:0:0/96, NAT64's 64:ff9b::/96), loopback,
# local and multicast ones are outside.
_IPV6 = ip_network("2000::/3")

logger = logging.getLogger(__name__)


def is_public(address: str) -> bool:
    """Return whether an IP address is a public one that contains or reaches no other network."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and (ip.scope_id or ip not in _IPV6):
        return False
    return ip.is_global and not any(ip in network for network in _REFUSED)


def headers_of(event_id: str, body: str, secrets: Sequence[str], at: datetime) -> dict[str, str]:
    """Return the headers of one try at this time, in UTC, signed with each of these secrets."""
    at = at.replace(microsecond=0)
    signatures = [Webhook(secret).sign(event_id, at, body) for secret in secrets]
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


class Outcome(NamedTuple):
    """The receiver's status, if it answered; `error` is "" after a 2xx, else one of ERRORS."""

    status: int | None
    error: str = ""


def send(url: str, headers: Mapping[str, str], body: str, seconds: float = SECONDS) -> Outcome:
    """Resolve, check, connect and post, once.

    Raises no error of the call, nor of this machine, such as one of too many open files.
    """
    deadline = monotonic() + seconds
    is_over = threading.Event()
    try:
        validate_url(url)
        parts = urlsplit(url)
        is_test = is_loopback_url(url)
        port = parts.port or (80 if is_test else 443)
        addresses = _resolve(parts.hostname or "", port, deadline)
        if not is_test and not all(map(is_public, addresses)):
            return Outcome(None, "address")
        # A second handle, so that no thread touches a TLS socket that another one reads.
        with _connect(addresses, port, deadline) as plain, plain.dup() as handle:
            # A socket's own time-out begins anew with each byte that arrives.
            timer = threading.Timer(max(0.0, deadline - monotonic()), _end, (handle, is_over))
            timer.daemon = True
            timer.start()
            try:
                status = _post(parts, plain, headers, body)
            finally:
                timer.cancel()
    except (ValidationError, OSError, ValueError, RuntimeError, http.client.HTTPException) as error:
        code = next((c for kind, c in _EXCEPTIONS.items() if isinstance(error, kind)), "answer")
        return Outcome(None, "timeout" if is_over.is_set() else code)
    # A connection that was ended can look like the end of an answer.
    if is_over.is_set():
        return Outcome(None, "timeout")
    return Outcome(status, {2: "", 3: "redirect"}.get(status // 100, "status"))


def _resolve(host: str, port: int, deadline: float) -> list[str]:
    """Return the addresses of a host. A resolver that hangs is left behind at the deadline."""
    found: list[str] = []

    def look_up() -> None:
        with contextlib.suppress(OSError, UnicodeError):
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(str(entry[4][0]) for entry in entries))

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(max(0.0, deadline - monotonic()))
    if not found:
        raise TimeoutError if thread.is_alive() else socket.gaierror
    return found


def _connect(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first of these addresses that answers."""
    error: OSError = TimeoutError()
    for address in addresses:
        left = min(SECONDS_TO_CONNECT, deadline - monotonic())
        if left <= 0:
            raise TimeoutError
        try:
            plain = socket.create_connection((address, port), timeout=left)
        except OSError as failed:
            error = failed
        else:
            plain.settimeout(SECONDS)
            return plain
    raise error


def _end(handle: socket.socket, is_over: threading.Event) -> None:
    is_over.set()
    with contextlib.suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: loading the certificates takes some 20 ms."""
    return ssl.create_default_context()


def _post(parts: SplitResult, plain: socket.socket, headers: Mapping[str, str], body: str) -> int:
    """Send the request over a connection that is there already. Return the status."""
    host = parts.hostname or ""
    client = http.client.HTTPConnection(host)
    is_secure = parts.scheme == "https"
    client.sock = _tls().wrap_socket(plain, server_hostname=host) if is_secure else plain
    all_headers = {
        "Host": parts.netloc.removesuffix(":443"),
        "Content-Type": "application/json",
        "User-Agent": "assessment-webhooks/1",
        "Connection": "close",
        **headers,
    }
    with contextlib.closing(client):
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        client.request("POST", target, body.encode(), all_headers)
        response = client.getresponse()
        # The status decides, even if the rest breaks off.
        with contextlib.suppress(OSError, http.client.HTTPException):
            response.read(64 * 1024)
        return response.status


class Deliverer:
    """Sends what is due, several events at once."""

    def __init__(self) -> None:
        self._calls: dict[Future[Outcome], WebhookEvent] = {}
        self._next_sweep = 0.0
        self.delivered = self.failed = 0

    def run(self, stopping: threading.Event) -> None:
        """Deliver until `stopping` is set and the calls that run have ended."""
        with ThreadPoolExecutor(CALLS_AT_ONCE) as pool:
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
        """Deliver what is due now, including what falls due meanwhile, and return."""
        with ThreadPoolExecutor(CALLS_AT_ONCE) as pool:
            while self.begin(pool) or self._calls:
                self.finish()

    def begin(self, pool: ThreadPoolExecutor) -> int:
        """Lease events that are due and begin to send them, as far as there is room."""
        if monotonic() >= self._next_sweep:
            store_past_ends()
            LastSuccess.objects.note(WEBHOOKS)
            self._next_sweep = monotonic() + SWEEP_SECONDS
        begun, room = 0, CALLS_AT_ONCE - len(self._calls)
        calls_to = Counter(event.endpoint_id for event in self._calls.values())
        busy = [pk for pk, count in calls_to.items() if count >= OF_ONE_ENDPOINT]
        for event in WebhookEvent.objects.candidates(room, except_for=busy) if room else ():
            about = event.assessment or event.link
            if about and about.student.is_erased:
                event.delete()
            elif calls_to[event.endpoint_id] < OF_ONE_ENDPOINT and event.lease():
                calls_to[event.endpoint_id] += 1
                begun += 1
                body, now = body_of(event), timezone.now()
                headers = headers_of(event.event_id, body, event.endpoint.secrets_at(now), now)
                self._calls[pool.submit(send, event.endpoint.url, headers, body)] = event
        return begun

    def finish(self) -> None:
        """Wait up to a second until a call has ended; note the outcome of each that has."""
        for call in wait(self._calls, 1, FIRST_COMPLETED).done:
            event, outcome = self._calls.pop(call), call.result()
            if outcome.error:
                self.failed += 1
            else:
                self.delivered += 1
            event.finish(*outcome, actor="command:deliver_webhooks")
            # No address: it may contain a password.
            logger.info(
                "Webhook %s of %s, try %d: %s",
                *(event.event_id, event.endpoint, event.tries, outcome.error or outcome.status),
            )
