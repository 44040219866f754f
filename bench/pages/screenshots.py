"""Photograph the states that docs/student-pages.md shows.

    python -m bench.pages.screenshots [FOLDER]

A student uses a running service in Chromium, on a phone of 360 x 640 in English; failures (no
network, a lost cookie, a second tab) are real. FOLDER is docs/images/student by default. A picture
shows at most the first 1,120 px from where the state begins. Takes about two minutes.
"""

import argparse
import base64
import re
import sys
from pathlib import Path
from zlib import crc32

from bench.pages import PHONE, chromium
from bench.stack import Stack
from tests.support.backend import Applicant, PartnerBackend
from tests.support.student import Student, by_taste

PICTURES = Path(__file__).parents[2] / "docs" / "images" / "student"
SCALE, QUALITY, MOST_HEIGHT = 0.75, 30, 1120
LENGTH = "document.documentElement.scrollHeight"
TOP = "what => document.querySelector(what).getBoundingClientRect().top + scrollY - 16"
LIKED = re.compile("lab|pond|plants|body|leg|knee|doctor|virus|brain|upset|remember")
NEWEST_LINK = " WHERE id = (SELECT max(id) FROM assessments_assessmentlink)"


def likes(question, labels):
    """Return the answer of a student who likes questions about body and mind."""
    if asked := re.search("choose “(.+?)”", question):
        return labels.index(asked[1])
    if "Love it" in labels:
        return 4 if LIKED.search(question) else 1 + by_taste(question, labels[:2])
    return 0 if "subjects" in question else by_taste(question, labels)


class Asha(Student):
    """A student of whom pictures are taken."""

    def __init__(self, context, tour):
        super().__init__(context, tour.service.url, likes)
        self.tour = tour

    def begin(self, link):
        self.open(link)
        self.consent()
        self.send()

    def send(self):
        self.press(self.page.locator("main form button").first)

    def shoot(self, state, what=""):
        """Photograph the page, from the element on that a selector names."""
        top = self.page.evaluate(TOP, what) if what else 0
        self.tour.shoot(self.page, state, top)


