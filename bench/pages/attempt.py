"""The ways that bench/pages.py takes through the pages: a whole attempt, and what can go wrong."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.sync_api import Error

from bench.pages.looks import PHONE, Console, Faults, Wire, faults_of
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.slow_network import SlowNetwork
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# How long a student waits for a page before opening the link again. The page's script gives up a
# stalled connection after ten to fifteen seconds and tries again by itself.
PATIENCE = 45_000  # ms
MOST_TRIES = 6
CHOSEN = """() => [...document.querySelectorAll("fieldset input:checked")]
    .map(input => [input.name, Number(input.value)])"""

# The script may come later: the page is used without it.
SHOWN_AT = """() => {
    const [{ responseEnd }] = performance.getEntriesByType("navigation");
    const painted = performance.getEntriesByType("paint").map(({ startTime }) => startTime);
    return performance.timeOrigin + Math.max(responseEnd, ...painted);
}"""


@dataclass(frozen=True)
class Ground:
    """Where the walks take place."""

    service: Service
    backend: PartnerBackend
    network: SlowNetwork
    browser: Browser
    language: str
    axe: str  # its source; "" to leave the looks out


@dataclass(frozen=True)
class Row:
    """What a page costs and lacks. `seconds` and `faults` are None where they were not measured.

    The first page of a browser, and the landing page, bring style and script along; `receipt` is
    what the form before was answered with, in bytes.
    """

    language: str
    name: str
    is_first: bool
    bytes: int
    receipt: int
    requests: int
    seconds: float | None
    broken: bool
    faults: Faults | None
    errors: list[str]


@dataclass
class Walk:
    """A whole attempt: its pages, and what came of it."""

    rows: list[Row] = field(default_factory=list)
    wrong: int = 0  # answers that are not stored as they were chosen
    elsewhere: int = 0  # requests to other hosts
    opened_again: int = 0  # how often the student had to help


class Visitor:
    """A student with a browser of their own, whose pages are measured."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        context = ground.browser.new_context(
            viewport=PHONE,
            locale=f"{ground.language}-IN",
        )
        self.student = Student(context, ground.network.url)
        context.set_default_timeout(PATIENCE)
        self.page = self.student.page
        self.wire, self.console = Wire(self.page), Console(self.page)
        number = secrets.randbelow(10**8)
        self.applicant = Applicant("Asha Rao", f"asha.{number}@example.com", f"+9198{number:08}")
        self.link = ground.backend.redirect_url(self.applicant)
        self.opened_again = 0
        self._is_first = True

    def go(self, action: Callable[[], object]) -> float:
        """Do what loads a page, return the seconds until all of it is shown, in its style."""
        self.ground.network.hang_up()
        self.page.wait_for_timeout(20)
        self.wire.start()
        pressed_at = time.time()
        try:
            with self.page.expect_event("load"):
                action()
            arrived = bool(self.student.kind)
        except Error:
            arrived = False
        if not arrived:
            self._open_again()
        self.page.wait_for_timeout(50)  # until it is painted, and chromium has told of it
        shown_at: float = self.page.evaluate(SHOWN_AT)
        return shown_at / 1000 - pressed_at

    def _open_again(self) -> None:
        """Open the link again, as a student does before whom nothing happens."""
        for _ in range(MOST_TRIES):
            self.opened_again += 1
            with contextlib.suppress(Error):
                self.page.goto(self.link)
                if self.student.kept_on_the_phone and self.student.kind == "question":
                    self.page.wait_for_event("load")  # of the page after what is sent now
                if self.student.kind:
                    return
        raise AssertionError(f"no page came in {MOST_TRIES} tries")

    def row(self, name: str, seconds: float | None, *, broken: bool = False, look: bool) -> Row:
        """Return what the page that is open has cost, and look at it."""
        cost = self.wire.bytes, self.wire.receipt, self.wire.requests
        faults = faults_of(self.page, self.ground.axe) if look and self.ground.axe else None
        is_first = self._is_first or self.student.kind == "landing"
        self._is_first = False
        errors = self.console.taken()
        return Row(self.ground.language, name, is_first, *cost, seconds, broken, faults, errors)

    def begin(self) -> None:
        """Press the first button of the page."""
        self.page.locator("main form button[type=submit]").first.click()


def through(ground: Ground) -> Walk:
    """Take a whole attempt. Of each kind of page the first one is looked at."""
    visitor, walk = Visitor(ground), Walk()
    student, page = visitor.student, visitor.page
    chosen: dict[int, int] = {}
    looked_at: set[str] = set()

    def step(action: Callable[[], object]) -> None:
        broken = len(ground.network.broken)
        seconds = visitor.go(action)
        name, kind = name_of(ground, visitor)
        walk.rows.append(
            visitor.row(
                name,
                seconds,
                broken=len(ground.network.broken) > broken,
                look=kind not in looked_at,
            )
        )
        looked_at.add(kind)

    step(lambda: page.goto(visitor.link))
    while student.kind != "result":
        if student.kind == "landing":
            student.consent()
        elif student.kind == "question":
            student.choose()
            for control, value in page.evaluate(CHOSEN):
                chosen[int(control.partition("-")[2] or student.position)] = value
        step(visitor.begin)
    walk.wrong = wrongly_stored(ground, visitor.applicant, chosen)
    walk.elsewhere = sum(
        request.url.startswith("http") and not request.url.startswith(ground.network.url)
        for request in student.requests
    )
    walk.opened_again = visitor.opened_again
    student.context.close()
    return walk


def name_of(ground: Ground, visitor: Visitor) -> tuple[str, str]:
    """Return a page's name in the table, and what kind of page it is."""
    kind = visitor.student.kind
    if kind not in {"section", "question"}:
        return kind, kind
    position = visitor.student.position
    if kind == "section":
        return f"section before {position}", f"section before {position}"
    [item] = ground.service.rows(
        "SELECT i.section, i.scale FROM assessments_answer n"
        " JOIN assessments_item i ON i.id = n.item_id"
        " JOIN assessments_assessment a ON a.id = n.assessment_id"
        " JOIN assessments_student s ON s.id = a.student_id"
        " WHERE s.email = %s AND n.position = %s",
        (visitor.applicant.email, position),
    )
    what = item["scale"] if item["section"] == "aptitude" else item["section"]
    return f"question {position} {what}", what


def wrongly_stored(ground: Ground, applicant: Applicant, chosen: dict[int, int]) -> int:
    """Return how many answers differ from what was chosen, or are missing."""
    stored = {
        row["position"]: row["choice"]
        for row in ground.service.rows(
            "SELECT n.position, n.choice FROM assessments_answer n"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " JOIN assessments_student s ON s.id = a.student_id"
            " WHERE s.email = %s AND a.completed_at IS NOT NULL",
            (applicant.email,),
        )
    }
    positions = stored.keys() | chosen.keys()
    return sum(stored.get(position) != chosen.get(position) for position in positions)
