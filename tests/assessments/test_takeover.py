"""A stranger asks for a link with somebody's address: nothing of the open attempt is seen or ended.

A partner's form may take any address unverified, so a link alone proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from assessments.models import Answer, Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed
from tests.factories import StudentFactory
from tests.support.browser import Browser, Page

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sqlite,
    pytest.mark.usefixtures("bank"),
]

VICTIM = {"name": "Asha Rao", "email": "asha@example.com", "mobile": "+91 98765 43210"}
NOBODY_YET = {"name": "Mallory", "email": "new@example.com", "mobile": "+91 91234 56789"}


@pytest.fixture
def victim() -> Browser:
    return Browser()


@pytest.fixture
def stranger() -> Browser:
    return Browser()


def begun(project: Project, browser: Browser, **details: str) -> Assessment:
    """Start an attempt with six answers and six more questions shown."""
    browser.go_on(browser.go_on(browser.start(issue(project, **VICTIM | details)[1])))
    return Assessment.objects.get()


def rows(attempt: Assessment) -> tuple[Any, ...]:
    """Return all that is stored of an attempt."""
    answers = Answer.objects.filter(assessment=attempt).order_by("pk")
    return Assessment.objects.values().get(pk=attempt.pk), list(answers.values())


def comparable(page: Page) -> str:
    """Return a page without what differs from one link and one request to the next."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.text)
    return re.sub(r"token=[\w-]{43}|value=\"[\w-]{43}\"", "", text)


def capitals(project: Project) -> str:
    return issue(project, name="Mallory", email="ASHA@Example.COM", mobile="+91 91234 56789")[1]


def another_mobile(project: Project) -> str:
    return issue(project, **VICTIM | {"name": "Mallory", "mobile": "91234 56789"})[1]


def landline(project: Project) -> str:
    return issue(project, **VICTIM | {"name": "Mallory", "mobile": "1234567890"})[1]


LINKS = [capitals, another_mobile, landline]


def first_visit(project: Project) -> Page:
    """Return the landing page of a student who has no attempt."""
    return Browser().open(issue(project, **NOBODY_YET)[1])


@pytest.mark.parametrize("ask", LINKS)
def test_the_landing_page_is_that_of_a_first_visit(
    project: Project, victim: Browser, stranger: Browser, ask: Callable[[Project], str]
) -> None:
    attempt = begun(project, victim)
    before = rows(attempt)

    page = stranger.open(ask(project))

    assert comparable(page) == comparable(first_visit(project))
    assert rows(attempt) == before


@pytest.mark.parametrize("ask", LINKS)
def test_an_older_unused_link_with_another_mobile_tells_nothing_either(
    project: Project, victim: Browser, stranger: Browser, ask: Callable[[Project], str]
) -> None:
    url = ask(project)
    begun(project, victim)

    assert comparable(stranger.open(url)) == comparable(first_visit(project))


@pytest.mark.parametrize("number", ["0000000000", "1234567890", "123456"])
def test_a_placeholder_of_both_opens_nothing(
    project: Project, victim: Browser, stranger: Browser, number: str
) -> None:
    attempt = begun(project, victim, mobile=number)
    before = rows(attempt)
    page = stranger.open(issue(project, **VICTIM | {"name": "Mallory", "mobile": number})[1])
    new = Browser().open(issue(project, **NOBODY_YET)[1])

    assert comparable(page) == comparable(new)
    assert rows(attempt) == before


@pytest.mark.parametrize(("others", "continues"), [(2, True), (3, False)])
def test_a_valid_number_of_more_than_three_students_opens_nothing(
    project: Project, victim: Browser, stranger: Browser, others: int, continues: bool
) -> None:
    begun(project, victim, mobile="9999999999")
    for _ in range(others):
        StudentFactory.create(project=project, mobile="+919999999999")
    StudentFactory.create_batch(4, mobile="+919999999999")

    page = stranger.open(issue(project, **VICTIM | {"mobile": "+91 99999 99999"})[1])

    assert ("Continue (6 of 44 answered)" in page.text) is continues


