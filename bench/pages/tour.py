"""A tour of every state that a student can meet, shown one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from zlib import crc32

from bench.pages.served import PHONE, onboard
from tests.support.backend import Applicant, PartnerBackend
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.support.server import Service

    # Takes a page, the name of its state, and how far down the page that state is.
    Look = Callable[[Page, str, float], None]

COLLEGES = {"en": "Sahyadri College", "hi": "सह्याद्री कॉलेज"}
# Kinds of puzzle by the CSS selector of their drawing; the first match counts.
PUZZLES = {
    "puzzle-matrix": ".drawing.matrix",
    "puzzle-chart": ".drawing.bars",
    "puzzle-table": ".values",
    "puzzle-series": ".line",
    "puzzle-words": "fieldset",
}
RESULT_PARTS = ("other-subjects", "interests", "aptitude", "preferences")
TOP = "what => document.querySelector(what).getBoundingClientRect().top + scrollY - 16"
LENGTH = "document.documentElement.scrollHeight"
# A student's answers, from 1 to 5, by the field or the preference that a statement is about.
LIKES = {
    "life_science": 5,
    "care": 5,
    "mind_society": 4,
    "physical_science": 4,
    "helping": 4,
    "nature": 3,
    "teaching": 3,
    "writing": 3,
    "doing_reading": 2,
    "alone_group": 4,
}
OTHERWISE = {"interests": 2, "fields": 2, "preferences": 3}
# Students read, and this program does not: without this, the result would look careless.
READING = "UPDATE assessments_answer SET shown_at = datetime(shown_at, '-1 minute') RETURNING id"


class Asha(Student):
    """A student who answers consistently and solves two of three puzzles."""

    def __init__(self, context: BrowserContext, service: Service) -> None:
        super().__init__(context, service.url)
        self.service = service

    def choose(self) -> None:
        if self.asks_subjects:
            self.page.get_by_role("radio").first.press("Space")
            return
        first, questions = self.position, self.page.locator("main fieldset")
        items = self.service.rows(
            "SELECT n.position, i.scale, i.section, i.key, i.keyed, i.content"
            " FROM assessments_answer n"
            " JOIN assessments_item i ON i.id = n.item_id"
            " JOIN assessments_assessment a ON a.id = n.assessment_id"
            " WHERE a.assessment_id = %s AND n.position >= %s ORDER BY n.position LIMIT %s",
            (self.attempt, first, questions.count()),
        )
        for item in items:
            if item["section"] == "aptitude":
                value = item["key"] if item["position"] % 3 else item["key"] % 5 + 1
            else:
                content = json.loads(item["content"])
                about = content.get("fields", [item["scale"]])[0]
                liked = LIKES.get(about, OTHERWISE[item["section"]] + item["position"] % 2)
                liked = liked if item["keyed"] > 0 else 6 - liked
                value = content.get("expected", liked)
            questions.nth(item["position"] - first).locator(f"[value='{value}']").press("Space")


class Tour:
    """Visits every state that a project's students can meet, in one language."""

    def __init__(self, service: Service, browser: Browser, language: str, look: Look) -> None:
        self.service, self.browser, self.language, self.look = service, browser, language, look
        self.partner: PartnerBackend
        self._students: list[Asha] = []
        self.start = self._unused = ""

    def go(self) -> None:
        made = onboard(self.service, COLLEGES[self.language])
        self.partner = PartnerBackend.from_onboarding(self.service.url, made)
        self.start = f"{self.service.url}/{self.partner.project_id}/assessment"
        self._set("return_url", "https://sahyadri.example/portal")
        self._before_the_start()
        student, link = self._student(), self._link("Asha Rao")
        self._begin(student, link)
        self._subjects(student)
        self._first_part(student)
        self._puzzles(student)
        self._show_elsewhere(link, "link-in-use")
        self._show_elsewhere(self._link("Asha Rao"), "landing-continue")
        self._ravi_leaves()
        self._one_browser_for_two(student)
        student.open(link)
        self._to_the_end(student)
        self._show_elsewhere(link, "link-finished")
        self._show_elsewhere(self._link("Asha Rao"), "landing-done-before")
        self._set("closed_at", "2026-01-01 00:00:00")
        self._show_elsewhere(self._unused, "link-closed")

    def complaints(self) -> list[str]:
        """Return the errors and warnings of the students' browsers."""
        return [complaint for student in self._students for complaint in student.complaints()]

    # --- the stages

    def _before_the_start(self) -> None:
        student, self._unused = self._student(), self._link("Meena Das")
        student.open(f"{self.start}?token={'a' * 43}")
        self._shoot(student, "link-unknown")
        student.open(self.start)
        self._shoot(student, "not-in-this-browser")
        student.open(self._unused)
        self._shoot(student, "landing")
        self._press(student)
        self._shoot(student, "landing-error")
        self._set("consent_mode", "ask")
        student.open(self._unused)
        student.page.locator("#age-minor").press("Space")
        self._shoot(student, "landing-age", self._top(student, ".ask"))
        self._press(student)
        self._shoot(student, "landing-age-errors", self._top(student, ".ask"))
        self._set("consent_mode", "obtained")
        student.open(self._unused)
        student.consent()
        student.context.clear_cookies()
        self._press(student)
        self._shoot(student, "cookies-blocked")
        student.context.close()
        late = self._link("Meena Das")
        self.service.rows(
            "UPDATE assessments_assessmentlink SET issued_at = '2026-01-01', expires_at ="
            " '2026-01-02' WHERE id = (SELECT max(id) FROM assessments_assessmentlink) RETURNING id"
        )
        self._show_elsewhere(late, "link-expired")
        cancelled = self._link("Meena Das")
        self.service.rows(
            "UPDATE assessments_assessmentlink SET cancelled_at = issued_at"
            " WHERE id = (SELECT max(id) FROM assessments_assessmentlink) RETURNING id"
        )
        self._show_elsewhere(cancelled, "link-cancelled")

    def _subjects(self, student: Student) -> None:
        self._shoot(student, "subjects")
        self._press(student)
        self._shoot(student, "subjects-gap")
        student.answer()

    def _first_part(self, student: Student) -> None:
        page = student.page
        self._shoot(student, "section")
        student.answer()
        self._shoot(student, "statements")
        page.locator("fieldset label").nth(3).click()
        self._press(student)
        self._shoot(student, "statements-gap")
        student.choose()
        student.lose_network()
        student.tap()
        page.get_by_role("status").filter(has_text=re.compile(r"\S")).wait_for()
        # The message is below the answered questions.
        self._shoot(student, "waiting", max(0, page.evaluate(LENGTH) - PHONE["height"]))
        with page.expect_navigation():
            student.regain_network()
        student.choose()
        self._shoot(student, "statements-back")
        page.eval_on_selector("[name=csrfmiddlewaretoken]", "each => each.value = 'stale'")
        self._press(student)
        self._shoot(student, "retry")
        self._press(student)

    def _puzzles(self, student: Student) -> None:
        student.answer_until(lambda: student.kind == "section")
        self._shoot(student, "section-closer")
        student.answer()
        student.answer_until(lambda: student.kind == "ideas")
        self._shoot(student, "ideas")
        student.answer_until(lambda: student.kind == "section")
        self._shoot(student, "section-puzzles")
        student.answer()
        answered = student.page.url
        student.page.locator(".example summary").press("Enter")  # else Continue does that
        self._press(student)
        self._shoot(student, "puzzle-gap")
        student.open(answered)
        while student.kind == "question":
            about = next(
                kind for kind, what in PUZZLES.items() if student.page.query_selector(what)
            )
            self._shoot(student, about)
            student.answer()
        student.open(answered)
        self._shoot(student, "puzzle-answered")

    def _ravi_leaves(self) -> None:
        """Leave in one tab while another one still shows a question."""
        student, link = self._student(), self._link("Ravi Nair")
        self._begin(student, link)
        student.answer()  # which subjects
        student.answer()
        behind = student.new_tab(f"{student.page.url.rpartition('/')[0]}/leave")
        self._shoot(behind, "leave")
        self._press(behind)
        self._shoot(behind, "left")
        student.answer()
        self._shoot(student, "ended")
        student.context.close()
        self._show_elsewhere(link, "link-ended")

    def _one_browser_for_two(self, student: Student) -> None:
        """Start a brother's attempt in the same browser, and open the address that names nobody."""
        behind = student.new_tab(student.page.url)
        self._begin(behind, self._link("Ravi Nair"))
        student.open(self.start)
        self._shoot(student, "choose")
        behind.page.close()

    def _to_the_end(self, student: Student) -> None:
        assert student.kind == "section", (student.page.url, student.text)
        student.answer()
        self._shoot(student, "statements-agree")
        self.service.rows(READING)
        student.answer_to_the_end()
        self._shoot(student, "result")
        for part in RESULT_PARTS:
            self._shoot(student, f"result-{part}", self._top(student, f"#{part}"))
        for course in (0, 1):
            student.page.locator("[form=compare][type=checkbox]").nth(course).press("Space")
        student.press(student.page.locator("#compare button"))
        self._shoot(student, "compare")
        student.back()
        student.press(student.page.locator("[name=dismiss]").first)
        self._shoot(student, "result-dismissed")
        self._shoot(student, "result-keep", self._top(student, "#keep"))
        self._keep(student)

    def _keep(self, student: Student) -> None:
        """Make a private link, open it elsewhere, and let the browser forget the student."""
        student.open(f"{self.start}/{student.attempt}/result/link")
        self._shoot(student, "private-link")
        self._press(student)
        self._shoot(student, "private-link-made")
        self._show_elsewhere(student.page.locator("[readonly]").input_value(), "private-result")
        student.open(f"{self.start}/{student.attempt}/forget")
        self._shoot(student, "forget")
        self._press(student)
        self._shoot(student, "forgotten")

    # --- helpers

    def _student(self) -> Asha:
        locale = f"{self.language}-IN"
        context = self.browser.new_context(
            viewport=PHONE,
            locale=locale,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        self._students.append(Asha(context, self.service))
        return self._students[-1]

    def _link(self, name: str) -> str:
        """Ask for a link, like the project's backend. A name is one student in each language."""
        address = f"{name.split()[0].lower()}.{self.language}@example.com"
        # A number of more than three students continues nothing.
        mobile = f"+91 98765 4{crc32(address.encode()) % 10_000:04}"
        return self.partner.redirect_url(Applicant(name, address, mobile))

    def _begin(self, student: Student, link: str) -> None:
        student.open(link)
        student.consent()
        self._press(student)

    def _press(self, student: Student) -> None:
        student.press(student.page.locator("main form button").first)

    def _shoot(self, student: Student, state: str, top: float = 0) -> None:
        self.look(student.page, state, top)

    def _top(self, student: Student, what: str) -> float:
        """Return the pixel at which a picture of the lower part of a page begins."""
        top: float = student.page.evaluate(TOP, what)
        return top

    def _show_elsewhere(self, link: str, state: str) -> None:
        """Open a link in a browser that has never seen it."""
        student = self._student()
        student.open(link)
        self._shoot(student, state)
        student.context.close()

    def _set(self, column: str, value: str) -> None:
        """Set a column of the project, as staff do in the admin."""
        self.service.rows(
            f"UPDATE partners_project SET {column} = %s WHERE project_id = %s RETURNING id",
            (value, self.partner.project_id),
        )
