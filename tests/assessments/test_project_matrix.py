"""Three projects: whatever of one is shown to another is refused, as what never existed is."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from assessments.api import urls as api_urls
from assessments.models import Answer, Assessment, AssessmentLink, Student
from assessments.student import urls
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed, token_of
from tests.assessments.partner import (
    CANCEL,
    CHECK,
    DETAIL,
    EVERY_OPERATION,
    FAILURES,
    FEED,
    RESULTS,
    STATUS,
    Backend,
)
from tests.factories import ProjectFactory
from tests.support.browser import Browser

# Every address with an id in it, or behind a credential, and the arguments it takes beside the
# project's id. The staff's are in tests/staff/test_roles.py: staff belong to no project.
PAGES: dict[str, list[Any]] = {
    "assessment": [],
    "compare": [],
    "forget": [],
    "leave": [],
    "private-link": [],
    "private-result": [],
    "question": [1],
    "result": [],
    "subjects": [],
}
CALLS = [path.rpartition("/")[2] for path in EVERY_OPERATION]
# What nobody was ever given, each of the shape of what exists.
NO_PROJECT = "prj_AAAAAAAAAAAAAAAA"
NO_ATTEMPT = "asm_AAAAAAAAAAAAAAAA"
NO_LINK = "A" * 43
NO_BROWSER = "a" * 64

pytestmark = [pytest.mark.usefixtures("bank"), pytest.mark.slow]


@dataclass(frozen=True)
class Tenant:
    """A project with all that can be in one, and what must never be read by another."""

    api: Backend
    browser: Browser
    attempt: Assessment
    link_token: str
    email: str

    @property
    def project(self) -> Project:
        return self.api.project

    @property
    def browser_token(self) -> str:
        return self.browser.cookies["attempt"]

    @property
    def own(self) -> list[str]:
        """Return what names this project or somebody in it."""
        words = [self.project.name, self.project.project_id, self.link_token, self.browser_token]
        students = Student.objects.filter(project=self.project)
        attempts = Assessment.objects.filter(student__project=self.project)
        return [
            *words,
            *students.values_list("email", flat=True),
            *students.values_list("name", flat=True),
            *attempts.values_list("assessment_id", flat=True),
        ]

    def address(self, name: str) -> str:
        return reverse(name, args=[self.project.project_id, *PAGES[name]])


@pytest.fixture
def tenants() -> list[Tenant]:
    return [tenant(name) for name in ("Aravalli", "Nilgiri", "Sahyadri")]


def tenant(name: str) -> Tenant:
    """Make a project: a finished attempt, an open one in a browser, and a link nobody has used."""
    project = ProjectFactory.create(name=f"{name} College")
    done, running, waiting = (f"{word}@{name.lower()}.example.com" for word in ("a", "b", "c"))
    Browser().start(issue(project, email=done, name=f"{name} Done")[1])
    marked_completed(Assessment.objects.get(student__email=done))
    browser = Browser()
    browser.start(issue(project, email=running, name=f"{name} Running")[1])
    url = issue(project, email=waiting, name=f"{name} Waiting")[1]
    attempt = Assessment.objects.get(student__email=running)
    return Tenant(Backend.of(project), browser, attempt, token_of(url), done)


def pairs(tenants: list[Tenant]) -> Iterator[tuple[Tenant, Tenant]]:
    """Return whose address or credential, and whose id."""
    return itertools.permutations(tenants, 2)


def state() -> list[Any]:
    models = (Student, AssessmentLink, Assessment, Answer)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def comparable(response: HttpResponse) -> tuple[object, ...]:
    """Return all of an answer but what differs between any two: its request id, its CSRF token."""
    # What is left of a limit differs too, from call to call.
    apart = {"X-Request-ID", "RateLimit"}
    headers = {name: value for name, value in response.headers.items() if name not in apart}
    body = response.content.replace(response.headers["X-Request-ID"].encode(), b"")
    body = re.sub(rb'(name="csrfmiddlewaretoken" value=)"\w+"', rb"\1", body)
    return response.status_code, headers, body


def assert_nothing_of(tenant: Tenant, response: HttpResponse) -> None:
    text = response.content.decode() + str(response.headers)
    assert not [word for word in tenant.own if word in text]


def test_each_address_has_its_row_here() -> None:
    assert sorted(PAGES) == sorted(pattern.name or "" for pattern in urls.urlpatterns)
    assert sorted(str(pattern.name) for pattern in api_urls.urlpatterns) == sorted(CALLS)
    assert list(EVERY_OPERATION) == [reverse(name) for name in CALLS]


def test_a_credential_of_another_project(tenants: list[Tenant], settings: Settings) -> None:
    """A2, A3: as if there were no such project, and no such token."""
    settings.FAILED_CREDENTIALS_PER_MINUTE = 1000
    before = state()

    for path, (one, other) in itertools.product(EVERY_OPERATION, pairs(tenants)):
        token_id, _, secret = one.api.credential.partition(":")
        other_id, _, other_secret = other.api.credential.partition(":")
        # One's own token, for a project that is not its own, whether there is one or not.
        unknown = one.api.post(path, one.api.body(path, projectId=NO_PROJECT))
        foreign = one.api.post(path, other.api.body(path))
        assert (foreign.status_code, comparable(foreign)) == (401, comparable(unknown))
        assert_nothing_of(other, foreign)
        # Half of each credential, as if there were no such token.
        nobody = Backend(one.project, f"tok_{'A' * 16}:{secret}")
        unknown = nobody.post(path, nobody.body(path))
        for credential in (f"{other_id}:{secret}", f"{token_id}:{other_secret}"):
            for owner in (one, other):
                mixed = Backend(one.project, credential)
                response = mixed.post(path, owner.api.body(path))
                assert (response.status_code, comparable(response)) == (401, comparable(unknown))
                assert_nothing_of(other, response)
    assert state() == before


def test_what_only_another_project_has_is_as_what_nobody_has(tenants: list[Tenant]) -> None:
    """A15: an address, an AssessmentId, a LinkId and a place in the feed."""
    before = state()

    for one, other in pairs(tenants):
        done = Assessment.objects.get(student__email=other.email)
        link = AssessmentLink.objects.filter(student__project=other.project).first()
        assert link
        feed = json.loads(other.api.post(FEED, other.api.body(FEED)).content)
        for path, theirs, nobodys in (
            (RESULTS, {"email": other.email}, {"email": "nobody@example.com"}),
            (STATUS, {"email": other.email}, {"email": "nobody@example.com"}),
            (CANCEL, {"email": other.email}, {"email": "nobody@example.com"}),
            (DETAIL, {"AssessmentId": done.assessment_id}, {"AssessmentId": NO_ATTEMPT}),
            (CANCEL, {"LinkId": link.link_id}, {"LinkId": "lnk_AAAAAAAAAAAAAAAA"}),
            (FEED, {"cursor": feed["NextCursor"]}, {"cursor": "nobodys"}),
        ):
            body = {"projectId": one.project.project_id}
            answers = [one.api.post(path, {**body, **more}) for more in (theirs, nobodys)]
            assert comparable(answers[0]) == comparable(answers[1])
            assert_nothing_of(other, answers[0])
        for path in (FEED, FAILURES, CHECK):
            response = one.api.post(path, one.api.body(path))
            assert response.status_code == 200
            assert_nothing_of(other, response)
    assert state() == before


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_link_of_another_project(tenants: list[Tenant], method: str) -> None:
    """L10, for a stranger and for somebody who is inside an attempt."""
    before = state()

    for one, other in pairs(tenants):
        for browser in (Browser(), one.browser):
            responses = [
                link_sent(browser, method, one.address("assessment"), token)
                for token in (other.link_token, NO_LINK)
            ]

            assert responses[0].status_code == 404
            assert comparable(responses[0]) == comparable(responses[1])
            assert_nothing_of(other, responses[0])
    assert state() == before


def link_sent(browser: Browser, method: str, address: str, token: str) -> HttpResponse:
    client: Client = browser.client
    if method != "POST":
        return client.generic(method, f"{address}?token={token}")
    client.cookies["csrftoken"] = csrf = "c" * 32
    fields = {"token": token, "consent": "yes", "start": "again", "csrfmiddlewaretoken": csrf}
    return client.post(address, fields)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", PAGES)
def test_a_cookie_of_another_project(tenants: list[Tenant], name: str, method: str) -> None:
    """L18: also with the AssessmentId that the cookie is for."""
    before = state()

    for one, other in pairs(tenants):
        fields = {"assessment": other.attempt.assessment_id, "begin": "yes", "leave": "yes"}
        responses = []
        for cookie in (other.browser_token, NO_BROWSER):
            browser = Browser()
            browser.client.cookies.load({"attempt": cookie, "csrftoken": "c" * 32})
            responses.append(
                browser.get(one.address(name)).response
                if method == "GET"
                else browser.post(one.address(name), fields).response
            )

        # A browser without an attempt of this project is told that it is forgotten.
        assert responses[0].status_code in ({200, 303} if name == "forget" else {403, 404, 405})
        assert comparable(responses[0]) == comparable(responses[1])
        assert_nothing_of(other, responses[0])
    assert state() == before


@pytest.mark.parametrize(
    "name", ["question", "leave", "subjects", "result", "private-link", "forget"]
)
def test_an_assessment_id_of_another_project(tenants: list[Tenant], name: str) -> None:
    """T13: with a cookie of one's own, which is good for one's own attempt only."""
    before = state()

    for one, other in pairs(tenants):
        one.browser.client.cookies["csrftoken"] = "c" * 32
        responses = [
            one.browser.post(one.address(name), {"assessment": given, "begin": "1", "leave": "1"})
            for given in (other.attempt.assessment_id, NO_ATTEMPT)
        ]

        assert responses[0].status == 409
        assert comparable(responses[0].response) == comparable(responses[1].response)
        assert_nothing_of(other, responses[0].response)
    assert state() == before
