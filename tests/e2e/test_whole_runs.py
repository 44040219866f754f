"""Whole runs that must come to the same: by keyboard, in Hindi, zoomed, without scripts.

Every student here gives every item the same answer, and what is stored of them is compared.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.assessments.hindi import english_on
from tests.e2e import rows
from tests.e2e.conftest import CATALOGUE, onboard
from tests.e2e.keyboard import FORWARD, KeyboardStudent
from tests.e2e.short_bank import short_bank
from tests.e2e.steady import SteadyStudent
from tests.e2e.test_layout import CUT, OUTSIDE, SPACING
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import SMALL_BANK, Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

# A window of 1280 by 1024 at 200 % and at 400 %.
TWICE: dict[str, Any] = {"viewport": {"width": 640, "height": 512}, "device_scale_factor": 2}
FOUR_TIMES: dict[str, Any] = {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4}
FIRST_PUZZLE = 45
PROJECT = "Vidyalaya"
RETURN_URL = "https://college.example/portal"
GUARDIAN = {"age": "minor", "guardian_name": "Lakshmi Iyer", "guardian_contact": "+91 98400 12345"}
# A reader's own style, which a page's policy can't forbid.
ADOPT = """style => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet];
}"""


@pytest.fixture(scope="module")
def bank(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Give a bank in both languages, which is the current one while these tests run."""
    content = short_bank()
    file = tmp_path_factory.mktemp("bank") / "bank.json"
    file.write_text(json.dumps(content))
    service.manage("load_items", str(file), "--make-current")
    yield content
    service.manage("load_items", str(SMALL_BANK), "--make-current")


@pytest.fixture(scope="module")
def partner(service: Service) -> PartnerBackend:
    """Give a partner whose project asks the age and has an address to return to."""
    partner = onboard(service, PROJECT)
    service.rows(
        "UPDATE partners_project SET consent_mode = 'ask', return_url = %s WHERE project_id = %s",
        (RETURN_URL, partner.project_id),
    )
    return partner


def words_as_given() -> set[str]:
    """Return the words that are the same in every language: names of people and of courses."""
    with CATALOGUE.open(newline="") as file:
        names = " ".join(row["name"] for row in csv.DictReader(file))
    return {"Meenakshi", PROJECT, *re.findall("[A-Za-z’']+", names)}


class HindiStudent(SteadyStudent):
    """A student who reads Hindi, and sees each English word that is left on a page."""

    as_given = words_as_given()

    def look(self) -> None:
        super().look()
        self.note(*english_on(self.page.content(), allowed=self.as_given))


class ZoomedStudent(HindiStudent):
    """Who also needs more space between letters, words and lines, and first sends pages empty."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        # By position: the status, whether the summary has the focus, errors, answers stored.
        self.sent_empty: dict[int, tuple[int, bool, int, int]] = {}

    def look(self) -> None:
        super().look()
        self.page.evaluate(ADOPT, SPACING)
        self.note(*self.page.evaluate(OUTSIDE), *self.page.evaluate(CUT))

    def answer(self) -> None:
        is_asked = self.kind == "question" and not self.asks_subjects
        if is_asked and self.position in (1, FIRST_PUZZLE):
            self.press(self.page.locator("main form button"))
            self.sent_empty[self.position] = (
                self.status,
                self.page.locator(".summary:focus").count() == 1,
                self.page.locator("fieldset .error").count(),
                len(rows.choices(self.service, stored(self))),
            )
        super().answer()


@pytest.fixture(scope="module")
def new(
    chromium: Browser, service: Service, partner: PartnerBackend, bank: dict[str, Any]
) -> Iterator[Callable[..., Any]]:
    """Give a function that makes a student of a kind, with a browser and a link of their own."""
    students: list[SteadyStudent] = []

    def new(kind: type[SteadyStudent], language: str, **options: Any) -> SteadyStudent:
        applicant = Applicant("Meenakshi Iyer", f"m.{len(students)}@example.com", "+919812345678")
        link = partner.redirect_url(applicant)
        context = chromium.new_context(**options)
        students.append(kind(context, service, applicant, link, bank, language))
        return students[-1]

    yield new
    for student in students:
        student.context.close()


def stored(student: SteadyStudent) -> dict[str, Any]:
    """Return the student's attempt, with what SQLite keeps as text read."""
    [attempt] = rows.attempts(student.service, student.applicant)
    for column in ("profile", "recommendations"):
        if isinstance(attempt[column], str):
            attempt[column] = json.loads(attempt[column])
    return attempt


