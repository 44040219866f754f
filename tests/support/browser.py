"""A student's browser without a window: it keeps cookies and sends the forms of pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.test import Client

# The end of the address of the question about the student's subjects.
SUBJECTS = "/subjects"


@dataclass
class Form:
    action: str
    method: str
    inputs: list = field(default_factory=list)
    buttons: list = field(default_factory=list)

    @property
    def filled(self):
        """The fields that a browser would send: hidden ones and ticked ones."""
        return {
            control["name"]: control.get("value", "on")
            for control in self.inputs
            if "name" in control
            and "disabled" not in control
            and (control.get("type") not in {"radio", "checkbox"} or "checked" in control)
        }

    def offered(self, name):
        """The values that a control of this name offers."""
        return [control["value"] for control in self.inputs if control.get("name") == name]

    @property
    def questions(self):
        """The names of the controls that carry answers, in the page's order."""
        names = [control["name"] for control in self.inputs if control.get("type") == "radio"]
        return list(dict.fromkeys(names))


class _Parser(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []
        self.name = self.heading = ""
        self.scripts = []
        self._in_form = self._in_heading = False

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        if tag == "body":
            self.name = attributes.get("data-page", "")
        elif tag == "h1":
            self._in_heading = True
        elif tag == "script":
            self.scripts.append(attributes)
        elif tag == "form":
            self.forms.append(Form(attributes.get("action", ""), attributes.get("method", "get")))
            self._in_form = True
        elif self._in_form and tag == "input":
            self.forms[-1].inputs.append(attributes)
        elif self._in_form and tag == "button":
            self.forms[-1].buttons.append(attributes)

    def handle_endtag(self, tag):
        if tag == "form":
            self._in_form = False
        elif tag == "h1":
            self._in_heading = False

    def handle_data(self, data):
        if self._in_heading:
            self.heading += data


class Page:
    """An answer of the service, read as a person or a browser would."""

    def __init__(self, response):
        self.response = response
        self.status = response.status_code
        self.text = response.content.decode()
        parser = _Parser()
        parser.feed(self.text)
        self.forms, self.name, self.scripts = parser.forms, parser.name, parser.scripts
        self.heading = " ".join(parser.heading.split())

    @property
    def form(self):
        assert len(self.forms) == 1, f"{len(self.forms)} forms on page {self.name}"
        return self.forms[0]

    @property
    def place(self):
        """The part of the page's address after `/assessment` and the AssessmentId."""
        path = self.response.request["PATH_INFO"]
        return re.sub(r"^/asm_\w{16}", "", path.partition("/assessment")[2])

    @property
    def asks_subjects(self):
        """Whether this is the question about the student's subjects, before the first section."""
        return self.name == "question" and self.form.action.endswith(SUBJECTS)

    @property
    def location(self):
        return self.response.headers["Location"]


class Browser:
    """Keeps cookies, opens addresses and presses buttons. The service checks CSRF as usual."""

    def __init__(self, *, address="127.0.0.1", **options):
        self.client = Client(enforce_csrf_checks=True, REMOTE_ADDR=address, **options)

    @property
    def attempt(self):
        """The token in the cookie of the attempt, of which this browser holds one at most."""
        return next((v for name, v in self.cookies.items() if "attempt-" in name), "")

    @property
    def cookies(self):
        return {name: morsel.value for name, morsel in self.client.cookies.items() if morsel.value}

    def get(self, url, **extra):
        """Request an address. Return a redirect instead of following it."""
        return Page(self.client.get(url, **extra))

    def post(self, url, data, **extra):
        """Send fields with this browser's own CSRF token."""
        token = self.cookies.get("csrftoken", "")
        return Page(self.client.post(url, {"csrfmiddlewaretoken": token, **data}, **extra))

    def open(self, url, **extra):
        return self.follow(self.get(url, **extra))

    def follow(self, page):
        for _ in range(5):
            if page.status not in {301, 302, 303, 307, 308}:
                return page
            page = self.get(page.location)
        raise AssertionError("redirected in a circle")

    def send(self, page, data=None, **extra):
        """Send the page's form with these further fields. Return a redirect unfollowed."""
        form = page.form
        return Page(self.client.post(form.action, {**form.filled, **(data or {})}, **extra))

    def press(self, page, data=None):
        return self.follow(self.send(page, data))

    def start(self, url, **choice):
        """Open a link, agree and press Start; return the page that follows."""
        return self.press(self.open(url), {"consent": "yes", **choice})

    def answer(self, page, choice=0):
        """Answer every question of the page with the choice at a place, and continue."""
        form = page.form
        chosen = {name: form.offered(name)[choice] for name in form.questions}
        return self.press(page, chosen)

    def answer_subjects(self, page, subjects="other"):
        """Answer the question about subjects if this page asks it; return the page that follows."""
        return self.press(page, {"answer": subjects}) if page.asks_subjects else page

    def go_on(self, page, choice=0):
        """Begin the section, name no course, or answer the questions, depending on the page."""
        if page.name == "section":
            return self.press(page, {"begin": "yes"})
        if page.name == "ideas":
            return self.press(page)
        return self.answer(page, choice)

    def finish(self, page, choice=0):
        """Answer everything from this page on; return the page after the last answer."""
        while page.name in {"section", "question", "ideas"}:
            assert page.status == 200, page.text
            page = self.go_on(page, choice)
        return page
