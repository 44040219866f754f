"""A student with a real browser, from the link to the result."""

import zlib
from urllib.parse import urlsplit

from tests.support.browser import SUBJECTS

MOST_PAGES = 60
# All questions of a page at once; a series of numbers is beside the words of its question.
READ_QUESTIONS = """questions => {
    const read = (question, what) =>
        [...question.querySelectorAll(what)].map(element => element.innerText);
    return questions.map(question => ({
        words: read(question, "legend, h2, p:not(.error), table").join(" "),
        labels: read(question, "label"),
    }));
}"""


def by_taste(question, labels):
    """Return the number of an answer, from 0, that depends on the question alone."""
    return zlib.crc32(question.encode()) % len(labels)


class Student:
    """One browser of one student. It records faults for `complaints`."""

    def __init__(self, context, home, rule=by_taste):
        self.context, self.rule = context, rule
        self.page = context.pages[0] if context.pages else context.new_page()
        self.status = 0
        self.requests = []
        self._host = urlsplit(home).netloc
        self.complaints = []  # script errors, other hosts, caching
        context.on("request", self._note_request)
        context.on("requestfailed", self._note_failure)
        context.on("response", self._note_response)
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self.complaints.append(f"script error: {error.error}"))
        context.on("dialog", self._note_dialog)
        context.set_default_timeout(10_000)

    @property
    def kind(self):
        """The page's kind, from an attribute of its body."""
        return self.page.locator("body").get_attribute("data-page") or ""

    @property
    def text(self):
        return self.page.locator("body").inner_text()

    @property
    def heading(self):
        return self.page.locator("h1").inner_text()

    @property
    def path(self):
        return urlsplit(self.page.url).path

    @property
    def attempt(self):
        """The AssessmentId, from the page's address."""
        return self.path.split("/")[3]

    @property
    def asks_subjects(self):
        return self.path.endswith(SUBJECTS)

    @property
    def position(self):
        """The number of the first question on the page, from its address."""
        last = self.path.rpartition("/")[2]
        assert last.isdigit(), (self.path, self.text)
        return int(last)

    @property
    def recommended(self):
        return self.page.locator(".courses h3").all_inner_texts()

    @property
    def ticked(self):
        """The words of the answers that are ticked on the page."""
        return self.page.locator("label.answer:has(input:checked)").all_inner_texts()

    @property
    def kept_on_the_phone(self):
        """The keys of the answers that the page's script keeps in the browser's local storage."""
        keys = self.page.evaluate("Object.keys(localStorage)")
        return [key for key in keys if key.startswith("answers of ")]

    # --- what a student does, by keys: a tap on a page that has just appeared is ignored

    def open(self, url):
        self._show(self.page.goto(url))

    def reload(self):
        self._show(self.page.reload())

    def back(self):
        self._show(self.page.go_back())

    def _show(self, response):
        assert response is not None, "the page came out of a cache"
        self.status = response.status

    def new_tab(self, url):
        tab = type(self).__new__(type(self))
        tab.__dict__.update(self.__dict__)
        tab.page = self.context.new_page()
        tab.open(url)
        return tab

    def press(self, button):
        """Press the button or link with these words and wait for the next page."""
        if isinstance(button, str):
            named = self.page.locator("main").locator("button, a.button, p.away a")
            button = named.filter(has_text=button)
        self.page.bring_to_front()
        with self.page.expect_navigation() as navigation:
            button.press("Enter")
        self.status = navigation.value.status if navigation.value else 0

    def tap(self):
        """Press the button that sends the page, without waiting."""
        self.page.locator("main form button").press("Enter")

    def lose_network(self):
        self.context.set_offline(True)

    def regain_network(self):
        self.context.set_offline(False)

    def consent(self):
        self.page.get_by_role("checkbox").press("Space")

    def start(self, url, button="Start"):
        """Open a link, agree, and press a button of the landing page."""
        self.open(url)
        assert self.kind == "landing", self.text
        self.consent()
        self.press(button)

    def choose(self):
        """Choose an answer to every question on the page, without sending them."""
        self.page.bring_to_front()  # a tab behind another one is slow
        questions = self.page.locator("fieldset").evaluate_all(READ_QUESTIONS)
        chosen = [self.rule(question["words"], question["labels"]) for question in questions]
        for question, number in zip(self.page.locator("fieldset").all(), chosen, strict=True):
            question.locator("input").nth(number).press("Space")

    def answer(self):
        """Answer the page, or begin the section that it announces."""
        if self.kind == "question":
            self.choose()
        self.press(self.page.locator("main form button"))

    def answer_until(self, reached):
        for _ in range(MOST_PAGES):
            if reached():
                return
            assert self.kind in {"section", "question", "ideas"}, self.text
            self.answer()
        raise AssertionError(f"never reached; stopped at {self.page.url}")

    def answer_to_the_end(self):
        self.answer_until(lambda: self.kind == "result")

    def go_to_question(self, position):
        self.answer_until(
            lambda: self.kind == "question" and not self.asks_subjects and self.position == position
        )

    def leave(self):
        for _ in range(2):
            self.press("Leave the assessment")

    def _note_request(self, request):
        self.requests.append(request)
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "about", "blob"} and parts.netloc != self._host:
            self.complaints.append(f"a request to another host: {request.url}")

    def _note_failure(self, request):
        # requests that the student left behind, or that the test cut off
        if request.failure not in {"net::ERR_ABORTED", "net::ERR_INTERNET_DISCONNECTED"}:
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def _note_response(self, response):
        # a cached page would show the next user of the phone this student's data
        kept = "no-store" not in response.headers.get("cache-control", "")
        if response.request.resource_type == "document" and kept:
            self.complaints.append(f"may be kept in a cache: {response.url}")

    def _note_console(self, message):
        # Chromium reports a page that answers 4xx as a failed resource; a 4xx may be right, and
        # tests look at the status. What a page loads must not fail.
        path = urlsplit(str(message.location.get("url", ""))).path
        is_page = message.text.startswith("Failed to load resource") and "/assessment" in path
        if message.type == "error" and not is_page:
            self.complaints.append(f"console: {message.text}")

    def _note_dialog(self, dialog):
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()
