"""A link for another person's address neither shows nor ends that person's open attempt.

A partner's form may take any address unverified, so a link alone proves nothing.
"""

import re

import pytest

from assessments.models import Answer, AssessmentLink, Attempt
from partners.models import Project
from tests.assessments.attempts import issue, marked_completed
from tests.support.browser import Browser

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]

VICTIM = {"name": "Asha Rao", "email": "asha@example.com", "mobile": "+91 98765 43201"}
STRANGER = VICTIM | {"name": "Mallory", "mobile": "91234 56789"}
NOBODY_YET = STRANGER | {"email": "new@example.com"}


@pytest.fixture
def stored(rows):
    """Give a function: all that is stored of the first attempt."""

    def stored():
        first = Attempt.objects.earliest("pk").pk
        found = rows(Attempt, Answer)
        return found["Attempt"][0], [
            each for each in found["Answer"] if each["attempt_id"] == first
        ]

    return stored


def begin(project, browser, **details):
    """Start an attempt with six answers and six more questions shown."""
    section = browser.start(issue(project, **VICTIM | details)[1], age="adult")
    browser.go_on(browser.go_on(section))
    return Attempt.objects.get()


def comparable(page):
    """Return a page without what differs from one link and one request to the next."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.text)
    return re.sub(r"token=[\w-]{22}|value=\"[\w-]{22}\"", "", text)


@pytest.mark.parametrize("is_issued_before", [False, True])
@pytest.mark.parametrize(
    ("victims", "strangers"),
    [
        ("+91 98765 43201", {"email": "ASHA@Example.COM"}),
        ("+91 98765 43201", {"mobile": "1234567890"}),
        ("1234567890", {"mobile": "1234567890"}),  # a placeholder of both
    ],
)
def test_the_landing_page_is_that_of_a_first_visit(
    project, browser, other_browser, stored, victims, strangers, is_issued_before
):
    Project.objects.update(retention_months=3, consent_mode="ask")
    project.refresh_from_db()
    url = issue(project, **STRANGER | strangers)[1]
    begin(project, browser, mobile=victims)
    Attempt.objects.update(language="hi", retention_months=24)
    if not is_issued_before:
        url = issue(project, **STRANGER | strangers)[1]
    before = stored()

    page = other_browser.open(url)

    assert comparable(page) == comparable(Browser().open(issue(project, **NOBODY_YET)[1]))
    assert "after 3 months" in page.text
    assert 'name="age"' in page.text
    assert stored() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "forged",
    [
        {},
        {"start": "again"},
        {"start": "continue"},
        {"start": "continue", "attempt": "of the victim", "continuations": "0"},
        {"start": "again", "attempt": "of the victim", "continuations": "0"},
        {"attempt": "of the victim", "continuations": "x"},
        {"start": "both"},
    ],
)
def test_a_forged_form_is_answered_as_without_an_attempt(
    project, browser, other_browser, stored, forged
):
    attempt = begin(project, browser)
    before = stored()
    if "attempt" in forged:
        forged = forged | {"attempt": attempt.assessment_id}
    sent = {"consent": "yes", **forged}

    seen, usual = (
        visitor.send(visitor.open(issue(project, **details)[1]), sent)
        for visitor, details in ((other_browser, STRANGER), (Browser(), NOBODY_YET))
    )

    assert (seen.status, seen.name) == (usual.status, usual.name)
    assert comparable(seen) == comparable(usual)
    assert stored() == before
    unused = [link.used_at is None for link in AssessmentLink.objects.order_by("pk")[1:]]
    assert unused == [seen.status != 303] * 2
    assert browser.open(f"/{project.project_id}/assessment").place == "/7"


def test_a_finished_attempt_is_told_to_the_same_number_and_browser_only(
    project, browser, other_browser
):
    marked_completed(begin(project, browser))
    said = "finished this assessment before"
    strangers = issue(project, **STRANGER)[1]

    assert comparable(other_browser.open(strangers)) == comparable(
        Browser().open(issue(project, **NOBODY_YET)[1])
    )
    assert said in other_browser.open(issue(project, **VICTIM | {"mobile": "098765-43201"})[1]).text
    assert said in browser.open(strangers).text
