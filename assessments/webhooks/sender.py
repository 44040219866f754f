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
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from standardwebhooks import Webhook

from assessments.webhooks.events import body_of, store_past_ends
from assessments.webhooks.models import HTTPS_PORT, WebhookEvent, is_loopback_url
from partners.models import LastSuccess
from partners.models.last_successes import WEBHOOKS

# Listed here and not taken from `is_global`, whose answers differ between versions of Python.
_REFUSED = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            # Multicast, reserved, broadcast.
            *("224.0.0.0/4", "240.0.0.0/4"),
            # Teredo, ORCHID and other protocols; documentation; 6to4; documentation.
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        ),
    )
)
# Global unicast. Mapped and translated addresses (::ffff:0:0/96, NAT64's 64:ff9b::/96), loopback,
# local and multicast ones are outside.
_IPV6 = ip_network("2000::/3")


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
    """Return the headers of one try, signed with each of these secrets."""
    # The library signs whole seconds, and takes any time for UTC.
    at = at.astimezone(UTC).replace(microsecond=0)
    signatures = [Webhook(secret).sign(event_id, at, body) for secret in secrets]
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


SECONDS = 10.0
# Of the ten, so that a second address is tried when the first does not answer.
SECONDS_TO_CONNECT = 4.0
READ_AT_MOST = 64 * 1024
HTTP_PORT = 80


@dataclass(frozen=True)
class Outcome:
    """The receiver's status, if it answered; `error` is "" after a 2xx, else one of ERRORS."""

    status: int | None
    error: str = ""


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


class Refused(Exception):
    """The call can't be made; its argument is one of ERRORS."""


def send(
    url: str,
    headers: Mapping[str, str],
    body: str,
    *,
    test_receiver: bool = False,
    seconds: float = SECONDS,
) -> Outcome:
    """Make the call once. `test_receiver` allows http to this machine.

    Raises no error of the call, nor of this machine, such as one of too many open files.
    """
    deadline = monotonic() + seconds
    try:
        parts = urlsplit(url)
        is_test = test_receiver and is_loopback_url(url)
        port = parts.port or HTTP_PORT if is_test else HTTPS_PORT
        addresses = resolve(parts.hostname or "", port, deadline)
        if not is_test:
            _check(parts, addresses)
        with _connected(addresses, port, deadline) as plain, _ended_at(plain, deadline) as is_over:
            try:
                outcome = _call(parts, plain, headers, body)
            except (OSError, ValueError, http.client.HTTPException) as error:
                raise Refused("timeout" if is_over() else _code_of(error)) from error
            # A connection that was ended can look like the end of an answer.
            return Outcome(None, "timeout") if is_over() else outcome
    except Refused as refused:
        return Outcome(None, str(refused))
    except (OSError, ValueError, RuntimeError) as error:
        return Outcome(None, _code_of(error))


def resolve(host: str, port: int, deadline: float) -> list[str]:
    """Return the addresses of a host. A resolver that hangs is left behind at the deadline."""
    found: list[str] = []

    def look_up() -> None:
        with contextlib.suppress(OSError, UnicodeError):
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(str(entry[4][0]) for entry in entries))

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(max(0.0, deadline - monotonic()))
    if thread.is_alive():
        raise Refused("timeout")
    if not found:
        raise Refused("resolve")
    return found


def _check(parts: SplitResult, addresses: list[str]) -> None:
    """Refuse all but https on port 443, and a host with any address that is not public."""
    if parts.scheme != "https" or parts.port not in (None, HTTPS_PORT) or "@" in parts.netloc:
        raise Refused("address")
    if not all(map(is_public, addresses)):
        raise Refused("address")


@contextlib.contextmanager
def _connected(addresses: list[str], port: int, deadline: float) -> Iterator[socket.socket]:
    """Connect to the first of these addresses that answers."""
    plain = None
    for address in addresses:
        left = min(SECONDS_TO_CONNECT, deadline - monotonic())
        if left <= 0:
            raise Refused("timeout")
        try:
            plain = socket.create_connection((address, port), timeout=left)
            break
        except OSError as error:
            code = _code_of(error)
    if plain is None:
        raise Refused(code)
    with plain:
        plain.settimeout(SECONDS)
        yield plain


@contextlib.contextmanager
def _ended_at(plain: socket.socket, deadline: float) -> Iterator[Callable[[], bool]]:
    """End the connection at the deadline, however slowly its bytes arrive.

    A socket's own time-out begins anew with each byte. Yields a function that says if it is over.
    """
    is_over = threading.Event()
    # A second handle, so that no thread touches a TLS socket that another one reads.
    handle = plain.dup()

    def end() -> None:
        is_over.set()
        with contextlib.suppress(OSError):
            handle.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, deadline - monotonic()), end)
    timer.daemon = True
    timer.start()
    try:
        yield is_over.is_set
    finally:
        timer.cancel()
        handle.close()


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: loading the certificates takes some 20 ms."""
    return ssl.create_default_context()


def _call(
    parts: SplitResult, plain: socket.socket, headers: Mapping[str, str], body: str
) -> Outcome:
    """Send the request over a connection that is there already, and read the answer."""
    host = parts.hostname or ""
    client = http.client.HTTPConnection(host)
    is_secure = parts.scheme == "https"
    client.sock = _tls().wrap_socket(plain, server_hostname=host) if is_secure else plain
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "Host": parts.netloc.removesuffix(f":{HTTPS_PORT}"),
        "Content-Type": "application/json",
        "User-Agent": "assessment-webhooks/1",
        "Connection": "close",
        **headers,
    }
    with contextlib.closing(client):
        client.request("POST", target, body.encode(), headers)
        response = client.getresponse()
        # The status decides, even if the rest breaks off.
        with contextlib.suppress(OSError, http.client.HTTPException):
            response.read(READ_AT_MOST)
    if HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(response.status)
    is_redirect = HTTPStatus.MULTIPLE_CHOICES <= response.status < HTTPStatus.BAD_REQUEST
    return Outcome(response.status, "redirect" if is_redirect else "status")


def _code_of(error: Exception) -> str:
    """Return the one of ERRORS that fits an exception."""
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "connection" if isinstance(error, OSError) else "answer"


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
    test_receiver = settings.WEBHOOK_TEST_RECEIVER
    return send(event.endpoint.url, headers, body, test_receiver=test_receiver)
