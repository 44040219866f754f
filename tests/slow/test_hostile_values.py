"""Values that nobody should send, hundreds for each place where a stranger can put one.

They are nearly right, since nonsense is refused at the first look, or have crashed services before.
Each is sent through Django's client; its rows are taken back.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import hypothesis
import pytest
from django.db import transaction
from django.http.cookie import parse_cookie
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from assessments.api.ended_attempts import cursor_of
from assessments.models import Answer, Attempt, PrivateLink, Student
from assessments.models.feed import START
from measurement.courses import STREAM_ANSWERS
from partners.models import Project
from partners.models.projects import ConsentMode
from tests.assessments.attempts import (
    DETAILS,
    MINOR,
    answer_until,
    cookie_of,
    inside,
    issue,
    marked_completed,
    newest_of,
)
from tests.assessments.partner import BESIDE, FEED, LINK, RESULTS, Backend
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory
from tests.support.browser import Browser
from tests.support.rates import EVERY_RATE

# SQLite takes what PostgreSQL refuses, a NUL above all: there it cannot be seen.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]

EXAMPLES = 250  # for a whole share
# What a browser can send: of a surrogate pair both halves or none.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NASTY = [
    *("", " ", "\0", "a\0b", "%00", "\r\nX-Access-Token: x", "\u202e\u2066"),
    *("\u017f\u212a\u0131\u0130", "\ufeff", "\U0001f600" * 20, "e\u0301" * 50, "०१२", "１"),
    *("-1", "0x1", "1e999", "NaN", "9" * 5000, "a" * 5000, "null", "true", "[]", "{}"),
    *("' OR 1=1 --", "<script>alert(1)</script>", "{{ 7 * 7 }}", "%(id)s %n {0}", "=1+1"),
    "../../etc/passwd",
]
VALUE = st.sampled_from(NASTY) | TEXT
# JSON can say what a browser cannot send: half of a surrogate pair, and no string at all.
JSON_VALUE = VALUE | st.text(max_size=40) | st.none() | st.integers() | st.floats() | st.booleans()
# In a form, also what is no UTF-8.
FORM_VALUE = VALUE | st.binary(max_size=20)


@dataclass(frozen=True, repr=False)
class Target:
    """A place for values: how they are sent there, and what may come back."""

    values: st.SearchStrategy
    send: Callable
    allowed: set
    check: Callable | None = None  # raises AssertionError

    def try_out(self, examples):
        """Send that many values, and return how many were sent."""
        sent = 0

        @hypothesis.seed(20261121)
        @hypothesis.settings(
            max_examples=examples, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(self.values)
        def each(value):
            nonlocal sent
            with transaction.atomic():
                response = self.send(value)
                sent += 1
                said = f"{response.status_code} to {value!r:.300}"
                assert response.status_code in self.allowed, said
                if self.check:
                    self.check(response)
                transaction.set_rollback(True)

        each()
        return sent


def nearly(text):
    """Return texts that are this one but for a place: something there is lost, added or other."""

    def changed(place, length, instead):
        return text[:place] + instead + text[place + length :]

    return st.builds(changed, st.integers(0, len(text)), st.integers(0, 3), VALUE).filter(
        lambda made: made != text
    )


def form(good, always):
    """Return forms, encoded: each good field as it is, missing, changed or several times.

    Half of the fields stay as they are, so that a form with one fault is read to its end; `always`
    stays whatever happens to the rest.
    """
    fields = {
        name: st.just([value])
        | st.just([value])
        | st.just([])
        | st.lists(nearly(value) | FORM_VALUE, min_size=1, max_size=3)
        for name, value in good.items()
    }
    unknown = st.dictionaries(TEXT, st.lists(FORM_VALUE, min_size=1, max_size=2), max_size=2)
    return st.tuples(unknown, st.fixed_dictionaries(fields)).map(
        lambda sent: urlencode({**sent[0], **sent[1], **always}, doseq=True).encode()
    )


class Visitor:
    """A client whose cookies are the same before each request. It sees crashes as answers."""

    def __init__(self, cookies=None):
        self._client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        self._cookies = dict(cookies or {})

    def get(self, address, headers=None):
        return self.send("GET", address, b"", "", headers or {})

    def post(self, address, body):
        return self.send("POST", address, body, "application/x-www-form-urlencoded", {})

    def send(self, method, address, body, content_type, headers):
        self._client.cookies.clear()
        self._client.cookies.load(self._cookies)
        # A server reads the bytes of a header as latin-1, whatever they were meant to be.
        read = {name: value.encode().decode("latin-1") for name, value in headers.items()}
        return self._client.generic(method, address, body, content_type=content_type, headers=read)


# --- what a partner's program sends


def call(backend, path, _reference="", **given):
    headers = {"X-Access-Token": backend.credential}
    headers |= {"X-Reference": _reference} if _reference else {}
    body = json.dumps(backend.body(path, **given)).encode()
    return Visitor().send("POST", path, body, "application/json", headers)


def is_json(response):
    assert response.headers["Content-Type"] == "application/json"
    json.loads(response.content)


def header(project):
    backend = Backend.of(project)
    token_id, _, secret = backend.credential.partition(":")
    parts = st.builds("{}:{}".format, nearly(token_id), nearly(secret))
    values = VALUE | nearly(backend.credential) | parts
    return Target(values, lambda value: call(Backend(project, value), RESULTS), {401}, is_json)


def e_mail(project, path):
    """Of what is accepted, the address's key is plain ASCII: nobody is taken for somebody else."""
    backend = Backend.of(project)

    def check(response):
        is_json(response)
        for student in Student.objects.all():
            assert student.email_key.isascii()
            assert student.email_key == student.email_key.lower().strip()

    values = JSON_VALUE | nearly(DETAILS["email"]) | st.emails()
    return Target(values, lambda value: call(backend, path, email=value), {200, 400}, check)