class Tour:
    """Visits the states that a project's students can meet."""

    def __init__(self, stack, browser, folder):
        self.service, made = stack.shipped("--project", "Sahyadri College")
        self.partner = PartnerBackend(
            self.service.url, made.project_id, *made.credential.split(":")
        )
        self.browser, self.folder = browser, folder
        self.start = f"{self.service.url}/{self.partner.project_id}/assessment"

    def go(self):
        self.set_project("return_url", "https://sahyadri.example/portal")
        unused = self.link("Meena Das")
        self.before_the_start(unused)
        student, link = self.student(), self.link("Asha Rao")
        student.begin(link)
        student.shoot("subjects")
        student.answer()
        self.first_part(student)
        self.puzzles(student)
        self.show_elsewhere(link, "link-in-use")
        self.show_elsewhere(self.link("Asha Rao"), "landing-continue")
        self.ravi_leaves()
        # A brother begins in the same browser, and the address that names nobody is opened.
        student.new_tab(student.page.url).begin(self.link("Ravi Nair"))
        student.open(self.start)
        student.shoot("choose")
        student.open(link)
        self.to_the_end(student)
        self.show_elsewhere(link, "link-finished")
        self.show_elsewhere(self.link("Asha Rao"), "landing-done-before")
        self.set_project("closed_at", "2026-01-01 00:00:00Z")
        self.show_elsewhere(unused, "link-closed")

    def before_the_start(self, unused):
        student = self.student()
        student.open(f"{self.start}?token={'a' * 22}")
        student.shoot("link-unknown")
        student.open(self.start)
        student.shoot("not-in-this-browser")
        student.open(unused)
        student.send()
        student.shoot("landing-error")
        self.set_project("consent_mode", "ask")
        student.open(unused)
        student.page.locator("#age-minor").press("Space")
        student.shoot("landing-age", ".ask")
        student.send()
        student.shoot("landing-age-errors", ".ask")
        self.set_project("consent_mode", "obtained")
        student.open(unused)
        student.consent()
        student.context.clear_cookies()
        student.send()
        student.shoot("cookies-blocked")
        change = "UPDATE assessments_assessmentlink SET"
        for state, columns in {
            "link-expired": "issued_at = '2026-01-01Z', expires_at = '2026-01-02Z'",
            "link-cancelled": "cancelled_at = issued_at",
        }.items():
            link = self.link("Meena Das")
            self.service.rows(f"{change} {columns}{NEWEST_LINK}")
            self.show_elsewhere(link, state)

    def first_part(self, student):
        page = student.page
        student.answer()
        page.locator("fieldset input").nth(3).press("Space")
        student.send()
        student.shoot("statements-gap")
        student.choose()
        student.lose_network()
        student.tap()
        page.get_by_role("status").filter(has_text=re.compile(r"\S")).wait_for()
        # The message is below the answered questions.
        self.shoot(page, "waiting", max(0, page.evaluate(LENGTH) - PHONE["height"]))
        with page.expect_navigation():
            student.regain_network()
        student.choose()
        page.eval_on_selector("[name=csrfmiddlewaretoken]", "each => each.value = 'stale'")
        student.send()
        student.shoot("retry")
        student.send()

    def puzzles(self, student):
        student.answer_until(lambda: student.kind == "section")
        student.shoot("section-closer")
        student.answer()
        student.answer_until(lambda: student.kind == "ideas")
        student.shoot("ideas")
        student.answer_until(lambda: student.kind == "section")
        student.answer()
        answered = student.page.url
        student.page.locator(".example summary").press("Enter")  # else Continue does that
        student.send()
        student.shoot("puzzle-gap")
        student.open(answered)
        student.answer_until(lambda: student.kind == "section")
        student.open(answered)
        student.shoot("puzzle-answered")

    def ravi_leaves(self):
        """Leave in one tab while another one still shows a question."""
        student, link = self.student(), self.link("Ravi Nair")
        student.begin(link)
        for _ in range(2):  # which subjects, the first section
            student.answer()
        behind = student.new_tab(f"{student.page.url.rpartition('/')[0]}/leave")
        behind.shoot("leave")
        behind.send()
        behind.shoot("left")
        student.answer()
        student.shoot("ended")
        student.context.close()
        self.show_elsewhere(link, "link-ended")

    def to_the_end(self, student):
        assert student.kind == "section", (student.page.url, student.text)
        student.answer()
        # Students read, and this program does not: without this, the result would look careless.
        self.service.rows("UPDATE assessments_answer SET shown_at = shown_at - interval '1 minute'")
        student.answer_to_the_end()
        student.shoot("result-other-subjects", "#other-subjects")
        for course in (0, 1):
            student.page.locator("[form=compare][type=checkbox]").nth(course).press("Space")
        student.press(student.page.locator("#compare button"))
        student.shoot("compare")
        student.back()
        student.press(student.page.locator("[name=dismiss]").first)
        student.shoot("result-dismissed")
        student.shoot("result-keep", "#keep")
        attempt = f"{self.start}/{student.attempt}"
        for address, before, after in (
            (f"{attempt}/result/link", "private-link", "private-link-made"),
            (f"{attempt}/forget", "forget", "forgotten"),
        ):
            student.open(address)
            student.shoot(before)
            student.send()
            student.shoot(after)

    def student(self):
        """Return a student with a browser that has never been here."""
        options = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
        return Asha(self.browser.new_context(viewport=PHONE, locale="en-IN", **options), self)

    def show_elsewhere(self, link, state):
        student = self.student()
        student.open(link)
        student.shoot(state)
        student.context.close()

    def link(self, name):
        """Ask for a link, like the project's backend."""
        address = f"{name.split()[0].lower()}@example.com"
        # A number of more than three students continues nothing.
        mobile = f"+91 98765 4{crc32(address.encode()) % 10_000:04}"
        return self.partner.redirect_url(Applicant(name, address, mobile))

    def set_project(self, column, value):
        """Set a column of the project, as staff do in the admin."""
        change = f"UPDATE partners_project SET {column} = %s WHERE project_id = %s"
        self.service.rows(change, (value, self.partner.project_id))

    def shoot(self, page, state, top):
        """Write a picture from `top` px on as WebP, which Playwright's own function can't."""
        height = min(page.evaluate(LENGTH) - top, MOST_HEIGHT)
        clip = {"x": 0, "y": top, "width": PHONE["width"], "height": height, "scale": SCALE}
        options = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": True}
        browser = page.context.new_cdp_session(page)
        shot = browser.send("Page.captureScreenshot", options | {"clip": clip})
        browser.detach()
        (self.folder / f"{state}.webp").write_bytes(base64.b64decode(shot["data"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with Stack() as stack, chromium() as browser:
        Tour(stack, browser, folder).go()
    return 0


if __name__ == "__main__":
    sys.exit(main())
