"""Runs by keyboard, and in Hindi at 400 % without scripts; and taps of an impatient finger."""

import json
import zlib

import pytest

from assessments.banks import SHIPPED
from tests.e2e.conftest import DESKTOP, PHONE, answers, stored
from tests.e2e.layout import MOST_STOPS, OUTSIDE
from tests.support.student import Student

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shipped_bank")]

BANK = json.loads(SHIPPED.read_bytes())
ITEMS = {item["code"]: item for item in BANK["items"]}
QUESTIONS = sum(section["items_given"] for section in BANK["sections"])
RETURN_URL = "https://college.example/portal"
GUARDIAN = {"guardian_name": "Lakshmi Iyer", "guardian_contact": "+91 98400 12345"}
# Each question's control, the values that it offers, and their words: those to be seen.
READ_CONTROLS = """questions => questions.map(question => ({
    name: question.querySelector("input").name,
    values: [...question.querySelectorAll("input")].map(input => input.value),
    labels: [...question.querySelectorAll("label > span")].map(label =>
        (label.querySelector("[aria-hidden]") || label).innerText.trim()),
    words: question.innerText,
}))"""


class ReadingStudent(Student):
    """Reads each question, and answers by the item alone; `wrong` collects what pages lack."""

    def read(self, service, applicant, language):
        """Compare what is shown from now on with the bank in this language."""
        self.service, self.applicant, self.language = service, applicant, language
        self.given = {}
        self.wrong = []

    def look(self):
        self.wrong += self.page.evaluate(OUTSIDE)
        if self.page.locator("html").get_attribute("lang") != self.language:
            self.wrong.append(f"{self.path} is in another language")

    def choose(self):
        questions = self.page.locator("fieldset").evaluate_all(READ_CONTROLS)
        if self.asks_subjects:
            self.tick(questions[0]["name"], questions[0]["values"], 1, is_last=True)
            return
        codes = {each["position"]: each["code"] for each in answers(self.service, self.applicant)}
        for position, shown in enumerate(questions, start=self.position):
            code, values = codes[position], [int(value) for value in shown["values"]]
            offered = dict(zip(values, shown["labels"], strict=True))
            has_words = ITEMS[code]["text"][self.language] in shown["words"]
            if not has_words or offered != self.offered(code):
                self.wrong.append((code, shown))
            number = zlib.crc32(code.encode()) % len(offered)
            self.given[code] = values[number]
            self.tick(shown["name"], values, number, is_last=shown is questions[-1])

    def tick(self, name, values, number, *, is_last):
        self.page.locator(f'input[name="{name}"][value="{values[number]}"]').press("Space")

    def offered(self, code):
        item = ITEMS[code]
        if item["section"] == "aptitude":
            labels = {n: option["label"] for n, option in enumerate(item["options"], start=1)}
            labels[0] = BANK["dont_know"]
        else:
            section = "interests" if item["section"] == "fields" else item["section"]
            labels = {each["value"]: each["label"] for each in BANK["answers"][section]}
        return {value: label[self.language] for value, label in labels.items()}

    def answer(self):
        self.look()
        super().answer()


class KeyboardStudent(ReadingStudent):
    """Uses keys alone. tests/e2e/test_pages_on_screen.py looks at the focus on every page."""

    def go_to(self, wanted):
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            if self.page.locator(f"{wanted}:focus").count():
                return
        raise AssertionError(f"{wanted} can't be reached")

    def tick(self, name, values, number, *, is_last):
        """Choose by number keys, and in the last question of a page by Tab and arrows."""
        wanted = f'input[name="{name}"]'
        if is_last:
            self.go_to(wanted)
        for key in ["Space", *["ArrowDown"] * number] if is_last else [str(number + 1)]:
            self.page.keyboard.press(key)
        assert self.page.locator(f'{wanted}[value="{values[number]}"]:focus:checked').count() == 1

    def press(self, button):
        """Press what a selector names, or the button that sends the page."""
        self.go_to(button if isinstance(button, str) else "main form button")
        with self.page.expect_navigation() as navigation:
            self.page.keyboard.press("Enter")
        self.status = navigation.value.status if navigation.value else 0


def check(student, partner):
    """Compare what is stored with what the student chose; return the attempt."""
    service, applicant = student.service, student.applicant
    assert {each["code"]: each["choice"] for each in answers(service, applicant)} == student.given
    assert (len(student.given), student.wrong) == (QUESTIONS, [])
    [record] = partner.attempts(applicant.email)
    assert record["Recommendations"] == student.recommended != []
    [attempt] = stored(service, applicant)
    assert attempt["language"] == student.language
    return dict(attempt)