def test_the_student_counts_among_those_who_have_the_number(
    project: Project, victim: Browser, stranger: Browser
) -> None:
    """Also if somebody has given another one for the address since."""
    url = issue(project, **VICTIM)[1]
    begun(project, victim)
    StudentFactory.create_batch(3, project=project, mobile="+919876543210")
    another_mobile(project)

    assert "Continue" not in stranger.open(url).text


@pytest.mark.parametrize(
    "forged",
    [
        {},
        {"start": "again"},
        {"start": "continue"},
        {"start": "continue", "attempt": "of the victim", "moves": "0"},
        {"start": "again", "attempt": "of the victim", "moves": "0"},
        {"attempt": "of the victim", "moves": "x"},
        {"start": "both"},
    ],
)
def test_whatever_is_sent_is_answered_as_without_an_attempt(
    project: Project, victim: Browser, stranger: Browser, forged: dict[str, str]
) -> None:
    attempt = begun(project, victim)
    before = rows(attempt)
    if "attempt" in forged:
        forged = forged | {"attempt": attempt.assessment_id}
    new = Browser()

    seen = stranger.send(stranger.open(another_mobile(project)), {"consent": "yes", **forged})
    usual = new.send(new.open(issue(project, **NOBODY_YET)[1]), {"consent": "yes", **forged})

    assert (seen.status, seen.name) == (usual.status, usual.name)
    assert comparable(seen) == comparable(usual)
    assert rows(attempt) == before
    statuses = [link.used_at is None for link in AssessmentLink.objects.order_by("pk")[1:]]
    assert statuses == [seen.status != 303] * 2


def test_start_begins_an_attempt_of_its_own_and_both_go_on(
    project: Project, victim: Browser, stranger: Browser
) -> None:
    attempt = begun(project, victim)
    before = rows(attempt)
    page = victim.open(f"/{project.project_id}/assessment")

    section = stranger.start(another_mobile(project))
    stranger.finish(section)

    assert (section.name, section.place) == ("section", "/1")
    assert rows(attempt) == before
    other = Assessment.objects.exclude(pk=attempt.pk).get()
    assert other.student == attempt.student
    assert other.completed_at is not None
    assert victim.answer(page).place == "/13"
    result = victim.finish(victim.open(f"/{project.project_id}/assessment"))
    assert "Asha, here is your result" in result.text
    assert Assessment.objects.completed().count() == 2


def test_a_finished_attempt_is_told_to_the_same_number_only(
    project: Project, victim: Browser, stranger: Browser
) -> None:
    marked_completed(begun(project, victim))
    said = "finished this assessment before"

    assert comparable(stranger.open(another_mobile(project))) == comparable(first_visit(project))
    assert said in stranger.open(issue(project, **VICTIM | {"mobile": "098765-43210"})[1]).text
    assert said in victim.open(another_mobile(project)).text


def test_months_language_and_age_are_those_of_a_first_visit(
    project: Project, victim: Browser, stranger: Browser
) -> None:
    begun(project, victim)
    Assessment.objects.update(language="hi", retention_months=24)
    Project.objects.update(retention_months=3, consent_mode="ask")
    project.refresh_from_db()

    page = stranger.open(another_mobile(project))

    assert comparable(page) == comparable(first_visit(project))
    assert "after 3 months" in page.text
    assert "Are you under 18" in page.text or 'name="age"' in page.text


def test_a_strangers_number_does_not_count_after_the_victim_used_the_strangers_link(
    project: Project, victim: Browser, stranger: Browser
) -> None:
    attempt = begun(project, victim)
    sent = another_mobile(project)
    offered = victim.open(sent)
    assert [button.get("value") for button in offered.form.buttons] == ["continue", "again"]
    victim.press(offered, {"consent": "yes", "start": "continue"})
    assert attempt.links.count() == 2
    before = rows(attempt)

    page = stranger.open(another_mobile(project))

    assert comparable(page) == comparable(first_visit(project))
    assert stranger.open(sent).status == 410
    assert rows(attempt) == before
