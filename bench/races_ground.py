"""What all races run on: a project of the service, rows made beforehand, answers counted."""

from __future__ import annotations

import collections
import json
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bench.forms import Answer, Post

if TYPE_CHECKING:
    from tests.support.server import Service

ROOT = Path(__file__).resolve().parent.parent
COURSES = ROOT / "assessments" / "demo" / "courses.csv"
# Races that are run beside each other, so that no core of the machine waits for a client.
BESIDE = 3

# The secret of the CSRF cookie of a browser that has been here before.
CSRF = secrets.token_hex(16)

OK, SEE_OTHER, UNAUTHORIZED = 200, 303, 401
CONFLICT, GONE, TOO_MANY = 409, 410, 429

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Ground:
    """A fresh project, and the credential of its first token."""

    project_id: str
    credential: str

    @property
    def path(self) -> str:
        """The students' address, without a link token."""
        return f"/{self.project_id}/assessment"


def onboard(service: Service) -> Ground:
    """Return a new project with the demo's catalogue."""
    name = f"Races {secrets.token_hex(4)}"
    arguments = ("Bench", "--project", name, "--courses", str(COURSES), "--json")
    made = json.loads(service.manage("onboard_partner", *arguments))
    return Ground(made["projectId"], f"{made['TokenId']}:{made['TokenSecret']}")


def run_in(service: Service, call: str) -> Any:
    """Call a function of prepare or invariants (tests.support) in the service's environment."""
    program = (
        f"import json; from tests.support import invariants, prepare;print(json.dumps({call}))"
    )
    return json.loads(service.manage("shell", "--no-imports", "-c", program))


@dataclass(frozen=True)
class Prepared:
    """Attempts, each of its own student and browser, that wait for the answers of one page."""

    ground: Ground
    positions: list[int]
    offered: list[list[int]]
    attempts: list[tuple[str, str]]

    @classmethod
    def at(cls, service: Service, position: int, count: int) -> Prepared:
        """Make so many attempts, at the page that begins at a position; 0 is the last page."""
        ground = onboard(service)
        made = run_in(service, f"prepare.attempts_at({ground.project_id!r}, {position}, {count})")
        return cls(ground, **made)

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
        return Post(f"{self.ground.path}/{place}", {"assessment": assessment_id, **fields}, cookies)


def beside(act: Callable[[Item], Outcome], items: Sequence[Item]) -> list[Outcome]:
    """Act on each item, a few at a time; return the outcomes in the order of the items."""
    with ThreadPoolExecutor(BESIDE) as pool:
        return list(pool.map(act, items))


class Statuses(collections.Counter[int]):
    """How often the service answered with each status."""

    def note(self, answers: Sequence[Answer]) -> None:
        self.update(answer.status for answer in answers)

    @property
    def crashes(self) -> int:
        return sum(count for status, count in self.items() if status >= 500)

    def other_than(self, *expected: int) -> int:
        """Count what is neither expected nor a crash."""
        return self.total() - self.crashes - sum(self[status] for status in expected)
