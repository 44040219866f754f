"""Send one webhook: to a public address that was checked, within ten seconds, without redirects.

Written with the standard library, because no HTTP client lets us choose the address to connect to
and limit the whole call, name resolution included.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from assessments.webhooks.addresses import is_loopback_url, is_public

SECONDS = 10.0
# Of the ten, so that a second address is tried when the first does not answer.
SECONDS_TO_CONNECT = 4.0
READ_AT_MOST = 64 * 1024
HTTP_PORT, HTTPS_PORT = 80, 443


@dataclass(frozen=True)
class Delivery:
    """What to send, and where to."""

    url: str
    headers: dict[str, str]
    body: str


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


def send(delivery: Delivery, *, test_receiver: bool = False, seconds: float = SECONDS) -> Outcome:
    """Make the call once. `test_receiver` allows http to this machine.

    Raises no error of the call, nor of this machine, such as one of too many open files.
    """
    deadline = monotonic() + seconds
    try:
        parts = urlsplit(delivery.url)
        is_test = test_receiver and is_loopback_url(delivery.url)
        port = parts.port or HTTP_PORT if is_test else HTTPS_PORT
        addresses = resolve(parts.hostname or "", port, deadline)
        if not is_test:
            _check(parts, addresses)
        with _connected(addresses, port, deadline) as plain, _ended_at(plain, deadline) as is_over:
            try:
                outcome = _call(parts, plain, delivery)
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


class _Connection(http.client.HTTPConnection):
    """HTTP on a connection that is there already."""

    def __init__(self, host: str, connected: socket.socket) -> None:
        super().__init__(host)
        self._connected = connected

    def connect(self) -> None:
        self.sock = self._connected


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return the context of all connections: loading the certificates takes some 20 ms."""
    return ssl.create_default_context()


def _call(parts: SplitResult, plain: socket.socket, delivery: Delivery) -> Outcome:
    """Send the request and read the answer."""
    host = parts.hostname or ""
    if parts.scheme == "https":
        secure = _tls().wrap_socket(plain, server_hostname=host)
        connection = _Connection(host, secure)
    else:
        connection = _Connection(host, plain)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "Host": parts.netloc.removesuffix(f":{HTTPS_PORT}"),
        "Content-Type": "application/json",
        "User-Agent": "assessment-webhooks/1",
        "Connection": "close",
        **delivery.headers,
    }
    with contextlib.closing(connection):
        connection.request("POST", target, delivery.body.encode(), headers)
        response = connection.getresponse()
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
