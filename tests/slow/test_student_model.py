"""Students, a partner and staff who act in any order, compared with the rules in plain Python.

After every step all rows must be as tests/slow/student_model.py has them, whatever was answered as
it says, and the invariants hold. A run ends in a rollback: it leaves no row behind.
"""

from __future__ import annotations

import hashlib
import json
import operator
from dataclasses import dataclass
from datetime import timedelta

import hypothesis
import pytest
from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from assessments.models import Answer, AssessmentLink, Attempt, ItemBank
from assessments.models.identity import secret_digest
from tests.assessments.attempts import token_of
from tests.assessments.partner import Backend
from tests.factories import BY, CourseFactory, ProjectFactory
from tests.slow.student_model import NOTHING, Link, Model
from tests.slow.student_model import Attempt as ModelAttempt
from tests.support import invariants
from tests.support.browser import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

RUNS, STEPS = 5, 50
# With one course, nobody is asked which ones they think of: see test_ideas.py.
COURSES = 1
BROWSERS = range(2)
# In hours: no sum of them comes near to a clock's end.
DAYS = {"a day": 25, "three days": 73}
ACTS = (*["issue"] * 4, "results", "results", "revoke", "rotate", *DAYS)
QUESTIONS = {"interests": 12, "fields": 6, "aptitude": 4, "preferences": 4}
TIMES = {
    AssessmentLink: ("issued_at", "expires_at", "used_at"),
    Attempt: (
        *("consented_at", "started_at", "finish_by_at", "completed_at", "abandoned_at"),
        "answers_hidden_until",
    ),
}

students, browsers = st.integers(0, 1), st.sampled_from(BROWSERS)
rarely = st.sampled_from([False, False, False, True])
places = st.sampled_from(["", "/result", "/leave", "/leave", "/leave"])
positions = st.integers(0, 20).map("/{}".format)
# By place on the page, which questions are left out; mostly none.
gaps = st.sampled_from([(), (), (), (0,), (1, 2), (3, 4, 5)])


@dataclass(frozen=True)
class Shown:
    """A page, with the link or the attempt that it was of when it was shown."""

    page: Page
    link: Link | None = None
    attempt: ModelAttempt | None = None
    position: int = 0


@dataclass(frozen=True)
class Sent:
    shown: Shown
    fields: dict[str, str]


class StudentMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.project = ProjectFactory.create()
        CourseFactory.create_batch(COURSES, project=self.project)
        self.address = f"/{self.project.project_id}/assessment"
        self.model = Model()
        self.backend = Backend.of(self.project)
        self.ended_backends = []
        self.browsers = [Browser() for _ in BROWSERS]
        # By browser: each page that it has shown may still be open in a tab.
        self.history = [[] for _ in BROWSERS]
        self.sent = [None for _ in BROWSERS]
        # What stands for the model's links and attempts outside.
        self.tokens = {}
        self.names = {}
        self.keys = {}
        self.items = {}
        self.rows = None  # as they were checked last
        self.ends = {}

    def teardown(self):
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @initialize()
    def begin(self):
        """Spare each run the first steps: links of two students, and a start."""
        for student in (0, 1, 0, 0):
            self.issue(student)
        self.open(browser=0, number=0, is_any=False)
        [landing] = self.history[0]
        self.send(0, Sent(landing, landing.page.form.filled | {"consent": "yes"}))

    # --- the partner, staff and time

    @rule(act=st.sampled_from(ACTS), student=students, is_other=rarely, is_stale=rarely)
    def act_outside(self, act, student, is_other, is_stale):
        """Let the partner call, maybe with a token that ended; staff act; or time pass."""
        if act == "issue":
            self.issue(student, number=is_other, is_stale=is_stale)
        elif act == "results":
            response = self.caller(is_stale).results(email=email_of(student))
            if self.is_let_in(response, is_stale):
                records = json.loads(response.content)
                assert [
                    (each["AssessmentId"], each["Status"], len(each["Recommendations"]))
                    for each in records
                ] == [
                    (self.names[attempt], status, COURSES if status == "Completed" else 0)
                    for attempt, status in self.model.results(student)
                ]
        elif act in DAYS:
            self.pass_time(student, DAYS[act])
        else:
            self.ended_backends.append(self.backend)
            if act == "revoke":
                self.backend.token.revoke(by=BY)
                self.backend = Backend.of(self.project)
            else:
                new, secret = self.backend.token.rotate(overlap=timedelta(0), by=BY)
                self.backend = Backend(self.project, f"{new}:{secret}")
            self.rows = None

    def issue(self, student, *, number=0, is_stale=False):
        """Ask for a link with one of two mobile numbers."""
        mobile = f"98765 4322{int(number)}"
        response = self.caller(is_stale).link(email=email_of(student), mobile=mobile)
        if self.is_let_in(response, is_stale):
            link = self.model.issue(student, number)
            token = self.tokens[link] = token_of(json.loads(response.content)["redirect-url"])
            row = AssessmentLink.objects.get(token_digest=secret_digest(token))
            assert row.student.project == self.project
            assert row.student.email_key == email_of(student)
            self.keys[link] = row.pk

    def caller(self, is_stale):
        # An ended token is refused for what it is, however often it comes in a minute.
        caches["limits"].clear()
        return self.ended_backends[-1] if is_stale and self.ended_backends else self.backend

    def is_let_in(self, response, is_stale):
        is_refused = is_stale and bool(self.ended_backends)
        assert response.status_code == (401 if is_refused else 200)
        return not is_refused

    def pass_time(self, student, hours):
        """Move all times of a student's rows into the past."""
        self.model.pass_time(student, hours)
        ago = timedelta(hours=hours)
        for model, names in TIMES.items():
            rows = model._default_manager.filter(student__email_key=email_of(student))
            rows.update(**{name: F(name) - ago for name in names})
        answers = Answer.objects.filter(attempt__student__email_key=email_of(student))
        answers.update(shown_at=F("shown_at") - ago, answered_at=F("answered_at") - ago)
        self.ends, self.rows = invariants.ends(), None

    # --- students

    @rule(browser=browsers, number=st.integers(0, 11), is_any=rarely)
    def open(self, browser, number, is_any):
        """Open a link, mostly one that nobody has used; 0 is the newest."""
        unused = [link for link in self.model.links if link.is_unused and not is_any]
        links = unused or self.model.links
        link = links[-1 - number % len(links)]
        page = self.browsers[browser].get(f"{self.address}?token={self.tokens[link]}")
        expected = self.model.open_link(browser, link)
        self.arrive(browser, "open", page, expected, Shown(page, link))

    @rule(data=st.data(), place=places | positions, is_any=rarely)
    def visit(self, data, place, is_any):
        """Type an address behind an attempt, mostly where it is open, or the project's."""
        browser = data.draw(browsers)
        attempts = self.model.attempts if is_any else self.model.held(browser)
        attempt = data.draw(st.sampled_from([None, *attempts]))
        self.go_to(browser, (attempt, place) if attempt else None)

    @precondition(lambda self: self.browsers_with(self.forms))
    @rule(data=st.data(), shift=st.integers(0, 5), gap=gaps, is_agreed=rarely.map(operator.not_))
    def press(self, data, shift, gap, is_agreed):
        """Fill a form and send it: the newest, or one of a page that was there before."""
        browser = data.draw(st.sampled_from(self.browsers_with(self.forms)))
        pages = self.forms(browser)
        if data.draw(rarely):
            name = data.draw(st.sampled_from(sorted({shown.page.name for shown in pages})))
            pages = [shown for shown in pages if shown.page.name == name]
            pages = pages[: data.draw(st.integers(1, len(pages)))]
        shown = pages[-1]
        buttons = [each for each in shown.page.form.buttons if each.get("name")]
        fields = {}
        if shown.page.name == "question":
            fields = filled(shown.page, shift, gap)
        elif buttons:
            button = buttons[shift % len(buttons)]
            fields = {button["name"]: button["value"]}
        if shown.page.name == "landing" and is_agreed:
            fields["consent"] = "yes"
        self.send(browser, Sent(shown, shown.page.form.filled | fields))

    @precondition(lambda self: self.browsers_with(self.is_inside))
    @rule(data=st.data(), pages=st.integers(2, 14), shift=st.integers(0, 5))
    def hurry(self, data, pages, shift):
        """Answer several pages, one after the other, maybe to the end of the attempt."""
        browser = data.draw(st.sampled_from(self.browsers_with(self.is_inside)))
        for _ in range(pages):
            shown = self.history[browser][-1]
            if self.is_inside(browser):
                is_section = shown.page.name == "section"
                fields = {"begin": "yes"} if is_section else filled(shown.page, shift, ())
                self.send(browser, Sent(shown, shown.page.form.filled | fields))

    @precondition(lambda self: any(self.sent))
    @rule(data=st.data())
    def send_again(self, data):
        """Send the last form of a browser once more, as after a time-out."""
        sent = [(browser, sent) for browser, sent in enumerate(self.sent) if sent]
        self.send(*data.draw(st.sampled_from(sent)))

    def browsers_with(self, has):
        return [browser for browser in BROWSERS if has(browser)]

    def forms(self, browser):
        """Return the pages with a form that were shown. The model has no removed courses."""
        pages = self.history[browser]
        without = {"result", "choose"}
        return [each for each in pages if each.page.forms and each.page.name not in without]

    def is_inside(self, browser):
        """Whether the newest page has questions, or is the one before it."""
        pages = self.history[browser]
        return bool(pages) and pages[-1].page.name in {"section", "question"}

    def go_to(self, browser, where):
        """Open a place behind an attempt, or if there is none the project's address."""
        if where is None:
            page = self.browsers[browser].get(self.address)
            self.arrive(browser, "visit", page, self.model.choose(browser), Shown(page))
            return
        attempt, place = where
        page = self.browsers[browser].get(f"{self.address}/{self.names[attempt]}{place}")
        is_question = place[1:].isdigit()
        position = int(place[1:]) if is_question else 0
        model = self.model
        ask = {"": model.resume, "/result": model.result, "/leave": model.ask_to_leave}
        expected = (
            model.show(browser, attempt, position) if is_question else ask[place](browser, attempt)
        )
        self.arrive(browser, f"visit {place}", page, expected, Shown(page, None, attempt, position))

    def send(self, browser, sent):
        """Send a form, and go where the answer leads."""
        shown, self.sent[browser] = sent.shown, sent
        page = self.browsers[browser].post(shown.page.form.action, sent.fields)
        after = Shown(page, shown.link, shown.attempt, shown.position)
        expected = self.expected_of(browser, shown, sent.fields)
        self.arrive(browser, f"send {shown.page.name}", page, expected, after)

    def expected_of(self, browser, shown, fields):
        name, attempt = shown.page.name, shown.attempt
        if name == "landing":
            assert shown.link
            named = {name: attempt for attempt, name in self.names.items()}
            offered = "attempt" in fields
            seen = (named[fields["attempt"]], int(fields["continuations"])) if offered else NOTHING
            choice, consent = fields.get("start", ""), "consent" in fields
            start = self.model.start
            return start(browser, shown.link, consent=consent, choice=choice, seen=seen)
        assert attempt
        if name == "section":
            return self.model.begin(browser, attempt, shown.position)
        if name == "leave":
            return self.model.leave(browser, attempt)
        given = {
            int(name.partition("-")[2] or shown.position): int(fields[name])
            for name in shown.page.form.questions
            if name in fields
        }
        return self.model.answer(browser, attempt, shown.position, given)

    def arrive(self, browser, what, page, expected, shown):
        """Compare an answer with what the model says; follow a redirect, else show the page."""
        place = self.place_of(page.location) if page.status == 303 else page.name
        assert (page.status, place) == expected, f"{what} was answered {page.status} {place}"
        if page.status == 303:
            self.go_to(browser, place)
        else:
            self.history[browser].append(shown)

    def place_of(self, location):
        rows = Attempt.objects.order_by("pk").values_list("assessment_id", flat=True)
        self.names.update(zip(self.model.attempts, rows, strict=True))
        path = location.partition("?")[0]
        _, assessment_id, *place = path.removeprefix(self.address).split("/")
        [attempt] = [each for each, name in self.names.items() if name == assessment_id]
        return attempt, "".join(f"/{part}" for part in place)

    # --- what is stored

    @invariant()
    def rows_are_as_the_model_has_them(self):
        links = AssessmentLink.objects.order_by("pk").values_list("pk", "used_at", "attempt")
        attempts = Attempt.objects.order_by("pk").values_list(
            *("pk", "assessment_id", "student__email_key", "browser_digest"),
            *("completed_at", "abandoned_at", "continuations"),
        )
        answers = Answer.objects.values_list("attempt", "position", "item", "choice")
        stored = list(links), list(attempts), list(answers)
        if stored == self.rows:
            return
        for attempt, row in zip(self.model.attempts, stored[1], strict=True):
            self.keys[attempt], self.names[attempt] = row[:2]
        assert [(key, used_at is None, attempt) for key, used_at, attempt in stored[0]] == [
            (self.keys[each], each.attempt is None, each.attempt and self.keys[each.attempt])
            for each in self.model.links
        ]
        assert [
            (key, email_key, digest, completed_at is None, abandoned_at is None, continuations)
            for key, _, email_key, digest, completed_at, abandoned_at, continuations in stored[1]
        ] == [
            (
                *(self.keys[each], email_of(each.student), self.digest_of(each)),
                *(each.end != "completed", each.end not in {"left", "replaced"}),
                each.continuations,
            )
            for each in self.model.attempts
        ]
        assert {(key, position): choice for key, position, _, choice in stored[2]} == {
            (self.keys[attempt], position): attempt.choices.get(position)
            for attempt in self.model.attempts
            for position in range(1, attempt.shown + 1)
        }
        for key, position, item, _ in stored[2]:
            assert self.items.setdefault((key, position), item) == item, "another item was shown"
        assert invariants.violations() == []
        ends = invariants.ends()
        assert invariants.changed(self.ends, ends) == []
        self.rows, self.ends = stored, ends

    def digest_of(self, attempt):
        """Return the digest of the cookie of the browser that holds an attempt."""
        browser, link = attempt.holder
        secret = self.browsers[browser].cookies.get("csrftoken", "")
        token = hashlib.sha256(f"{secret}:{self.tokens[link]}".encode())
        return secret_digest(token.hexdigest())


def email_of(student):
    return f"student{student}@example.com"


def filled(page, shift, gap):
    """Return a choice for each question of a page, but for those in the gap."""
    offered = {name: page.form.offered(name) for name in page.form.questions}
    return {
        name: values[(place + shift) % len(values)]
        for place, (name, values) in enumerate(offered.items())
        if place not in gap
    }


def test_the_rows_are_what_the_model_says(small_bank, times):
    sections = [
        section | {"items_given": QUESTIONS[section["code"]]} for section in small_bank["sections"]
    ]
    content = {**small_bank, "version": "2026.1-model", "sections": sections}
    bank, _ = ItemBank.objects.publish(content, shipped=True, by=BY)
    bank.make_current(by=BY)
    settings = hypothesis.settings(
        max_examples=RUNS * times,
        stateful_step_count=STEPS,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    run_state_machine_as_test(StudentMachine, settings=settings)
