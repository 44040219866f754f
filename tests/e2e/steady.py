"""A student who gives every item the same answer, in whatever language and by whatever means."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from tests.e2e import rows
from tests.e2e.test_layout import OUTSIDE
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

STREAM = "commerce"
# Each question's control, the values that it offers, and their words.
READ_CONTROLS = """questions => questions.map(question => ({
    name: question.querySelector("input").name,
    values: [...question.querySelectorAll("input")].map(input => Number(input.value)),
    labels: [...question.querySelectorAll("label > span")].map(label => label.innerText.trim()),
    words: question.innerText,
}))"""


class SteadyStudent(Student):
    """A student whose answers depend on the item alone. `wrong` collects what a page lacks."""

    def __init__(
        self,
        context: BrowserContext,
        service: Service,
        applicant: Applicant,
        link: str,
        bank: dict[str, Any],
        language: str,
    ) -> None:
        super().__init__(context, service.url)
        self.service = service
        self.applicant = applicant
        self.link = link
        self.language = language
        self.given: dict[str, int] = {}
        self.wrong: list[tuple[str, object]] = []
        self._bank = bank
        self._items = {item["code"]: item for item in bank["items"]}

    def note(self, *found: object) -> None:
        """Keep what is wrong with the page that is open."""
        self.wrong += [(self.path.rpartition("/")[2], each) for each in found]

    def look(self) -> None:
        """Look at the page that is open, before anything is done on it."""
        self.note(*self.page.evaluate(OUTSIDE))
        spoken = self.page.locator("html").get_attribute("lang")
        if spoken != self.language:
            self.note(f"it is in {spoken}")

    def wanted(self) -> dict[str, Any]:
        """Return the value to choose for each question on the page, by the control's name."""
        if self.asks_subjects:
            return {"answer": STREAM}
        attempt = rows.attempts(self.service, self.applicant)[-1]
        codes = rows.items(self.service, attempt)
        chosen: dict[str, Any] = {}
        questions = self.page.locator("fieldset").evaluate_all(READ_CONTROLS)
        for position, question in enumerate(questions, start=self.position):
            code = codes[position]
            self._compare(code, question)
            values = question["values"]
            self.given[code] = values[zlib.crc32(code.encode()) % len(values)]
            chosen[question["name"]] = self.given[code]
        return chosen

    def choose(self) -> None:
        for name, value in self.wanted().items():
            self.page.locator(f'input[name="{name}"][value="{value}"]').check()

    def answer(self) -> None:
        self.look()
        super().answer()

    def begin(self) -> None:
        """Agree on the landing page, as an adult where it asks, and start."""
        self.look()
        for age in self.page.locator('[name="age"][value="adult"]').all():
            age.check()
        self.consent()
        self.press(self.page.locator("#start"))

    def sit(self) -> None:
        """Start on the page that is open, answer everything, and look at the result."""
        self.begin()
        self.answer_to_the_end()
        self.look()

    def _compare(self, code: str, question: dict[str, Any]) -> None:
        """Hold a question against the bank: the item's words, and each value's own words."""
        item = self._items[code]
        if item["section"] == "aptitude":
            offered = [(n, option["label"]) for n, option in enumerate(item["options"], start=1)]
            offered.append((0, self._bank["dont_know"]))
        else:
            offered = [(each["value"], each["label"]) for each in self._answers(item)]
        shown = list(zip(question["values"], question["labels"], strict=True))
        if shown != [(value, label[self.language]) for value, label in offered]:
            self.note(f"{code} offers {shown}")
        if item["text"][self.language] not in question["words"]:
            self.note(f"{code} asks {question['words']}")

    def _answers(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        section = "interests" if item["section"] == "fields" else item["section"]
        answers: list[dict[str, Any]] = self._bank["answers"][section]
        return answers
