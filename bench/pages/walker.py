"""Students who walk through an assessment over HTTP, like a browser without scripts."""

from __future__ import annotations

import gzip
import random
from collections.abc import Mapping
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode

from tests.support.browser import Page

HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "en-IN,en;q=0.9"}


class Walker:
    """A student's browser: its cookies, the current page, and the next address."""

    def __init__(self, path: str, number: int) -> None:
        self._path = path
        self._cookies: SimpleCookie = SimpleCookie()
        self._random = random.Random(number)
        self.has_arrived = False

    def get(self, connection: HTTPConnection) -> str:
        """Request the next page and return its kind."""
        self._page = self._request(connection, "GET", self._path)
        assert self._page.status == 200, f"GET {self._path}: {self._page.status}"
        self._kind = self._section() if self._page.name == "question" else self._page.name
        self.has_arrived = self._kind == "result"
        return f"GET {self._kind}"

    def post(self, connection: HTTPConnection) -> str:
        """Send the form of the page, filled in, and return its kind."""
        form = self._page.form
        body = urlencode(form.filled | self._given())
        accepted = self._request(connection, "POST", form.action, body)
        assert accepted.status == 303, f"POST {form.action}: {accepted.status}"
        self._path = accepted.location
        return "POST last answer" if self._path.endswith("/result") else f"POST {self._kind}"

    def _given(self) -> dict[str, str]:
        fixed = {"landing": {"consent": "yes"}, "section": {"begin": "yes"}, "ideas": {}}
        form = self._page.form
        chosen = {name: self._random.choice(form.offered(name)) for name in form.questions}
        return fixed.get(self._kind, chosen)

    def _section(self) -> str:
        if self._page.asks_subjects:
            return "subjects"
        if 'class="question rows"' in self._page.text:
            return "aptitude"
        return "preferences" if "How far do you agree?" in self._page.text else "interests"

    def _request(self, connection: HTTPConnection, method: str, path: str, body: str = "") -> Page:
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self._cookies.items())
        headers = HEADERS | {"Cookie": cookies}
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://{connection.host}:{connection.port}"
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        content = response.read()
        for cookie in response.headers.get_all("Set-Cookie", []):
            self._cookies.load(cookie)
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Page(Received(response.status, content, response.headers))


class Received(NamedTuple):
    """The attributes of Django's response that Page reads."""

    status_code: int
    content: bytes
    headers: Mapping[str, str]
