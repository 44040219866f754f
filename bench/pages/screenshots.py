"""Photograph the states that docs/student-pages.md shows.

    python -m bench.pages.screenshots [FOLDER]

A student uses a running service, so failures (no network, a lost cookie, a second tab) are real.
FOLDER is docs/images/student by default.
"""

import argparse
import base64
import re
from pathlib import Path
from zlib import crc32

from bench.pages import PHONE, chromium
from bench.stack import Stack
from tests.support.backend import Applicant, PartnerBackend
from tests.support.student import Student, by_taste

PICTURES = Path(__file__).parents[2] / "docs" / "images" / "student"
SCALE, QUALITY, MOST_HEIGHT = 0.75, 30, 1120
LENGTH = "document.documentElement.scrollHeight"
TOP = """what =>
    Math.max(0, document.querySelector(what).getBoundingClientRect().top + scrollY - 16)"""
LIKED = re.compile("lab|pond|plants|body|leg|knee|doctor|virus|brain|upset|remember")
CHANGE_NEWEST_LINK = """
UPDATE assessments_assessmentlink SET {}
WHERE id = (SELECT max(id) FROM assessments_assessmentlink)
"""


def likes(question, labels):
    """Return the answer of a student who likes questions about body and mind."""
    if asked := re.search("choose “(.+?)”", question):
        return labels.index(asked[1])
    if "Love it" in labels:
        return 4 if LIKED.search(question) else 1 + by_taste(question, labels[:2])
    return 0 if "subjects" in question else by_taste(question, labels)


def send(student):
    student.press(student.page.locator("main form button").first)


class Tour:
    """Visits the states that a project's students can meet."""

    def __init__(self, stack, browser, folder):
        self.service, made = stack.shipped("--project", "Sahyadri College")
        url, secrets = self.service.url, made.credential.split(":")
        self.partner = PartnerBackend(url, made.project_id, *secrets)
        self.browser, self.folder = browser, folder
        self.start = url + made.path

    def go(self):
        self.set_project("return_url", "https://sahyadri.example/portal")
        unused = self.link("Meena Das")
        self.before_the_start(unused)
        student, link = self.student(), self.link("Asha Rao")
        student.start(link)
        self.shoot(student, "subjects")
        student.answer()
        self.first_part(student)
        self.puzzles(student)
        self.show_elsewhere(link, "link-in-use")
        self.show_elsewhere(self.link("Asha Rao"), "landing-continue")
        self.ravi_leaves()
        # A brother begins in the same browser, and the address that names nobody is opened.
        student.new_tab(student.page.url).start(self.link("Ravi Nair"))
        self.shoot_page(student, self.start, "choose")
        student.open(link)
        self.to_the_end(student)
        self.show_elsewhere(link, "link-finished")
        self.show_elsewhere(self.link("Asha Rao"), "landing-done-before")
        self.set_project("closed_at", "2026-01-01 00:00:00Z")
        self.show_elsewhere(unused, "link-closed")

    def before_the_start(self, unused):
        student = self.student()
        self.shoot_page(student, f"{self.start}?token={'a' * 22}", "link-unknown")
        self.shoot_page(student, self.start, "not-in-this-browser")
        student.open(unused)
        self.shoot_answer(student, "landing-error")
        self.set_project("consent_mode", "ask")
        student.open(unused)
        student.page.locator("#age-minor").press("Space")
        self.shoot(student, "landing-age", ".ask")
        self.shoot_answer(student, "landing-age-errors", ".ask")
        self.set_project("consent_mode", "obtained")
        student.open(unused)
        student.consent()
        student.context.clear_cookies()
        self.shoot_answer(student, "cookies-blocked")
        for state, columns in {
            "link-expired": "issued_at = '2026-01-01Z', expires_at = '2026-01-02Z'",
            "link-cancelled": "cancelled_at = issued_at",
        }.items():
            link = self.link("Meena Das")
            self.service.rows(CHANGE_NEWEST_LINK.format(columns))
            self.show_elsewhere(link, state)

    def first_part(self, student):
        page = student.page
        student.answer()
        page.locator("fieldset input").nth(3).press("Space")
        self.shoot_answer(student, "statements-gap")
        student.choose()
        student.lose_network()
        student.tap()
        page.get_by_role("status").filter(has_text=re.compile(r"\S")).wait_for()
        self.shoot(student, "waiting", "fieldset:last-of-type")
        with page.expect_navigation():
            student.regain_network()
        student.choose()
        page.eval_on_selector("[name=csrfmiddlewaretoken]", "each => each.value = 'stale'")
        self.shoot_answer(student, "retry")
        send(student)

    def puzzles(self, student):
        student.answer_until(lambda: student.kind == "section")
        self.shoot(student, "section-closer")
        student.answer()
        student.answer_until(lambda: student.kind == "ideas")
        self.shoot(student, "ideas")
        student.answer_until(lambda: student.kind == "section")
        student.answer()
        answered = student.page.url
        student.page.locator(".example summary").press("Enter")  # else Continue does that
        self.shoot_answer(student, "puzzle-gap")
        student.open(answered)
        student.answer_until(lambda: student.kind == "section")
        self.shoot_page(student, answered, "puzzle-answered")

    def ravi_leaves(self):
        """Leave in one tab while another one still shows a question."""
        student, link = self.student(), self.link("Ravi Nair")
        student.start(link)
        for _ in range(2):  # which subjects, the first section
            student.answer()
        behind = student.new_tab(f"{student.page.url.rpartition('/')[0]}/leave")
        self.shoot(behind, "leave")
        self.shoot_answer(behind, "left")
        student.answer()
        self.shoot(student, "ended")
        student.context.close()
        self.show_elsewhere(link, "link-ended")

    def to_the_end(self, student):
        assert student.kind == "section", (student.page.url, student.text)
        student.answer()
        # Students read, and this program does not: without this, the result would look careless.
        self.service.rows("UPDATE assessments_answer SET shown_at = shown_at - interval '1 minute'")
        student.answer_to_the_end()
        self.shoot(student, "result-other-subjects", "#other-subjects")
        for course in (0, 1):
            student.page.locator("[form=compare][type=checkbox]").nth(course).press("Space")
        student.press(student.page.locator("#compare button"))
        self.shoot(student, "compare")
        student.back()
        student.press(student.page.locator("[name=dismiss]").first)
        self.shoot(student, "result-dismissed")
        self.shoot(student, "result-keep", "#keep")
        for page, before, after in (
            ("result/link", "private-link", "private-link-made"),
            ("forget", "forget", "forgotten"),
        ):
            self.shoot_page(student, f"{self.start}/{student.attempt}/{page}", before)
            self.shoot_answer(student, after)

    def student(self):
        """Return a student with a browser that has never been here."""
        options = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
        context = self.browser.new_context(viewport=PHONE, locale="en-IN", **options)
        return Student(context, self.service.url, likes)

    def show_elsewhere(self, link, state):
        student = self.student()
        self.shoot_page(student, link, state)
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

    def shoot_page(self, student, url, state):
        student.open(url)
        self.shoot(student, state)

    def shoot_answer(self, student, state, what="html"):
        send(student)
        self.shoot(student, state, what)

    def shoot(self, student, state, what="html"):
        """Write a picture, from what a selector names on. Playwright's function writes no WebP."""
        page = student.page
        top = page.evaluate(TOP, what)
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


if __name__ == "__main__":
    main()
