"""Every SQL statement of a request fails once: all of its effect stands, or nothing.

What the caller does again completes it, and nothing happens twice.
"""

import json

import pytest

from assessments.models import AssessmentLink, Attempt
from tests.assessments.attempts import (
    at_last_page,
    completed,
    inside,
    issue,
    newest_of,
    started,
    use,
)
from tests.assessments.faults import fail_at_each_statement
from tests.assessments.partner import assert_problem
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, ProjectFactory
from tests.support.browser import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]
either_side = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


class Students:
    """Prepare an act of a student in a new project: sending a form, or opening a page."""

    def new(self):
        """Return a browser that shows a crash as a page, and a link."""
        self.project = ProjectFactory.create()
        CourseFactory.create(project=self.project)
        return Browser(raise_request_exception=False), self.link()

    def link(self):
        return issue(self.project)[1]

    def start(self):
        browser, url = self.new()
        landing = browser.open(url)
        return lambda: browser.send(landing, {"consent": "yes"})

    def start_while_one_is_open(self, start, *, is_held=False):
        browser, url = self.new()
        (browser if is_held else Browser()).start(url)
        landing = browser.open(self.link())
        return lambda: browser.send(landing, {"consent": "yes", "start": start})

    def answer(self, *, is_last=False):
        browser, url = self.new()
        page = browser.go_on(browser.start(url))
        if is_last:
            at_last_page(Attempt.objects.get(student__project=self.project))
            page = browser.open(url)
        return lambda: browser.send(page, dict.fromkeys(page.form.questions, "4"))

    def begin_the_second_stage(self):
        publish_field_bank()
        browser, url = self.new()
        page = browser.start(url)
        while "A closer look" not in page.text:
            page = browser.go_on(page, choice=2)
        return lambda: browser.send(page, {"begin": "yes"})

    def leave(self):
        browser, url = self.new()
        browser.start(url)
        page = browser.get(inside("leave", newest_of(self.project)))
        return lambda: browser.send(page, {"begin": "yes"})

    def open(self, *, is_used=False):
        browser, url = self.new()
        if is_used:
            use(AssessmentLink.objects.get(student__project=self.project))
        return lambda: browser.get(url)


def is_error_page(page):
    return page.status == 500 and page.name == "error-500" and "OperationalError" not in page.text


# What each act leaves: a row that is new, a column that was changed.
STARTED = {"new Attempt", "AssessmentLink.used_at", "AssessmentLink.attempt_id"}
CONTINUED = {
    *("AssessmentLink.used_at", "AssessmentLink.attempt_id"),
    *("Attempt.browser_digest", "Attempt.continuations"),
}
OF_STUDENTS = {
    "start": (Students.start, STARTED),
    "continue": (lambda s: s.start_while_one_is_open("continue", is_held=True), CONTINUED),
    "continue elsewhere": (
        lambda s: s.start_while_one_is_open("continue"),
        {*CONTINUED, "Attempt.answers_hidden_until"},
    ),
    "start again": (
        lambda s: s.start_while_one_is_open("again", is_held=True),
        {*STARTED, "Attempt.abandoned_at"},
    ),
    "start again elsewhere": (lambda s: s.start_while_one_is_open("again"), STARTED),
    "answer": (
        Students.answer,
        {"new Answer", "Answer.choice", "Answer.answered_at", "Answer.language"},
    ),
    "complete": (
        lambda s: s.answer(is_last=True),
        {
            *("Answer.choice", "Answer.answered_at", "Answer.language", "new CatalogueSnapshot"),
            *("Attempt.completed_at", "Attempt.profile"),
            *("Attempt.recommendations", "Attempt.catalogue_id", "Attempt.takers"),
        },
    ),
    "second stage": (Students.begin_the_second_stage, {"new Answer", "Attempt.leading_fields"}),
    "leave": (Students.leave, {"Attempt.abandoned_at"}),
    "open": (Students.open, {"new LinkEvent"}),
    "open a used link": (lambda s: s.open(is_used=True), {"new LinkEvent"}),
}


@either_side
@pytest.mark.parametrize("name", OF_STUDENTS)
def test_what_a_student_does(name, after):
    prepare, expected = OF_STUDENTS[name]
    students = Students()
    usual = {"landing", "link-unavailable"} if name.startswith("open") else set()

    statements, whole = fail_at_each_statement(
        lambda: prepare(students),
        lambda page: page.name in usual or is_error_page(page),
        after=after,
    )

    assert statements > (0 if after else 1)
    assert set(whole) == expected


def is_json_500(response):
    """With a request id, and without a trace."""
    body = assert_problem(response, 500, "internal_error")
    return "gone away" not in json.dumps(body)


@either_side
def test_a_partner_who_asks_for_a_link(api, after):
    """A link that was handed out stands; a call after a failure makes one more."""
    api.link()

    statements, whole = fail_at_each_statement(
        lambda: api.link, is_json_500, after=after, is_once=False
    )

    assert statements > (0 if after else 1)
    assert whole == {"new AssessmentLink": 1}


@either_side
def test_a_partner_who_reads_a_result_for_the_first_time(api, after):
    attempt = completed(started(api.project))

    def prepare():
        Attempt.objects.filter(pk=attempt.pk).update(results_read_at=None)
        return api.results

    api.results()
    statements, whole = fail_at_each_statement(prepare, is_json_500, after=after)

    assert statements > (0 if after else 1)
    assert whole == {"Attempt.results_read_at": 1}
