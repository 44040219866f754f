"""Students against each other, and against themselves, on a real gunicorn of sixteen threads.

tests/assessments races the models, and presses a button twice in one browser.
"""

from __future__ import annotations

import http.client
import random
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from tests.support.clients import Partner
from tests.support.server import Service

# SQLite has one writer at a time and would hide a lost race.
pytestmark = pytest.mark.slow

SEE_OTHER, CONFLICT, GONE = 303, 409, 410
AT_ONCE = 16
PREPARE = "tests.support.prepare"
# Races that run side by side, so that no core of the machine waits for a client.
BESIDE = 3
# A page of six statements, after which six more are shown; a puzzle, after which comes one more;
# and the last page.
STATEMENTS, PUZZLE, LAST_PAGE = 7, 27, 0
# How many seconds after the last page the leaving is sent: chosen such that both win.
LATER = (-0.010, 0.030)
OF_PROJECT = (
    " JOIN assessments_student s ON s.id = a.student_id"
    " JOIN partners_project p ON p.id = s.project_id WHERE p.project_id = %s"
)


class Post(NamedTuple):
    """A form that a browser sends."""

    path: str
    fields: dict[str, str]
    attempt: str = ""  # its cookie


def race(service: Service, posts: Sequence[Post], later: float = 0) -> list[tuple[int, str | None]]:
    """Send all forms before reading any answer; all but the first some seconds later.

    Each is from a browser of its own, unless it has an attempt's cookie. Return each answer's
    status and location.
    """
    connections = [http.client.HTTPConnection("127.0.0.1", service.port, timeout=60) for _ in posts]
    for connection in connections:
        connection.connect()
    for number, (connection, post) in enumerate(zip(connections, posts, strict=True)):
        time.sleep(later if number else 0)
        csrf = secrets.token_hex(16)  # a browser is known by its CSRF cookie
        cookies = f"csrftoken={csrf}" + (f"; attempt={post.attempt}" if post.attempt else "")
        form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies}
        body = urlencode({**post.fields, "csrfmiddlewaretoken": csrf})
        connection.request("POST", post.path, body, form)
    answers = []
    for connection in connections:
        response = connection.getresponse()
        response.read()
        answers.append((response.status, response.headers["Location"]))
        connection.close()
    return answers


@dataclass(frozen=True)
class Attempts:
    """Open attempts, each of its own student and browser, that wait for the answers of one page."""

    service: Service
    partner: Partner
    positions: list[int]
    offered: list[list[int]]
    attempts: list[tuple[str, str]]  # AssessmentId and browser token

    @classmethod
    def at(cls, service: Service, position: int, count: int) -> Attempts:
        """Make attempts at the page that begins at a position; 0 is the last page."""
        partner = Partner.onboarded(service.manage)
        call = f"attempts_at({partner.project_id!r}, {position}, {count})"
        return cls(service, partner, **service.call(PREPARE, call))

    def page(self, attempt: tuple[str, str], choice: int) -> Post:
        """Return the page's form with the same choice for every question."""
        alone = len(self.positions) == 1
        names = ["answer"] if alone else [f"answer-{position}" for position in self.positions]
        return self.post(attempt, str(self.positions[0]), dict.fromkeys(names, str(choice)))

    def post(self, attempt: tuple[str, str], place: str, fields: dict[str, str]) -> Post:
        assessment_id, browser_token = attempt
        path = f"{self.partner.path}/{place}"
        return Post(path, {"assessment": assessment_id, **fields}, browser_token)

    def answer(self, hands: int) -> dict[str, list[int]]:
        """Let hands answer each attempt's page at once, as differently as they can.

        Return their choices, by AssessmentId. All must be sent on to one and the same page.
        """
        offered = self.offered[0]

        def answer(attempt: tuple[str, str]) -> list[int]:
            chosen = random.sample(offered, len(offered)) + random.choices(offered, k=hands)
            posts = [self.page(attempt, choice) for choice in chosen[:hands]]
            [(status, _)] = set(race(self.service, posts))
            assert status == SEE_OTHER
            return chosen[:hands]

        with ThreadPoolExecutor(BESIDE) as pool:
            chosen = list(pool.map(answer, self.attempts))
        return dict(zip([name for name, _ in self.attempts], chosen, strict=True))

    def rows(self) -> dict[str, tuple[Any, ...]]:
        """Return, by AssessmentId, everything about an attempt's end that must not change."""
        found = self.service.rows(
            "SELECT a.assessment_id, a.completed_at, a.abandoned_at, a.recommendations, a.profile"
            f" FROM assessments_assessment a{OF_PROJECT}",
            (self.partner.project_id,),
        )
        return {row.pop("assessment_id"): tuple(row.values()) for row in found}

    def choices(self) -> dict[str, dict[int, int | None]]:
        """Return, by AssessmentId and position, what is stored from the page on."""
        found: dict[str, dict[int, int | None]] = {}
        for row in self.service.rows(
            "SELECT a.assessment_id, w.position, w.choice FROM assessments_answer w"
            f" JOIN assessments_assessment a ON a.id = w.assessment_id{OF_PROJECT}"
            " AND w.position >= %s",
            (self.partner.project_id, self.positions[0]),
        ):
            found.setdefault(row["assessment_id"], {})[row["position"]] = row["choice"]
        return found


