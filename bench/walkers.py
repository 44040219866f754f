"""Students who walk through an attempt in step, each page asked for and sent as a browser would."""

from __future__ import annotations

import gzip
import http.client
import random
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Self
from urllib.parse import urlencode

# Requests at one moment; a service of the usual size answers eight.
AT_ONCE = 8
OK, SEE_OTHER = 200, 303
FORM = re.compile(r'<form method="post" action="([^"]+)".*?</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
RADIO = re.compile(r'<input type="radio"\s+name="([^"]+)"\s+value="([^"]+)"')
PAGE = re.compile(r'<body data-page="([^"]+)"')


class Walker:
    """One student with a browser: its cookies, the page it is on, and where it goes next."""

    def __init__(self, path: str, link_token: str, number: int) -> None:
        self._path = f"{path}?{urlencode({'token': link_token})}"
        self._cookies: dict[str, str] = {}
        self._text = ""
        self._page = ""
        self._rng = random.Random(number)
        self.has_arrived = False

    def ask(self, connection: http.client.HTTPConnection) -> str:
        """Ask for the page; return its kind."""
        status, location = self._request(connection, "GET", self._path)
        if status != OK:
            raise AssertionError(f"GET {self._path}: {status} {location}\n{self._text}")
        found = PAGE.search(self._text)
        self._page = found[1] if found else ""
        if self._page == "question":
            self._page = self._section()
        self.has_arrived = self._page == "result"
        return f"GET {self._page}"

    def send(self, connection: http.client.HTTPConnection) -> str:
        """Send the page's form, filled; return its kind."""
        form = FORM.search(self._text)
        assert form, self._text
        fields = {name: unescape(value) for name, value in HIDDEN.findall(form[0])}
        body = urlencode(fields | self._given(form[0]))
        status, location = self._request(connection, "POST", form[1], body)
        if status != SEE_OTHER:
            raise AssertionError(f"POST {form[1]}: {status}\n{self._text}")
        self._path = location
        return "POST last answer" if location.endswith("/result") else f"POST {self._page}"

    def _given(self, form: str) -> dict[str, str]:
        """Return what is ticked: one answer of each question, or what the page's button says."""
        if self._page == "landing":
            return {"consent": "yes"}
        if self._page == "section":
            return {"begin": "yes"}
        offered: dict[str, list[str]] = {}
        for name, value in RADIO.findall(form):
            offered.setdefault(name, []).append(value)
        return {name: self._rng.choice(values) for name, values in offered.items()}

    def _section(self) -> str:
        if 'class="question rows"' in self._text:
            return "aptitude"
        return "preferences" if "How far do you agree?" in self._text else "interests"

    def _request(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: str = ""
    ) -> tuple[int, str]:
        headers = {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": "gzip, deflate, br",
            "Accept-Language": "en-IN,en;q=0.9",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
        }
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://{connection.host}:{connection.port}"
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        content = response.read()
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        self._text = content.decode()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return response.status, response.headers.get("Location", "")


class Crowd:
    """Lets students act, AT_ONCE at one moment, on connections that are kept."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(AT_ONCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown()

    def each(
        self, act: Callable[[Walker, http.client.HTTPConnection], str], walkers: Sequence[Walker]
    ) -> list[str]:
        """Return what each of the acts returns."""
        return list(self._threads.map(lambda walker: act(walker, self._connection()), walkers))

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._own, "connection"):
            self._own.connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection: http.client.HTTPConnection = self._own.connection
        return connection