def members(project, path):
    """The members of a body, one or several of them at once; the e-mail address apart."""
    backend = Backend.of(project)
    good = backend.body(path)
    if path == LINK:
        del good["email"]
    if path == FEED:
        good |= {"cursor": cursor_of(project.project_id, START), "limit": 100}
    values = {
        name: JSON_VALUE | nearly(value) if isinstance(value, str) else JSON_VALUE
        for name, value in good.items()
    } | {"more": st.recursive(JSON_VALUE, st.lists, max_leaves=5)}
    return Target(
        st.fixed_dictionaries({}, optional=values),
        lambda given: call(backend, path, **given),
        {200, 400, 401} if path == LINK else {200, 400, 401, 404, 409},
        is_json,
    )


def reference(project):
    backend, values = Backend.of(project), VALUE | nearly("application-4711")
    return Target(values, lambda value: call(backend, LINK, value), {200, 400}, is_json)


# --- what stands in an address, or in a header of a browser


def link_token(project):
    address, _, good = issue(project)[1].partition("?token=")
    visitor, values = Visitor(), VALUE | nearly(good)
    return Target(values, lambda it: visitor.get(f"{address}?{urlencode({'token': it})}"), {404})


def cookie(project):
    """The cookie of an attempt: none but its own opens it."""
    browser, _ = begun(project, "cookie")
    address = inside("question", newest_of(project), 1)
    visitor, good, name = Visitor(), browser.attempt, cookie_of(newest_of(project))
    # A blank or a semicolon after it ends the value, and leaves it what it was.
    values = (VALUE | nearly(good)).filter(
        lambda value: parse_cookie(f"{name}={value}")[name] != good
    )
    return Target(values, lambda value: visitor.get(address, {"Cookie": f"{name}={value}"}), {403})


def language(project):
    visitor, address, values = Visitor(), issue(project)[1], VALUE | nearly("hi")
    return Target(values, lambda it: visitor.get(f"{address}&{urlencode({'language': it})}"), {200})


def accepted_language(project):
    visitor, address, values = Visitor(), issue(project)[1], VALUE | nearly("hi-IN,hi;q=0.9,en")
    return Target(values, lambda it: visitor.get(address, {"Accept-Language": it}), {200})


def private_key(project):
    """The key in the address of a private link: only the whole one, whatever follows, opens it."""
    _, attempt = ended(project, "shared")
    _, good = PrivateLink.objects.make(attempt, with_puzzles=False, seen_version="")
    address, visitor = reverse("private-result", args=[project.project_id]), Visitor()
    values = (VALUE | nearly(good)).filter(lambda value: not value.startswith(good))
    return Target(values, lambda it: visitor.get(f"{address}?{urlencode({'key': it})}"), {404})


# --- what stands in a form of a student


def begun(project, name):
    """Return a browser in which an attempt of a student of its own has begun, and its page."""
    browser = Browser()
    return browser, browser.start(issue(project, email=f"{name}@example.com")[1])


def attempt_of(name):
    return Attempt.objects.get(student__email_key=f"{name}@example.com")


def ended(project, name):
    return begun(project, name)[0], marked_completed(attempt_of(name))


def page_form(browser, page, more, allowed, check=None):
    """Return the form of a page as a target, filled in as the page has it and with `more`."""
    assert page.status == 200, page.text
    filled = page.form.filled | more
    csrf = {"csrfmiddlewaretoken": filled.pop("csrfmiddlewaretoken")}
    visitor, action = Visitor(browser.cookies), page.form.action
    return Target(form(filled, csrf), lambda body: visitor.post(action, body), allowed, check)


