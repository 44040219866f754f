"""Every SQL statement of a request fails once: all of its effect stands, or nothing.

What the caller does again completes it, and nothing happens twice.
"""

import itertools
import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.admin.onboard_page import OnboardForm
from assessments.models import Assessment, AssessmentLink
from tests.assessments.attempts import at_last_page, completed, issue, started, use
from tests.assessments.faults import fail_at_each_statement
from tests.assessments.link_actions import WHY, address, hidden
from tests.assessments.onboarding import FIELDS
from tests.assessments.partner import assert_problem
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, ProjectFactory, UserFactory, issued_token
from tests.support.browser import Browser, Page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]
Send = Callable[[], Page]
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
            at_last_page(Assessment.objects.get(student__project=self.project))
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
        page = browser.get(reverse("leave", args=[self.project.project_id]))
        return lambda: browser.send(page, {"begin": "yes"})

    def open(self, *, is_used=False):
        browser, url = self.new()
        if is_used:
            use(AssessmentLink.objects.get(student__project=self.project))
        return lambda: browser.get(url)


def is_error_page(page):
    return page.status == 500 and page.name == "error-500" and "OperationalError" not in page.text


def is_page(page):
    """Whether it is the error page, or the page that was asked for."""
    return is_error_page(page) or page.name in {"landing", "link-unavailable"}


# What each act leaves: a row that is new, a column that was changed.
STARTED = {"new Assessment", "AssessmentLink.used_at", "AssessmentLink.assessment_id"}
CONTINUED = {
    *("AssessmentLink.used_at", "AssessmentLink.assessment_id"),
    *("Assessment.browser_digest", "Assessment.moves"),
}
OF_STUDENTS = {
    "start": (Students.start, STARTED),
    "continue": (lambda s: s.start_while_one_is_open("continue", is_held=True), CONTINUED),
    "continue elsewhere": (
        lambda s: s.start_while_one_is_open("continue"),
        {*CONTINUED, "Assessment.moved_at"},
    ),
    "start again": (
        lambda s: s.start_while_one_is_open("again", is_held=True),
        {*STARTED, "Assessment.abandoned_at"},
    ),
    "start again elsewhere": (lambda s: s.start_while_one_is_open("again"), STARTED),
    "answer": (Students.answer, {"new Answer", "Answer.choice", "Answer.answered_at"}),
    "complete": (
        lambda s: s.answer(is_last=True),
        {
            *("Answer.choice", "Answer.answered_at", "new CatalogueSnapshot"),
            *("Assessment.completed_at", "Assessment.profile"),
            *("Assessment.recommendations", "Assessment.catalogue_id"),
        },
    ),
    "second stage": (
        Students.begin_the_second_stage,
        {"new Answer", "Assessment.leading_fields"},
    ),
    "leave": (Students.leave, {"Assessment.abandoned_at"}),
    "open": (Students.open, {"new LinkEvent"}),
    "open a used link": (lambda s: s.open(is_used=True), {"new LinkEvent"}),
}


@either_side
@pytest.mark.parametrize("name", OF_STUDENTS)
def test_what_a_student_does(name, after):
    prepare, expected = OF_STUDENTS[name]
    students = Students()
    failed = is_page if name.startswith("open") else is_error_page

    statements, whole = fail_at_each_statement(lambda: prepare(students), failed, after=after)

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
        Assessment.objects.filter(pk=attempt.pk).update(results_read_at=None)
        return api.results

    api.results()
    statements, whole = fail_at_each_statement(prepare, is_json_500, after=after)

    assert statements > (0 if after else 1)
    assert whole == {"Assessment.results_read_at": 1}


Act = Callable[[], HttpResponse]


class Office:
    """A superuser, with a new student or link for each act."""

    def __init__(self):
        self.user = UserFactory.create(is_superuser=True)
        self.client = Client(raise_request_exception=False)
        self.client.force_login(self.user)
        self.project = ProjectFactory.create()
        self._numbers = itertools.count()

    def sending(self, url, **fields):
        """Return what sends a form."""
        return lambda: self.client.post(url, {"reason": WHY, **fields})

    def pressing(self, url, **fields):
        """Open the page that asks; return what sends its form."""
        return self.sending(url, **hidden(self.client, url), **fields)

    def student(self):
        """Make a student with an open attempt and a link to spare."""
        email = f"s{next(self._numbers)}@example.com"
        use(issue(self.project, email=email)[0])
        return issue(self.project, email=email)[0].student

    def attempt(self):
        return self.student().assessments.get()

    def token(self, act):
        return f"/admin/tokens/accesstoken/{issued_token()[0].pk}/{act}/"

    def issuing_a_token(self):
        project = str(ProjectFactory.create().pk)
        return self.pressing("/admin/tokens/accesstoken/issue/", project=project)

    def onboarding(self):
        sent = {
            "once": OnboardForm(user=self.user)["once"].value(),
            **FIELDS,
            "partner_name": f"Portal {next(self._numbers)}",
        }

        def send():
            courses = SimpleUploadedFile("c.csv", b"code,name,order\nBOT,Botany,1\n")
            return self.client.post("/admin/onboard/", {**sent, "courses": courses})

        return send


def is_error_of_staff(response):
    """Whether it is the staff's page for a crash, with a number and no trace."""
    return response.status_code in (400, 500) and b"gone" not in response.content


OF_STAFF = {
    "issuing a token": (Office.issuing_a_token, {"new AccessToken"}),
    "rotating a token": (
        lambda office: office.pressing(office.token("rotate"), overlap="7d"),
        {"new AccessToken", "AccessToken.rotated_at", "AccessToken.expires_at"},
    ),
    "revoking a token": (
        lambda office: office.sending(office.token("revoke")),
        {"AccessToken.revoked_at", "AccessToken.revoke_reason"},
    ),
    "issuing a fresh link": (
        lambda office: office.pressing(address("issue", office.student())),
        {"new AssessmentLink"},
    ),
    "closing an attempt": (
        lambda office: office.sending(address("close", office.attempt())),
        {"Assessment.abandoned_at"},
    ),
    "extending an attempt": (
        lambda office: office.pressing(address("extend", office.attempt()), days="7"),
        {"Assessment.finish_by_at"},
    ),
    "erasing a student": (
        lambda office: office.sending(address("erase", office.student())),
        {
            *(f"Student.{column}" for column in ("email_key", "email", "name", "mobile")),
            *(f"AssessmentLink.{column}" for column in ("token_digest", "name", "mobile")),
            *("AssessmentLink.expires_at", "Assessment.browser_digest", "Assessment.abandoned_at"),
        },
    ),
    "onboarding": (
        Office.onboarding,
        {"new Partner", "new Project", "new AccessToken", "new Course", "new CatalogueSnapshot"},
    ),
}


@either_side
@pytest.mark.parametrize("name", OF_STAFF)
def test_what_staff_do(name, after, monkeypatch):
    """An act and its audit event are one; what is pressed again does nothing more."""
    # Onboarding validates rows in forty statements, and Django goes on where these fail: it is the
    # INSERT that counts.
    monkeypatch.setattr(Model, "validate_constraints", lambda *args, **kwargs: None)
    prepare, expected = OF_STAFF[name]
    office = Office()

    statements, whole = fail_at_each_statement(
        lambda: prepare(office), is_error_of_staff, after=after
    )

    assert statements > (2 if after else 8)
    assert set(whole) == {*expected, "new AuditEvent"}