@pytest.fixture
def asks_age(service, partner):
    change = "UPDATE partners_project SET consent_mode = %s, return_url = %s WHERE project_id = %s"
    find = "SELECT * FROM partners_project WHERE project_id = %s"
    [before] = service.rows(find, (partner.project_id,))
    service.rows(change, ("ask", RETURN_URL, partner.project_id))
    yield
    service.rows(change, (before["consent_mode"], before["return_url"], partner.project_id))


@pytest.mark.usefixtures("asks_age")
def test_a_whole_run_by_keyboard_with_a_guardian_a_gap_and_a_second_thought(
    service, partner, link, applicant, new_student
):
    student = new_student(KeyboardStudent, viewport=DESKTOP)
    assert isinstance(student, KeyboardStudent)
    keyboard = student.page.keyboard
    student.read(service, applicant, "en")
    student.open(link)
    keyboard.press("Tab")
    keyboard.press("Enter")  # past what every page begins with
    assert student.page.locator("main:focus").count() == 1
    student.go_to("[name=age]")
    keyboard.press("Space")
    if student.page.locator("[name=age][value=minor]:checked").count() == 0:
        keyboard.press("ArrowDown")
    for name, value in GUARDIAN.items():
        student.go_to(f"[name={name}]")
        keyboard.type(value)
    student.go_to("[name=consent]")
    keyboard.press("Space")
    student.press("#start")
    for _ in range(2):  # the subjects, the first section
        student.answer()
    student.press("main form button")
    assert (student.status, student.page.locator(".summary:focus").count()) == (400, 1)
    student.go_to(".summary a")
    keyboard.press("Enter")
    assert student.page.locator("[name=answer-1]:focus").count() == 1
    student.press("p.away a")
    assert student.kind == "leave"
    student.press("a.button")  # not left, after all
    student.answer_to_the_end()

    attempt = check(student, partner)
    assert attempt["is_minor"]
    assert attempt["guardian_name"] == GUARDIAN["guardian_name"]
    assert attempt["guardian_contact"]
    for fold in student.page.locator("summary").all():
        student.go_to("summary")
        keyboard.press("Enter")
        assert fold.locator("..").get_attribute("open") is not None
    assert student.page.locator("a.button").last.get_attribute("href") == RETURN_URL


def test_a_whole_run_in_the_language_of_the_browser_at_400_percent_without_scripts(
    service, partner, link, applicant, new_student
):
    zoomed = {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4}
    student = new_student(ReadingStudent, locale="hi-IN", java_script_enabled=False, **zoomed)
    assert isinstance(student, ReadingStudent)
    student.read(service, applicant, "hi")
    student.open(link)
    student.look()
    student.consent()
    student.press(student.page.locator("#start"))
    student.answer_to_the_end()
    student.look()

    assert check(student, partner)["completed_at"]


SETTLED = 701  # ms


@pytest.fixture
def student(new_student):
    return new_student(viewport=PHONE, has_touch=True)


def tap(student, what):
    target = student.page.locator(what).first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    student.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("part", [1, 3], ids=["statements", "puzzle"])
def test_taps_on_a_page_that_has_just_appeared_do_nothing(student, link, part):
    page = student.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    student.start(link)
    student.answer_until(page.get_by_role("button", name=f"Begin part {part}").count)
    page.clock.run_for(SETTLED)
    with page.expect_navigation(wait_until="domcontentloaded"):
        tap(student, "main form button")
    address = page.url

    for wait in (120, 180):
        page.clock.run_for(wait)
        for what in ("label.answer", "main form button[type=submit]", "p.away a"):
            tap(student, what)
    page.wait_for_timeout(200)
    assert (page.url, student.ticked, page.locator(".summary").count()) == (address, [], 0)

    page.clock.run_for(SETTLED)
    tap(student, "label.answer")
    assert len(student.ticked) == 1


@pytest.mark.parametrize(
    ("came_from", "counts"), [("", True), ("https://lms.example/", True), ("ours", False)]
)
def test_a_tap_on_the_first_page_of_a_visit_counts_at_once(
    student, link, service, came_from, counts
):
    page = student.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(link, referer=f"{service.url}/" if came_from == "ours" else came_from)

    tap(student, "[name=consent]")

    assert page.locator("[name=consent]").is_checked() is counts