def offered(response):
    """A statement has five choices, a puzzle six and "I don't know"; more was never on offer."""
    assert not Answer.objects.filter(choice__gt=6).exists()


def csrf_token(project):
    browser = Browser()
    page = browser.open(issue(project)[1])
    sent, visitor = page.form.filled | {"consent": "yes"}, Visitor(browser.cookies)

    def send(value):
        changed = sent | {"csrfmiddlewaretoken": value}
        return visitor.post(page.form.action, urlencode(changed).encode())

    return Target(VALUE | nearly(sent["csrfmiddlewaretoken"]), send, {403})


def start(project, consent_mode=""):
    """The start form. A link is used if and only if an attempt was begun."""
    if consent_mode:
        Project.objects.filter(pk=project.pk).update(consent_mode=consent_mode)
    browser = Browser()
    link, url = issue(project, email="start@example.com")
    more = {**MINOR, "start": "again", "attempt": "", "continuations": "", "language": "hi"}

    def check(response):
        link.refresh_from_db()
        is_used = link.used_at is not None
        assert is_used is (response.status_code == 303)
        assert Attempt.objects.filter(student=link.student).exists() is is_used

    return page_form(browser, browser.open(url), more, {303, 400, 404, 409}, check)


def section(project):
    return page_form(*begun(project, "section"), {"begin": "yes"}, {303, 400, 409}, offered)


def statements(project):
    browser, page = begun(project, "statements")
    page = browser.go_on(page)
    chosen = dict.fromkeys(page.form.questions, "2")
    return page_form(browser, page, chosen, {303, 400, 409}, offered)


def puzzle(project):
    browser, _ = begun(project, "puzzle")
    answer_until(attempt_of("puzzle"), 24)
    page = browser.go_on(browser.open(inside("question", newest_of(project), 25)))
    return page_form(browser, page, {"answer": "3"}, {303, 400, 409}, offered)


def leave(project):
    browser, _ = begun(project, "leave")
    page = browser.open(inside("leave", newest_of(project)))
    return page_form(browser, page, {"leave": "yes", "language": "hi"}, {303, 409})


def subjects(project):
    publish_field_bank()
    CourseFactory.create(project=project, fields=["machines"], required_streams=["science-maths"])
    browser, page = begun(project, "subjects")
    assert page.asks_subjects

    def check(response):
        assert attempt_of("subjects").stream in {"", *STREAM_ANSWERS}

    return page_form(browser, page, {"answer": "arts"}, {303, 400, 409}, check)


def private_link(project):
    """The form that makes a private link: one works at most."""
    browser, attempt = ended(project, "keeper")
    page = browser.open(inside("private-link", newest_of(project)))

    def check(response):
        assert PrivateLink.objects.working().filter(attempt=attempt).count() <= 1

    return page_form(browser, page, {"make": "yes", "puzzles": "yes"}, {200, 409}, check)


def forget(project):
    browser, _ = ended(project, "forget")
    page = browser.open(inside("forget", newest_of(project)))
    return page_form(browser, page, {"forget": "yes", "language": "hi"}, {303, 403, 409})


# Each place, and its share: pages are slow to make, and some places are two of a kind.
TARGETS = {
    "X-Access-Token": (1, header),
    "email of get-redirect-url": (0.5, partial(e_mail, path=LINK)),
    "email of get-assessments-info": (0.5, partial(e_mail, path=RESULTS)),
    "X-Reference": (0.5, reference),
    **{f"members of {path}": (0.5, partial(members, path=path)) for path in (LINK, *BESIDE)},
    "link token": (1, link_token),
    "attempt cookie": (0.5, cookie),
    "language in an address": (0.1, language),
    "Accept-Language": (0.1, accepted_language),
    "csrfmiddlewaretoken": (0.2, csrf_token),
    "start form": (0.5, start),
    "start form with age and guardian": (0.5, partial(start, consent_mode=ConsentMode.ASK)),
    "form of a section": (0.2, section),
    "form of statements": (0.5, statements),
    "form of a puzzle": (0.5, puzzle),
    "form of leaving": (0.5, leave),
    "form of subjects": (0.2, subjects),
    "form of a private link": (0.2, private_link),
    "key of a private link": (0.5, private_key),
    "form of forgetting": (0.2, forget),
}


@pytest.mark.parametrize("name", TARGETS)
def test_every_value_gets_an_answer_that_is_allowed(name, project, settings, times):
    for limit in EVERY_RATE:
        setattr(settings, limit, 1_000_000)
    share, target_in = TARGETS[name]
    examples = int(share * EXAMPLES * times)

    assert target_in(project).try_out(examples) >= examples