def test_of_sixteen_browsers_one_starts_a_link(busy_service: Service, times: int) -> None:
    races, partner = 100 * times, Partner.onboarded(busy_service.manage)

    for token in busy_service.call(PREPARE, f"links({partner.project_id!r}, {races})"):
        press = Post(partner.path, {"token": token, "consent": "yes"})
        statuses = [status for status, _ in race(busy_service, [press] * AT_ONCE)]
        assert sorted(statuses) == [SEE_OTHER] + [GONE] * (AT_ONCE - 1)

    counted = busy_service.rows(
        "SELECT count(DISTINCT a.id) AS attempts, count(DISTINCT a.student_id) AS students,"
        " count(DISTINCT l.id) AS links FROM assessments_assessment a"
        " JOIN assessments_assessmentlink l ON l.assessment_id = a.id AND l.used_at IS NOT NULL"
        f"{OF_PROJECT}",
        (partner.project_id,),
    )
    assert counted == [{"attempts": races, "students": races, "links": races}]


@pytest.mark.parametrize("position", [STATEMENTS, PUZZLE])
def test_one_of_sixteen_answers_to_a_page_is_stored_whole_and_of_a_puzzle_it_stays(
    busy_service: Service, times: int, position: int
) -> None:
    """A later answer replaces one to statements, and not one to a puzzle."""
    attempts = Attempts.at(busy_service, position, 50 * times)
    positions, is_puzzle = attempts.positions, position == PUZZLE
    before: dict[str, dict[int, int | None]] = {}

    for hands in (AT_ONCE, 1):
        chosen = attempts.answer(hands)
        stored = attempts.choices()
        for name, answers in stored.items():
            page = [answers[each] for each in positions]
            allowed = [before[name][position]] if before and is_puzzle else chosen[name]
            assert page in [[choice] * len(positions) for choice in allowed]
            assert len(answers) == 2 * len(positions)  # this page and the next one, chosen once
        before = stored
    assert len(stored) == 50 * times


def test_finishing_and_leaving_at_once_come_to_one_end(busy_service: Service, times: int) -> None:
    attempts = Attempts.at(busy_service, LAST_PAGE, 200 * times)

    def end(attempt: tuple[str, str]) -> tuple[int, int]:
        """Return how finishing and leaving were answered."""
        posts = attempts.page(attempt, 1), attempts.post(attempt, "leave", {"leave": "yes"})
        later = random.uniform(*LATER)
        turn = 1 if later >= 0 else -1
        finished, left = race(busy_service, posts[::turn], abs(later))[::turn]
        return finished[0], left[0]

    with ThreadPoolExecutor(BESIDE) as pool:
        told = list(pool.map(end, attempts.attempts))
        rows = attempts.rows()
        again = list(pool.map(end, attempts.attempts))

    won = Counter(told)
    assert set(won) == {(SEE_OTHER, CONFLICT), (CONFLICT, SEE_OTHER)}
    assert min(won.values()) >= len(told) // 20  # a race that one side always wins shows nothing
    for (assessment_id, _), (finished, _left) in zip(attempts.attempts, told, strict=True):
        completed_at, abandoned_at, *_ = rows[assessment_id]
        assert (completed_at is None) is (finished == CONFLICT)
        assert (abandoned_at is None) is (finished == SEE_OTHER)
    assert {status for pair in again for status in pair} <= {SEE_OTHER, CONFLICT}
    assert attempts.rows() == rows
