"""Forms as browsers send them, several at one moment."""

from __future__ import annotations

import http.client
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode


@dataclass(frozen=True)
class Post:
    """A form that a browser sends."""

    path: str
    fields: dict[str, str]
    cookies: dict[str, str]

    def send(self, connection: http.client.HTTPConnection) -> None:
        """Send it without waiting for the answer."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = urlencode({**self.fields, "csrfmiddlewaretoken": self.cookies["csrftoken"]})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies}
        connection.request("POST", self.path, body, headers)


@dataclass(frozen=True)
class Answer:
    """What came back; `cookie` is the attempt's."""

    status: int
    location: str
    cookie: str


def race(port: int, posts: Sequence[Post], later: float = 0) -> list[Answer]:
    """Send all forms before reading any answer; the second and on some seconds later."""
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in posts]
    for connection in connections:
        connection.connect()
    for number, (connection, post) in enumerate(zip(connections, posts, strict=True)):
        if number and later:
            time.sleep(later)
        post.send(connection)
    answers = []
    for connection in connections:
        response = connection.getresponse()
        response.read()
        cookies = response.headers.get_all("Set-Cookie", [])
        attempt = "".join(cookie.partition(";")[0] for cookie in cookies if "attempt=" in cookie)
        answers.append(Answer(response.status, response.headers.get("Location", ""), attempt))
        connection.close()
    return answers


def browsers(port: int, path: str, count: int) -> list[str]:
    """Return the CSRF secret of each of some browsers, as the landing page hands them out."""
    given = []
    for _ in range(count):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        cookie = response.headers["Set-Cookie"]
        given.append(cookie.partition("csrftoken=")[2].partition(";")[0])
        connection.close()
    return given
