"""The places where a partner's program or a student's browser puts a value, as hostile targets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.http.cookie import parse_cookie
from django.urls import reverse
from hypothesis import strategies as st

from assessments.api.feed import cursor_of
from assessments.measurement.courses import STREAM_ANSWERS
from assessments.models import Answer, Assessment, PrivateLink, Student
from assessments.models.feed import START
from partners.models import Project
from partners.student_pages import ConsentMode
from tests.assessments.attempts import DETAILS, answer_until, issue, marked_completed
from tests.assessments.partner import BESIDE, FEED, LINK, RESULTS, Backend
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, ProjectFactory
from tests.slow.hostile import VALUE, Target, Visitor, form, nearly, query
from tests.support.browser import Browser, Page

JSON = "application/json"
# JSON can say what a browser cannot send: half of a surrogate pair, and no string at all.
JSON_VALUE = VALUE | st.text(max_size=40) | st.none() | st.integers() | st.floats() | st.booleans()


@dataclass(frozen=True)
class Scene:
    """What the targets are made in. `minors` is a project that asks its students' age."""

    project: Project
    minors: Project

    @classmethod
    def make(cls) -> Scene:
        """Make both projects. There must be a current item bank."""
        minors = ProjectFactory.create(consent_mode=ConsentMode.ASK)
        return cls(ProjectFactory.create(), minors)


# --- what a partner's program sends


def header(scene: Scene) -> Target:
    backend = Backend.of(scene.project)
    visitor, body = Visitor(), json.dumps(backend.results_body()).encode()
    token_id, _, secret = backend.credential.partition(":")

    def send(value: str) -> HttpResponse:
        return visitor.post(RESULTS, body, JSON, X_Access_Token=value)

    parts = st.builds(lambda first, second: f"{first}:{second}", nearly(token_id), nearly(secret))
    return Target(VALUE | nearly(backend.credential) | parts, send, {401}, is_json)


def e_mail(scene: Scene, path: str) -> Target:
    """Of what is accepted, the address's key is plain ASCII: nobody is taken for somebody else."""
    backend = Backend.of(scene.project)

    def check(response: HttpResponse) -> None:
        is_json(response)
        for student in Student.objects.all():
            assert student.email_key.isascii()
            assert student.email_key == student.email_key.lower().strip()

    values = JSON_VALUE | nearly(DETAILS["email"]) | st.emails()
    return Target(values, lambda value: call(backend, path, email=value), {200, 400}, check)


def fields(scene: Scene) -> Target:
    """The other fields, one or several of them at once."""
    backend = Backend.of(scene.project)
    good = backend.link_body()
    values = {name: JSON_VALUE | nearly(good[name]) for name in ("projectId", "name", "mobile")} | {
        "more": st.recursive(JSON_VALUE, st.lists, max_leaves=5)
    }
    return Target(
        st.fixed_dictionaries({}, optional=values),
        lambda given: call(backend, LINK, **given),
        {200, 400, 401},
        is_json,
    )


def beside(scene: Scene, path: str) -> Target:
    """The members of an operation beside the two, one or several of them at once."""
    backend = Backend.of(scene.project)
    good = backend.body(path)
    if path == FEED:
        good |= {"cursor": cursor_of(scene.project.project_id, START), "limit": 100}
    values = {
        name: JSON_VALUE | nearly(value) if isinstance(value, str) else JSON_VALUE
        for name, value in (*good.items(), ("more", "x"))
    }
    return Target(
        st.fixed_dictionaries({}, optional=values),
        lambda given: call(backend, path, **given),
        {200, 400, 401, 404, 409},
        is_json,
    )


def reference(scene: Scene) -> Target:
    backend = Backend.of(scene.project)
    visitor, body = Visitor(), json.dumps(backend.link_body()).encode()

    def send(value: str) -> HttpResponse:
        credential = backend.credential
        return visitor.post(LINK, body, JSON, X_Access_Token=credential, X_Reference=value)

    return Target(VALUE | nearly("application-4711"), send, {200, 400}, is_json)


def call(backend: Backend, path: str, **given: Any) -> HttpResponse:
    body = json.dumps(backend.body(path, **given)).encode()
    return Visitor().post(path, body, JSON, X_Access_Token=backend.credential)


