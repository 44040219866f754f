"""A whole attempt in Chromium: the bytes, requests and seconds of each page."""

import secrets
import time
from dataclasses import dataclass

from tests.support.backend import Applicant
from tests.support.student import Student

PHONE = {"width": 360, "height": 640}
# Milliseconds for a round trip, and bytes a second.
SLOW = {"latency": 800, "downloadThroughput": 6250, "uploadThroughput": 6250, "offline": False}
PATIENCE = 45_000  # ms
CHOSEN = """() => [...document.querySelectorAll("fieldset input:checked")]
    .map(input => [input.name, Number(input.value)])"""
# The script may load later, because the page works without it.
SHOWN_AT = """() => {
    const [{ responseEnd }] = performance.getEntriesByType("navigation");
    const painted = performance.getEntriesByType("paint").map(({ startTime }) => startTime);
    return performance.timeOrigin + Math.max(responseEnd, ...painted);
}"""
STORED = """
SELECT n.position, n.choice FROM assessments_answer n
JOIN assessments_assessment a ON a.id = n.assessment_id
JOIN assessments_student s ON s.id = a.student_id
WHERE s.email = %s AND a.completed_at IS NOT NULL
"""


@dataclass(frozen=True)
class Row:
    """The cost of a page; `receipt` is the size of the answer to the previous form, in bytes."""

    name: str
    bytes: int
    receipt: int
    requests: int
    seconds: float

    def __str__(self):
        counts = "".join(f"{each:>9}" for each in (self.bytes, self.receipt, self.requests))
        return f"{self.name:<34}{counts}{self.seconds:>9.1f}"


class Attempt:
    """A student takes an attempt.

    `questions` counts the answers, and `wrong` those that were stored otherwise than chosen;
    `complaints` are errors and warnings of the browser.
    """

    def __init__(self, service, backend, browser, language, *, is_slow):
        self.language, self.rows = language, []
        context = browser.new_context(viewport=PHONE, locale=f"{language}-IN")
        self._student = student = Student(context, service.url)
        context.set_default_timeout(PATIENCE)
        self._wire = Wire(student.page, is_slow)
        number = secrets.randbelow(10**8)
        applicant = Applicant("Asha Rao", f"asha.{number}@example.com", f"+9198{number:08}")
        link, chosen = backend.redirect_url(applicant), {}
        button = student.page.locator("main form button[type=submit]").first
        self._step(lambda: student.page.goto(link))
        while student.kind != "result":
            if student.kind == "landing":
                student.consent()
            elif student.kind == "question":
                student.choose()
                if not student.asks_subjects:
                    for control, value in student.page.evaluate(CHOSEN):
                        chosen[int(control.partition("-")[2] or student.position)] = value
            self._step(lambda: button.press("Enter"))
        stored = {
            row["position"]: row["choice"] for row in service.rows(STORED, (applicant.email,))
        }
        self.questions = len(chosen)
        self.wrong = sum(
            stored.get(place) != chosen.get(place) for place in stored.keys() | chosen.keys()
        )
        self.complaints = student.complaints()
        context.close()

    def _step(self, action):
        """Load a page and record its cost until all of it is shown with its style."""
        page, wire = self._student.page, self._wire
        wire.bytes = wire.receipt = wire.requests = 0
        pressed_at = time.time()
        with page.expect_event("load"):
            action()
        page.wait_for_timeout(50)  # until Chromium has painted the page and reported it
        seconds = page.evaluate(SHOWN_AT) / 1000 - pressed_at
        name = self._student.kind
        if name in {"section", "question"}:
            name += f" {self._student.path.rpartition('/')[2]}"
        self.rows.append(Row(name, wire.bytes, wire.receipt, wire.requests, seconds))


class Wire:
    """Counts the cost of a page as Chromium reports it: received headers and bodies.

    The `receipt` is the answer to the form that led to the page: a redirect, or a few bytes.
    """

    def __init__(self, page, is_slow):
        self._cached, self._sent_by_script = set(), set()
        self.bytes = self.receipt = self.requests = 0
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.requestServedFromCache", self._from_cache)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")
        if is_slow:
            session.send("Network.emulateNetworkConditions", SLOW)

    def _sent(self, event):
        if not event["request"]["url"].startswith("http"):
            return
        # a redirect is a separate answer with the same id
        self.receipt += event.get("redirectResponse", {}).get("encodedDataLength", 0)
        self.requests += 1
        if event.get("type") == "Fetch":
            self._sent_by_script.add(event["requestId"])

    def _answered(self, event):
        if event["response"].get("fromDiskCache"):
            self._from_cache(event)

    def _from_cache(self, event):
        if event["requestId"] not in self._cached:
            self._cached.add(event["requestId"])
            self.requests -= 1

    def _finished(self, event):
        if event["requestId"] in self._sent_by_script:
            self.receipt += int(event["encodedDataLength"])
        elif event["requestId"] not in self._cached:
            self.bytes += int(event["encodedDataLength"])
