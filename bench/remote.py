"""Clients of the deployed service, over https: a partner's backend, and a student's browser."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.support.browser import Browser

HOST = "assess.example.com"
FORM = "application/x-www-form-urlencoded"
EXPECTED = {200, 302, 303}


@dataclass
class Tally:
    """What became of the requests of many threads, and how long each took, in seconds."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, outcome: str, seconds: float) -> None:
        with self._lock:
            self.outcomes[outcome] += 1
            self.seconds.append(seconds)

    @property
    def requests(self) -> int:
        return len(self.seconds)

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    @property
    def failures(self) -> dict[str, int]:
        return {outcome: count for outcome, count in self.outcomes.items() if outcome != "done"}

    def quantile(self, share: float) -> float:
        """Return the time, in ms, that this share of the requests did not exceed."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Failed(Exception):
    """A request that was not answered as it should have been; `status` is 0 without an answer."""

    def __init__(self, what: str, status: int = 0) -> None:
        super().__init__(what)
        self.status = status


@dataclass(frozen=True)
class Received:
    """An answer, as tests.support.browser reads one."""

    status_code: int
    content: bytes
    headers: Mapping[str, str]
    request: Mapping[str, str]


class Gate:
    """The way in: nginx's port and certificate. `before` is called before each request."""

    def __init__(
        self, port: int, certificate: str, before: Callable[[], None] | None = None
    ) -> None:
        self.port = port
        self.certificate = certificate
        self.context = ssl.create_default_context(cafile=certificate)
        self.before = before

    def connect(self) -> http.client.HTTPSConnection:
        return _Connection(self)


class _Connection(http.client.HTTPSConnection):
    """A connection to the loopback port, by the name that the certificate has."""

    def __init__(self, gate: Gate) -> None:
        super().__init__("127.0.0.1", gate.port, timeout=60, context=gate.context)
        self._given = gate.context

    def connect(self) -> None:
        http.client.HTTPConnection.connect(self)
        self.sock = self._given.wrap_socket(self.sock, server_hostname=HOST)


class Client:
    """Sends requests on one kept connection; what fails is counted and never sent again."""

    def __init__(self, gate: Gate, tally: Tally) -> None:
        self.cookies: SimpleCookie = SimpleCookie()
        self._gate, self._tally = gate, tally
        self._connection = gate.connect()

    def get(self, url: str, **extra: Any) -> Received:
        return self.ask("GET", url, None, {})

    def post(self, url: str, data: Mapping[str, Any], **extra: Any) -> Received:
        headers = {"Content-Type": FORM, "Origin": f"https://{HOST}"}
        return self.ask("POST", url, urlencode(data, doseq=True).encode(), headers)

    def ask(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Received:
        """Return the answer. Raise Failed if there is none, or another status than EXPECTED."""
        parts = urlsplit(url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        if self._gate.before:
            self._gate.before()
        begun = time.monotonic()
        try:
            self._connection.request(
                method, path, body, {"Host": HOST, "Cookie": cookies, **headers}
            )
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            self._tally.add(f"{method}: {type(error).__name__}", time.monotonic() - begun)
            raise Failed(str(error)) from error
        done = response.status in EXPECTED
        outcome = "done" if done else f"{method}: {response.status}"
        self._tally.add(outcome, time.monotonic() - begun)
        for cookie in response.headers.get_all("Set-Cookie", []):
            self.cookies.load(cookie)
        if not done:
            raise Failed(f"{method} {parts.path}", response.status)
        return Received(response.status, content, dict(response.headers), {"PATH_INFO": parts.path})

    def close(self) -> None:
        self._connection.close()


class RemoteBrowser(Browser):
    """A browser of the tests, over the network."""

    def __init__(self, client: Client) -> None:
        self.client = client


@dataclass(frozen=True)
class Partner:
    """Calls the two operations with what its onboarding handed over."""

    made: Mapping[str, str]

    def link(self, client: Client, email: str) -> str:
        """Return the address of a fresh link."""
        body = {"name": "Asha Rao", "email": email, "mobile": "9876543210"}
        return str(self._call(client, "get-redirect-url", body)["redirect-url"])

    def results(self, client: Client, email: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._call(client, "get-assessments-info", {"email": email})
        return found

    def _call(self, client: Client, operation: str, fields: Mapping[str, str]) -> Any:
        headers = {
            "Content-Type": "application/json",
            "X-Access-Token": f"{self.made['TokenId']}:{self.made['TokenSecret']}",
        }
        body = json.dumps({"projectId": self.made["projectId"], **fields}).encode()
        return json.loads(client.ask("POST", f"/partner/{operation}", body, headers).content)