def is_json(response: HttpResponse) -> None:
    assert response.headers["Content-Type"] == "application/json"
    json.loads(response.content)


# --- what stands in an address, or in a header of a browser


def link_token(scene: Scene) -> Target:
    address, _, good = issue(scene.project)[1].partition("?token=")
    visitor = Visitor()
    return Target(
        VALUE | nearly(good), lambda value: visitor.get(f"{address}?{query(token=value)}"), {404}
    )


def cookie(scene: Scene) -> Target:
    """The cookie of an attempt: none but its own opens it."""
    browser, _ = begun(scene, "cookie")
    address = reverse("question", args=[scene.project.project_id, 1])
    visitor, good = Visitor(), browser.cookies["attempt"]
    # A blank or a semicolon after it ends the value, and leaves it what it was.
    values = (VALUE | nearly(good)).filter(
        lambda value: parse_cookie(f"attempt={value}")["attempt"] != good
    )
    return Target(values, lambda value: visitor.get(address, Cookie=f"attempt={value}"), {403})


def language(scene: Scene) -> Target:
    visitor, address = Visitor(), issue(scene.project)[1]
    return Target(
        VALUE | nearly("hi"),
        lambda value: visitor.get(f"{address}&{query(language=value)}"),
        {200},
    )


def accepted_language(scene: Scene) -> Target:
    visitor, address = Visitor(), issue(scene.project)[1]
    return Target(
        VALUE | nearly("hi-IN,hi;q=0.9,en;q=0.8"),
        lambda value: visitor.get(address, Accept_Language=value),
        {200},
    )


# --- what stands in a form of a student


def csrf_token(scene: Scene) -> Target:
    browser = Browser()
    page = browser.open(issue(scene.project)[1])
    sent = page.form.filled | {"consent": "yes"}
    token = sent.pop("csrfmiddlewaretoken")
    visitor = Visitor(browser.cookies)
    return Target(
        VALUE | nearly(token),
        lambda value: visitor.post(
            page.form.action, query(**sent, csrfmiddlewaretoken=value).encode()
        ),
        {403},
    )


def landing(project: Project) -> Target:
    """The start form. A link is used if and only if an attempt was begun."""
    browser = Browser()
    link, url = issue(project, email="start@example.com")
    more = {
        "consent": "yes",
        "start": "again",
        "attempt": "",
        "moves": "",
        "language": "hi",
        "age": "minor",
        "guardian_name": "Meera Rao",
        "guardian_contact": "98765 43210",
    }

    def check(response: HttpResponse) -> None:
        link.refresh_from_db()
        assert (link.used_at is not None) is (response.status_code == 303)
        assert Assessment.objects.filter(student=link.student).exists() is (
            link.used_at is not None
        )

    return page_target(browser, browser.open(url), more, {303, 400, 404, 409}, check)


def statements(scene: Scene) -> Target:
    """A page of statements: no choice but those on offer is stored."""
    browser, section_page = begun(scene, "statements")
    page = browser.go_on(section_page)
    chosen = dict.fromkeys(page.form.questions, "2")
    return page_target(browser, page, chosen, {303, 400, 409}, offered)


def puzzle(scene: Scene) -> Target:
    browser, _ = begun(scene, "puzzle")
    answer_until(Assessment.objects.get(student__email_key="puzzle@example.com"), 24)
    page = browser.go_on(browser.open(reverse("question", args=[scene.project.project_id, 25])))
    return page_target(browser, page, {"answer": "3"}, {303, 400, 409}, offered)


def section(scene: Scene) -> Target:
    browser, page = begun(scene, "section")
    return page_target(browser, page, {"begin": "yes"}, {303, 400, 409}, offered)


def leave(scene: Scene) -> Target:
    browser, _ = begun(scene, "leave")
    page = browser.open(reverse("leave", args=[scene.project.project_id]))
    return page_target(browser, page, {"leave": "yes", "language": "hi"}, {303, 409})