def check_stored(student: SteadyStudent, language: str) -> None:
    """Hold the attempt against what the student chose, was shown, and may complain of."""
    attempt = stored(student)
    assert len(student.given) == 59
    assert rows.choices_by_item(student.service, attempt) == student.given
    assert attempt["completed_at"]
    assert attempt["language"] == language
    assert [str(each) for each in student.wrong] == []
    assert student.complaints() == []


@pytest.fixture(scope="module")
def by_keyboard(new: Callable[..., KeyboardStudent]) -> KeyboardStudent:
    """Give a student who did everything by keys, at 200 %."""
    student = new(KeyboardStudent, "en", **TWICE)
    student.open(student.link)
    student.fill_in(GUARDIAN)
    student.answer()  # which subjects
    student.answer()  # begins the first part
    student.answer()
    student.answer_by_numbers()
    student.answer_to_the_end()
    student.read_to_the_end()
    return student


def test_a_whole_run_needs_no_mouse_and_never_loses_the_focus(by_keyboard: KeyboardStudent) -> None:
    student = by_keyboard

    check_stored(student, "en")
    attempt = stored(student)
    assert attempt["is_minor"]
    assert attempt["guardian_name"] == GUARDIAN["guardian_name"]
    assert attempt["guardian_contact"]
    assert student.page.locator("details:not([open])").count() == 0
    assert student.page.locator("a.button").last.get_attribute("href") == RETURN_URL


def test_by_keyboard_one_skips_mends_a_gap_and_comes_back_from_leaving(
    new: Callable[..., KeyboardStudent],
) -> None:
    student = new(KeyboardStudent, "en", **TWICE)
    student.open(student.link)
    student.key(FORWARD)
    student.key("Enter")  # past what every page begins with
    skipped = student.page.locator("main:focus").count()
    student.reload()
    student.fill_in(GUARDIAN)
    student.answer()
    student.answer()

    student.go_to("main form button")
    student.enter()
    refused = student.status, student.page.locator(".summary:focus").count()
    student.key(FORWARD)
    student.key("Enter")
    first = student.stop()
    student.go_to("p.away a", FORWARD)
    student.enter()
    asked = student.kind
    student.tour()
    student.note_missed()
    student.go_to("a.button")
    student.enter()

    assert skipped == 1
    assert refused == (400, 1)
    assert first
    assert (first["type"], first["field"]) == ("radio", "answer-1")
    assert asked == "leave"
    assert (student.kind, student.position) == ("question", 1)
    assert [str(each) for each in student.wrong] == []
    assert student.complaints() == []
    assert rows.choices(student.service, stored(student)) == {}


@pytest.fixture(scope="module")
def in_hindi(new: Callable[..., ZoomedStudent]) -> ZoomedStudent:
    """Give a student whose browser asks for Hindi, at 400 %, without scripts."""
    student = new(ZoomedStudent, "hi", locale="hi-IN", java_script_enabled=False, **FOUR_TIMES)
    student.open(student.link)
    student.sit()
    return student


def test_a_whole_run_in_the_language_of_the_browser_at_400_percent_without_scripts(
    in_hindi: ZoomedStudent,
) -> None:
    check_stored(in_hindi, "hi")


def test_without_scripts_a_page_sent_empty_comes_back_and_stores_nothing(
    in_hindi: ZoomedStudent,
) -> None:
    a_page = (400, True, 8, 0)
    a_puzzle = (400, True, 1, FIRST_PUZZLE - 1)
    assert in_hindi.sent_empty == {1: a_page, FIRST_PUZZLE: a_puzzle}


def test_the_same_answers_come_to_the_same_in_both_languages(
    partner: PartnerBackend,
    by_keyboard: KeyboardStudent,
    in_hindi: ZoomedStudent,
) -> None:
    english, hindi = stored(by_keyboard), stored(in_hindi)

    for part in ("interests", "aptitude", "preferences"):
        assert hindi["profile"][part] == english["profile"][part]
    assert hindi["recommendations"] == english["recommendations"]
    assert in_hindi.recommended == by_keyboard.recommended != []
    [record] = partner.assessments(in_hindi.applicant.email)
    assert record["Recommendations"] == in_hindi.recommended
