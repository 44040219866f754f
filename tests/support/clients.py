"""Clients of a running service: a partner's backend, and a browser that sends forms over HTTP."""

from __future__ import annotations

import http.client
import json
import random
import select
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.support.browser import Browser
from tests.support.ledger import EXPECTED, Asked
from tests.support.programs import ROOT

HOST = "assess.example.com"  # nginx.conf's
TRY_AGAIN, GIVE_UP = 0.05, 60.0  # seconds: before a retry; for a silent connection
MAX_IDLE = 4.0  # seconds; gunicorn closes a connection after 5, perhaps as a request arrives


class Failed(Exception):
    """A request got the wrong answer, or none; then `status` is 0."""

    def __init__(self, what, status=0):
        super().__init__(what)
        self.status = status


@dataclass(frozen=True)
class Gate:
    """The port that clients connect to: gunicorn's, or nginx's with its certificate."""

    port: int
    certificate: str = ""
    host: str = "127.0.0.1"

    @property
    def origin(self):
        return f"https://{HOST}" if self.certificate else f"http://{self.host}:{self.port}"

    def connect(self):
        if not self.certificate:
            return http.client.HTTPConnection(self.host, self.port, timeout=GIVE_UP)
        return _NamedConnection(self)


class _NamedConnection(http.client.HTTPSConnection):
    """A connection to the gate's port, by the name in nginx's certificate."""

    def __init__(self, gate):
        self._trusted = ssl.create_default_context(cafile=gate.certificate)
        super().__init__(gate.host, gate.port, timeout=GIVE_UP, context=self._trusted)

    def connect(self):
        http.client.HTTPConnection.connect(self)
        self.sock = self._trusted.wrap_socket(self.sock, server_hostname=HOST)


@dataclass(frozen=True)
class Received:
    """An answer, with the attributes of Django's response that tests.support.browser reads."""

    status_code: int
    content: bytes
    headers: Mapping[str, str]
    request: Mapping[str, str]


class Client:
    """Sends requests on one kept connection and records the outcome of each.

    With `until`, it repeats a request that got no answer or a 5xx until that event.
    """

    def __init__(self, gate, ledger, until=None, pause=0):
        self.cookies = SimpleCookie()
        self.ledger = ledger
        self._gate, self._until, self._pause = gate, until, pause
        self._connection, self._used = gate.connect(), time.monotonic()

    def get(self, url, **extra):
        return self.ask("GET", url)

    def post(self, url, data, **extra):
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self._gate.origin}
        return self.ask("POST", url, urlencode(data, doseq=True).encode(), form)

    def ask(self, method, url, body=None, headers=None):
        """Return the answer. Raise Failed if there is none, or it is not a page or redirect."""
        parts = urlsplit(url)
        what = f"{method} {parts.path}"
        while True:
            time.sleep(self._pause)
            status, content, found = self._once(method, parts.path, parts.query, body, headers)
            if status in EXPECTED:
                return Received(status, content, found, {"PATH_INFO": parts.path})
            if 0 < status < 500:
                self.ledger.complaints.append(f"{what}: {status} {content!r:.300}")
            if self._until is None or self._until.is_set() or 0 < status < 500:
                raise Failed(what, status)
            time.sleep(TRY_AGAIN)

    def _once(self, method, path, query, body, headers):
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        sent = {"Host": urlsplit(self._gate.origin).netloc, "Cookie": cookies, **(headers or {})}
        status, content, found = 0, b"", {}
        # Browsers and HTTP libraries use no connection that the server has closed meanwhile.
        socket, began = self._connection.sock, time.monotonic()
        if began - self._used > MAX_IDLE or (socket and select.select([socket], [], [], 0)[0]):
            self._connection.close()
        try:
            self._connection.request(method, f"{path}?{query}" if query else path, body, sent)
            response = self._connection.getresponse()
            status, content, found = response.status, response.read(), dict(response.headers)
            for cookie in response.headers.get_all("Set-Cookie", []):
                self.cookies.load(cookie)
        except (OSError, http.client.HTTPException):
            status = 0
            self._connection.close()
        is_plain = status < 500 or _is_plain(path, content)
        self._used = time.monotonic()
        self.ledger.asked.append(Asked(path, method, began, self._used, status, is_plain))
        return status, content, found

    def close(self):
        self._connection.close()


def exchange(service, method, path, body=b"", **headers):
    """Make a request of its own connection; return the response and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def _is_plain(path, content):
    """Return whether a 5xx has the documented JSON body or error page."""
    if not path.startswith("/partner/"):
        return b'data-page="error-50' in content
    code = b'"internal_error"' in content or b'"overloaded"' in content
    return code and b'"requestId"' in content


class RemoteBrowser(Browser):
    """The tests' browser, over the network."""

    def __init__(self, client):
        self.client = client


@dataclass(frozen=True)
class Partner:
    """A project, and the credential of its first token."""

    project_id: str
    credential: str

    @classmethod
    def onboarded(cls, manage, *options):
        """Onboard a new project with the demo's catalogue, by the command."""
        courses = ("--courses", str(ROOT / "assessments" / "made_up" / "courses.csv"))
        project = ("--project", f"Load {random.randrange(10**9)}")
        made = json.loads(manage("onboard_partner", "Load", *project, *courses, *options, "--json"))
        return cls(made["projectId"], f"{made['TokenId']}:{made['TokenSecret']}")

    @property
    def path(self):
        """The students' address, without a link token."""
        return f"/{self.project_id}/assessment"

    def link(self, client, email):
        """Return the address of a fresh link, and record it."""
        body = {"name": "Asha Rao", "email": email, "mobile": "9876543201"}
        url = str(self._call(client, "get-redirect-url", body)["redirect-url"])
        client.ledger.note("link", token=token_of(url), email=email)
        return url

    def results(self, client, email):
        return self._call(client, "get-assessments-info", {"email": email})

    def _call(self, client, operation, fields):
        headers = {"Content-Type": "application/json", "X-Access-Token": self.credential}
        body = json.dumps({"projectId": self.project_id, **fields}).encode()
        return json.loads(client.ask("POST", f"/partner/{operation}", body, headers).content)


def token_of(url):
    return parse_qs(urlsplit(url).query)["token"][0]