def subjects(scene: Scene) -> Target:
    """The question about subjects, which a course of the project asks for."""
    project = ProjectFactory.create()
    publish_field_bank()
    CourseFactory.create(project=project, fields=["machines"], required_streams=["science-maths"])
    browser = Browser()
    page = browser.start(issue(project, email="subjects@example.com")[1])
    assert page.asks_subjects

    def check(response: HttpResponse) -> None:
        stored = Assessment.objects.get(student__email_key="subjects@example.com").stream
        assert stored in {"", *STREAM_ANSWERS}

    return page_target(browser, page, {"answer": "arts"}, {303, 400, 409}, check)


def private_link(scene: Scene) -> Target:
    """The form that makes a private link: one works at most."""
    browser, attempt = ended(scene, "keeper")
    page = browser.open(reverse("private-link", args=[scene.project.project_id]))

    def check(response: HttpResponse) -> None:
        assert PrivateLink.objects.working().filter(assessment=attempt).count() <= 1

    more = {"make": "yes", "puzzles": "yes"}
    return page_target(browser, page, more, {200, 409}, check)


def private_key(scene: Scene) -> Target:
    """The key in the address of a private link: only the whole one opens a result."""
    _, attempt = ended(scene, "shared")
    _, good = PrivateLink.objects.make(attempt, with_puzzles=False, seen="")
    address, visitor = reverse("private-result", args=[scene.project.project_id]), Visitor()
    values = (VALUE | nearly(good)).filter(lambda value: value != good)
    return Target(values, lambda value: visitor.get(f"{address}?{query(key=value)}"), {404})


def forget(scene: Scene) -> Target:
    browser, _ = ended(scene, "forget")
    page = browser.open(reverse("forget", args=[scene.project.project_id]))
    return page_target(browser, page, {"forget": "yes", "language": "hi"}, {303, 403, 409})


def ended(scene: Scene, name: str) -> tuple[Browser, Assessment]:
    """Return a browser whose attempt is completed, and the attempt."""
    browser, _ = begun(scene, name)
    return browser, marked_completed(
        Assessment.objects.get(student__email_key=f"{name}@example.com")
    )


def begun(scene: Scene, name: str) -> tuple[Browser, Page]:
    """Return a browser in which an attempt of a student of its own has begun, and its page."""
    browser = Browser()
    return browser, browser.start(issue(scene.project, email=f"{name}@example.com")[1])


def offered(response: HttpResponse) -> None:
    """A statement has five choices, a puzzle six and "I don't know"; more was never on offer."""
    assert not Answer.objects.filter(choice__gt=6).exists()


def page_target(
    browser: Browser,
    page: Page,
    more: dict[str, str],
    allowed: set[int],
    check: Callable[[HttpResponse], None] | None = None,
) -> Target:
    """Return the form of a page as a target, filled in as the page has it and with `more`."""
    assert page.status == 200, page.text
    filled = page.form.filled | more
    csrf = {"csrfmiddlewaretoken": filled.pop("csrfmiddlewaretoken")}
    visitor = Visitor(browser.cookies)
    action = page.form.action
    return Target(form(filled, csrf), lambda body: visitor.post(action, body), allowed, check)


# Each place, and its share: pages are slow to make, and some places are two of a kind.
TARGETS: dict[str, tuple[float, Callable[[Scene], Target]]] = {
    "X-Access-Token": (1, header),
    "email of get-redirect-url": (0.5, lambda scene: e_mail(scene, LINK)),
    "email of get-assessments-info": (0.5, lambda scene: e_mail(scene, RESULTS)),
    "other fields of get-redirect-url": (0.5, fields),
    "X-Reference": (0.5, reference),
    **{path: (0.5, partial(beside, path=path)) for path in BESIDE},
    "link token": (1, link_token),
    "attempt cookie": (0.5, cookie),
    "language in an address": (0.1, language),
    "Accept-Language": (0.1, accepted_language),
    "csrfmiddlewaretoken": (0.2, csrf_token),
    "start form": (0.5, lambda scene: landing(scene.project)),
    "start form with age and guardian": (0.5, lambda scene: landing(scene.minors)),
    "form of a section": (0.2, section),
    "form of statements": (0.5, statements),
    "form of a puzzle": (0.5, puzzle),
    "form of leaving": (0.5, leave),
    "form of subjects": (0.2, subjects),
    "form of a private link": (0.2, private_link),
    "key of a private link": (0.5, private_key),
    "form of forgetting": (0.2, forget),
}
