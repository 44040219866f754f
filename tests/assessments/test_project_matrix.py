"""Pages of three projects: what one has is refused to another, exactly as what never existed.

For the operations of partners, see their own files and test_api_every_operation.py.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import pytest
from django.urls import reverse

from assessments.models import Answer, AssessmentLink, Attempt, Student
from assessments.student import urls
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed, token_of
from tests.factories import ProjectFactory
from tests.support.browser import Browser

# Every address with an id in it. The staff's are in tests/staff/test_roles.py: staff belong to no
# project.
PAGES = ("assessment", "private-result")
PAGES_OF_ATTEMPT = (
    *("attempt", "compare", "forget", "forget-others", "ideas", "leave", "private-link"),
    *("question", "result", "subjects"),
)
# What nobody was ever given, each of the shape of what exists.
NO_ATTEMPT = "asm_AAAAAAAAAAAAAAAA"
CSRF = "c" * 32

pytestmark = [pytest.mark.usefixtures("bank", "nothing_changes"), pytest.mark.slow]


@dataclass(frozen=True)
class Tenant:
    """A project with a finished attempt, an open one in a browser, and a link nobody has used."""

    project: Project
    browser: Browser
    attempt: Attempt
    link_token: str

    @classmethod
    def make(cls, name):
        project = ProjectFactory.create(name=f"{name} College")
        done, running, waiting = (f"{word}@{name.lower()}.example.com" for word in ("a", "b", "c"))
        Browser().start(issue(project, email=done, name=f"{name} Done")[1])
        marked_completed(Attempt.objects.get(student__email=done))
        browser = Browser()
        browser.start(issue(project, email=running, name=f"{name} Running")[1])
        url = issue(project, email=waiting, name=f"{name} Waiting")[1]
        attempt = Attempt.objects.get(student__email=running)
        return cls(project, browser, attempt, token_of(url))

    def address(self, name, assessment_id=""):
        ids = [assessment_id, *([1] if name == "question" else [])] if assessment_id else []
        return reverse(name, args=[self.project.project_id, *ids])

    def assert_nothing_in(self, response):
        """Assert that an answer names neither this project nor a student of it."""
        students = Student.objects.filter(project=self.project)
        attempts = Attempt.objects.filter(student__project=self.project)
        words = [
            *(self.project.name, self.project.project_id, self.link_token),
            self.browser.attempt,
            *itertools.chain.from_iterable(students.values_list("email", "name")),
            *attempts.values_list("assessment_id", flat=True),
        ]
        text = response.content.decode() + str(response.headers)
        assert not [word for word in words if word in text]


@pytest.fixture
def pairs(bank):
    """Give whose address or credential, and whose id."""
    tenants = [Tenant.make(name) for name in ("Aravalli", "Nilgiri", "Sahyadri")]
    return list(itertools.permutations(tenants, 2))


@pytest.fixture
def nothing_changes(pairs, rows):
    models = (Student, AssessmentLink, Attempt, Answer)
    before = rows(*models)
    yield
    assert rows(*models) == before


def comparable(response):
    """Return all of an answer but what differs between any two: its request id, its CSRF token."""
    headers = {n: value for n, value in response.headers.items() if n != "X-Request-ID"}
    body = response.content.replace(response.headers["X-Request-ID"].encode(), b"")
    body = re.sub(rb'(name="csrfmiddlewaretoken" value=)"\w+"', rb"\1", body)
    return response.status_code, headers, body


def test_each_address_has_its_row_here():
    names = [getattr(each, "name", None) for each in urls.urlpatterns]
    assert sorted(PAGES) == sorted(filter(None, names))
    assert sorted(PAGES_OF_ATTEMPT) == sorted(each.name for each in urls.of_attempt)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_link_of_another_project(pairs, method):
    """Without a cookie, and with that of another project's attempt."""
    for one, other in pairs:
        for browser in (Browser(), one.browser):
            client, address, responses = browser.client, one.address("assessment"), []
            client.cookies["csrftoken"] = CSRF
            for token in (other.link_token, ("A" * 22)):
                fields = {"token": token, "consent": "yes", "start": "again"}
                responses.append(
                    client.post(address, {**fields, "csrfmiddlewaretoken": CSRF})
                    if method == "POST"
                    else client.generic(method, f"{address}?token={token}")
                )

            assert responses[0].status_code == 404
            assert comparable(responses[0]) == comparable(responses[1])
            other.assert_nothing_in(responses[0])


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", (*PAGES, *PAGES_OF_ATTEMPT))
def test_a_cookie_of_another_project(pairs, name, method):
    """Also at an address with the AssessmentId that the cookie is for."""
    for one, other in pairs:
        responses = []
        for given, token in (
            (other.attempt.assessment_id, other.browser.attempt),
            (NO_ATTEMPT, ("a" * 64)),
        ):
            browser = Browser()
            browser.client.cookies.load({f"attempt-{given}": token, "csrftoken": CSRF})
            address = one.address(name, given if name in PAGES_OF_ATTEMPT else "")
            fields = {"begin": "yes", "leave": "yes"}
            page = browser.get(address) if method == "GET" else browser.post(address, fields)
            responses.append(page.response)

        # A browser without an attempt of this project is told that it is forgotten.
        assert responses[0].status_code in ({200} if name == "forget" else {403, 404, 405})
        assert comparable(responses[0]) == comparable(responses[1])
        other.assert_nothing_in(responses[0])


@pytest.mark.parametrize("name", PAGES_OF_ATTEMPT)
def test_an_assessment_id_of_another_project(pairs, name):
    """With a cookie of one's own, which is good for one's own attempt only."""
    for one, other in pairs:
        one.browser.client.cookies["csrftoken"] = CSRF
        for project in (one, other):
            theirs, nobodys = (
                one.browser.post(project.address(name, given), {"begin": "1", "leave": "1"})
                for given in (other.attempt.assessment_id, NO_ATTEMPT)
            )

            assert theirs.status in ({200} if name == "forget" else {403, 405})
            assert comparable(theirs.response) == comparable(nobodys.response)
            other.assert_nothing_in(theirs.response)
