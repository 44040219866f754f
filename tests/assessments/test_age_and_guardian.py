"""A project may ask the age: nobody starts without an answer, nor a minor without a guardian."""

from __future__ import annotations

import re

import pytest
from django.utils.html import escape

from assessments import identity
from assessments.models import Assessment, AssessmentLink
from partners.models import Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import ADULT, GUARDIAN, MINOR, controls, stored
from tests.assessments.attempts import issue
from tests.factories import ProjectFactory
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.usefixtures("bank")


@pytest.fixture
def project(db: None) -> Project:
    """Give a project that asks the age."""
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def silent_project(db: None) -> Project:
    """Give a project whose partner has obtained consent."""
    return ProjectFactory.create(consent_mode=ConsentMode.OBTAINED)


def assert_refused(page: Page, link: AssessmentLink, *fields: str) -> None:
    """Check that a start was refused: the page says why, twice, and nothing was stored."""
    assert (page.status, page.name) == (400, "landing")
    assert "<title>Error: " in page.text
    assert re.findall(r'<li>\s*<a href="#(\w+)">', page.text) == list(fields)
    assert re.findall(r'<p class="error"\s+id="(\w+)-error">', page.text) == list(fields)
    assert all(f'aria-describedby="{field}-error"' in page.text for field in fields)
    link.refresh_from_db()
    assert link.used_at is None
    assert not Assessment.objects.exists()


# --- the question


def test_it_is_asked_only_where_the_project_wants_it(
    project: Project, silent_project: Project
) -> None:
    asked, not_asked = (Browser().open(issue(each)[1]) for each in (project, silent_project))

    assert controls(asked) - controls(not_asked) == {"age", "guardian_name", "guardian_contact"}
    assert asked.form.offered("age") == ["adult", "minor"]
    assert not any("checked" in control for control in asked.form.inputs)
    assert "guardian" in asked.text
    assert "guardian" not in not_asked.text


def test_where_it_is_not_asked_what_is_sent_of_it_is_passed_over(
    silent_project: Project, browser: Browser
) -> None:
    page = browser.start(issue(silent_project)[1], **MINOR)

    assert page.name == "section"
    assert stored() == (None, "", "")


def test_nobody_starts_without_an_answer(project: Project, browser: Browser) -> None:
    link, url = issue(project)

    page = browser.start(url)

    assert_refused(page, link, "age")
    assert page.form.filled["consent"] == "yes"


def test_an_adult_starts(project: Project, browser: Browser) -> None:
    link, url = issue(project)

    page = browser.start(url, **ADULT)

    link.refresh_from_db()
    assert page.name == "section"
    assert link.assessment == Assessment.objects.get()
    assert stored() == (False, "", "")


def test_what_an_adult_typed_of_a_guardian_is_forgotten(project: Project, browser: Browser) -> None:
    """With an old browser the guardian's fields are always in sight."""
    typed = {"guardian_name": "x" * 300, "guardian_contact": "?"}

    page = browser.start(issue(project)[1], **ADULT, **typed)

    assert page.name == "section"
    assert stored() == (False, "", "")


# --- the guardian


def test_a_minor_starts_with_a_guardian(project: Project, browser: Browser) -> None:
    link, url = issue(project)

    page = browser.start(url, **MINOR)

    link.refresh_from_db()
    attempt = Assessment.objects.get()
    assert page.name == "section"
    assert link.assessment == attempt
    assert stored() == (True, "Meena Rao", "meena.rao@example.org")
    assert attempt.consented_at == attempt.started_at


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ({}, ["guardian_name", "guardian_contact"]),
        *(
            ({**GUARDIAN, "guardian_name": name}, ["guardian_name"])
            for name in ("  ", "\u200b", "...", "98765 43210", "n" * 201, "Meena\u202eoaR", "M\0R")
        ),
        *(
            ({**GUARDIAN, "guardian_contact": contact}, ["guardian_contact"])
            for contact in ("12345", "my mother", "meena@localhost", "()---+", "1" * 21)
        ),
    ],
)
def test_a_minor_does_not_start_without_a_guardian_who_can_be_reached(
    project: Project, browser: Browser, typed: dict[str, str], fields: list[str]
) -> None:
    link, url = issue(project)

    page = browser.start(url, age="minor", **typed)

    assert_refused(page, link, *fields)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Meena.Rao@Example.org ", "Meena.Rao@Example.org"),
        ("98765 43210", "+919876543210"),
        ("+44 20 7946 0018", "+442079460018"),
        # as a list of contacts, a word processor and a Hindi keyboard write it
        ("\u202a+91 98765 43210\u202c", "+919876543210"),
        ("+91\u201198765\u201343210", "+919876543210"),
        ("९८७६५ ४३२१०", "+919876543210"),
        ("()1-2-3-4-5+", "()1-2-3-4-5+"),
    ],
)
def test_a_contact_is_an_address_or_a_number_by_the_rules_for_students(
    project: Project, browser: Browser, typed: str, kept: str
) -> None:
    browser.start(issue(project)[1], **{**MINOR, "guardian_contact": typed})

    assert identity.contact(typed) == kept
    assert stored() == (True, "Meena Rao", kept)


def test_nothing_that_was_typed_is_lost(project: Project, browser: Browser) -> None:
    link, url = issue(project)

    page = browser.start(url, age="minor", guardian_name='Mee"na <Rao>', guardian_contact="987")

    assert_refused(page, link, "guardian_contact")
    assert page.form.filled | {"csrfmiddlewaretoken": ""} == {
        "csrfmiddlewaretoken": "",
        "token": url.partition("=")[2],
        "language": "en",
        "consent": "yes",
        "age": "minor",
        "guardian_name": 'Mee"na <Rao>',
        "guardian_contact": "987",
    }
    assert escape('Mee"na <Rao>') in page.text
