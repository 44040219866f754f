"""Forms that browsers send to a running service at one moment, and the attempts they belong to."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from tests.support.clients import Partner
from tests.support.server import Service

OK, SEE_OTHER, UNAUTHORIZED = 200, 303, 401
CONFLICT, GONE, TOO_MANY = 409, 410, 429
# Races that run side by side, so that no core of the machine waits for a client.
BESIDE = 3
# The secret of the CSRF cookie of a browser that has been here before.
CSRF = secrets.token_hex(16)

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


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
    """The answer to a form; `cookie` is the attempt's."""

    status: int
    location: str
    cookie: str


def race(port: int, posts: Sequence[Post], later: float = 0) -> list[Answer]:
    """Send all forms before reading any answer; all but the first some seconds later."""
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


def beside(act: Callable[[Item], Outcome], items: Sequence[Item]) -> list[Outcome]:
    """Act on each item, a few at a time; return the outcomes in the order of the items."""
    with ThreadPoolExecutor(BESIDE) as pool:
        return list(pool.map(act, items))


def prepared(service: Service, call: str) -> Any:
    """Return what a function of tests/support/prepare.py returns in the service's environment."""
    program = f"import json; from tests.support import prepare; print(json.dumps(prepare.{call}))"
    return json.loads(service.manage("shell", "--no-imports", "-c", program))


@dataclass(frozen=True)
class Attempts:
    """Open attempts, each of its own student and browser, that wait for the answers of one page."""

    partner: Partner
    positions: list[int]
    offered: list[list[int]]
    attempts: list[tuple[str, str]]  # AssessmentId and browser token

    @classmethod
    def at(cls, service: Service, position: int, count: int) -> Attempts:
        """Make attempts at the page that begins at a position; 0 is the last page."""
        partner = Partner.onboarded(service.manage)
        made = prepared(service, f"attempts_at({partner.project_id!r}, {position}, {count})")
        return cls(partner, **made)

    def page(self, attempt: tuple[str, str], choice: int) -> Post:
        """Return the page's form with the same choice for every question."""
        alone = len(self.positions) == 1
        names = ["answer"] if alone else [f"answer-{position}" for position in self.positions]
        return self._post(attempt, str(self.positions[0]), dict.fromkeys(names, str(choice)))

    def leave(self, attempt: tuple[str, str]) -> Post:
        """Return the form that ends the attempt unfinished."""
        return self._post(attempt, "leave", {"leave": "yes"})

    def _post(self, attempt: tuple[str, str], place: str, fields: dict[str, str]) -> Post:
        assessment_id, browser_token = attempt
        cookies = {"csrftoken": CSRF, "attempt": browser_token}
        path = f"{self.partner.path}/{place}"
        return Post(path, {"assessment": assessment_id, **fields}, cookies)

    def rows(self, service: Service) -> dict[str, tuple[Any, ...]]:
        """Return, by AssessmentId, everything about an attempt's end that must not change."""
        found = service.rows(
            "SELECT a.assessment_id, a.completed_at, a.abandoned_at, a.recommendations, a.profile"
            " FROM assessments_assessment a JOIN assessments_student s ON s.id = a.student_id"
            " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s",
            (self.partner.project_id,),
        )
        return {row.pop("assessment_id"): tuple(row.values()) for row in found}

    def choices(self, service: Service) -> dict[str, dict[int, int | None]]:
        """Return, by AssessmentId and position, what is stored from the page on."""
        found: dict[str, dict[int, int | None]] = {}
        for row in service.rows(
            "SELECT a.assessment_id, w.position, w.choice FROM assessments_answer w"
            " JOIN assessments_assessment a ON a.id = w.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " JOIN partners_project p ON p.id = s.project_id"
            " WHERE p.project_id = %s AND w.position >= %s",
            (self.partner.project_id, self.positions[0]),
        ):
            found.setdefault(row["assessment_id"], {})[row["position"]] = row["choice"]
        return found
