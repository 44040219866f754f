"""A whole attempt over a slow network: the bytes, requests and seconds of each page."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.sync_api import Error

from bench.pages.served import PHONE
from bench.pages.wire import Wire
from tests.support.backend import Applicant, PartnerBackend
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from bench.slow_network import SlowNetwork
    from tests.support.server import Service

# Milliseconds that a student waits for a page before opening the link again. The page's script
# gives up a stalled connection after ten to fifteen seconds and tries again by itself.
PATIENCE = 45_000
MOST_TRIES = 6
CHOSEN = """() => [...document.querySelectorAll("fieldset input:checked")]
    .map(input => [input.name, Number(input.value)])"""
# The script may load later, because the page works without it.
SHOWN_AT = """() => {
    const [{ responseEnd }] = performance.getEntriesByType("navigation");
    const painted = performance.getEntriesByType("paint").map(({ startTime }) => startTime);
    return performance.timeOrigin + Math.max(responseEnd, ...painted);
}"""


@dataclass(frozen=True)
class Row:
    """The cost of a page. The landing page and a browser's first page also load style and script.

    `receipt` is the size of the answer to the previous form, in bytes; `broken` tells whether the
    network broke a connection during this page.
    """

    name: str
    is_first: bool
    bytes: int
    receipt: int
    requests: int
    seconds: float
    broken: bool

    def __str__(self) -> str:
        seconds = f"{self.seconds:.1f}{'*' if self.broken else ''}"
        cells = (self.bytes, self.receipt, self.requests, seconds)
        return f"{self.name:<34}" + "".join(f"{cell!s:>9}" for cell in cells)


@dataclass
class Attempt:
    """A student's attempt, with the measured cost of each page."""

    service: Service
    backend: PartnerBackend
    network: SlowNetwork
    rows: list[Row] = field(default_factory=list)
    questions: int = 0  # answered
    wrong: int = 0  # stored answers that differ from the chosen ones
    opened_again: int = 0  # times that the student had to open the link again

    def take(self, browser: Browser, language: str) -> list[str]:
        """Take the whole attempt; return the errors and warnings of the browser."""
        context = browser.new_context(viewport=PHONE, locale=f"{language}-IN")
        student = Student(context, self.network.url)
        context.set_default_timeout(PATIENCE)
        number = secrets.randbelow(10**8)
        applicant = Applicant("Asha Rao", f"asha.{number}@example.com", f"+9198{number:08}")
        link, wire = self.backend.redirect_url(applicant), Wire(student.page)
        chosen: dict[int, int] = {}

        def press() -> None:
            student.page.locator("main form button[type=submit]").first.press("Enter")

        self._step(student, wire, link, lambda: student.page.goto(link))
        while student.kind != "result":
            if student.kind == "landing":
                student.consent()
            elif student.kind == "question":
                student.choose()
                if not student.asks_subjects:
                    for control, value in student.page.evaluate(CHOSEN):
                        chosen[int(control.partition("-")[2] or student.position)] = value
            self._step(student, wire, link, press)
        self.questions = len(chosen)
        self.wrong = self._wrongly_stored(applicant, chosen)
        complaints = student.complaints()
        context.close()
        return [each for each in complaints if "failed:" not in each]  # the network's doing

    def _step(self, student: Student, wire: Wire, link: str, action: Callable[[], object]) -> None:
        """Load a page and record its cost until all of it is shown with its style."""
        page, broken = student.page, len(self.network.broken)
        self.network.hang_up()  # like the server and networks while a student reads
        page.wait_for_timeout(20)
        wire.start()
        pressed_at = time.time()
        try:
            with page.expect_event("load"):
                action()
            arrived = bool(student.kind)
        except Error:
            arrived = False
        if not arrived:
            self._open_again(student, link)
        page.wait_for_timeout(50)  # until Chromium has painted the page and reported it
        seconds = page.evaluate(SHOWN_AT) / 1000 - pressed_at
        is_first = not self.rows or student.kind == "landing"
        name = student.kind
        if name in {"section", "question"}:
            name += f" {student.path.rpartition('/')[2]}"
        was_broken = len(self.network.broken) > broken
        cost = wire.bytes, wire.receipt, wire.requests, seconds
        self.rows.append(Row(name, is_first, *cost, was_broken))

    def _open_again(self, student: Student, link: str) -> None:
        """Open the link again, like a student who sees nothing happen."""
        for _ in range(MOST_TRIES):
            self.opened_again += 1
            with contextlib.suppress(Error):
                student.page.goto(link)
                if student.kept_on_the_phone and student.kind == "question":
                    student.page.wait_for_event("load")  # of the page after the sent answers
                if student.kind:
                    return
        raise AssertionError(f"no page came in {MOST_TRIES} tries")

    def _wrongly_stored(self, applicant: Applicant, chosen: dict[int, int]) -> int:
        """Return the number of answers that differ from the chosen ones or are missing."""
        stored = {
            row["position"]: row["choice"]
            for row in self.service.rows(
                "SELECT n.position, n.choice FROM assessments_answer n"
                " JOIN assessments_assessment a ON a.id = n.assessment_id"
                " JOIN assessments_student s ON s.id = a.student_id"
                " WHERE s.email = %s AND a.completed_at IS NOT NULL",
                (applicant.email,),
            )
        }
        positions = stored.keys() | chosen.keys()
        return sum(stored.get(position) != chosen.get(position) for position in positions)
