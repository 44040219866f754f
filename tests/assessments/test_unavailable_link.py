"""A link that cannot be opened here: a 410 page in plain words, with nothing about the person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F

from assessments.models import Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.attempts import completed, issue
from tests.support.browser import Browser, Page

COMMAND = "command:tests"
STUDENT = {"name": "Asha Padmini", "email": "secret@example.net", "mobile": "+91 91234 56789"}
PERSONAL = ("Asha", "Padmini", "secret@", "91234", "56789")

pytestmark = pytest.mark.usefixtures("bank")


def move_back(**hours: int) -> None:
    """Let an hour, or more, have passed for every link and attempt."""
    by = timedelta(**hours)
    AssessmentLink.objects.update(issued_at=F("issued_at") - by, expires_at=F("expires_at") - by)
    AssessmentLink.objects.exclude(used_at=None).update(used_at=F("used_at") - by)
    Assessment.objects.update(started_at=F("started_at") - by, finish_by_at=F("finish_by_at") - by)


def nothing(project: Project) -> None:
    """Leave the attempt in progress."""


def complete(project: Project) -> None:
    completed(Assessment.objects.get())


def leave(project: Project) -> None:
    Assessment.objects.get().abandon()


def be_late(project: Project) -> None:
    move_back(hours=25)


def close(project: Project) -> None:
    project.close(actor=COMMAND)


AFTER_START: dict[str, tuple[Callable[[Project], None], str]] = {
    "in use": (nothing, "This link is open in another browser"),
    "completed": (complete, "This assessment is finished"),
    "abandoned": (leave, "This attempt has ended"),
    "late": (be_late, "This attempt has ended"),
    "project closed": (close, "This link is open in another browser"),
}


def assert_unavailable(page: Page, heading: str) -> None:
    assert page.status == 410
    assert page.name == "link-unavailable"
    assert page.heading == heading
    assert page.forms == []
    assert page.response.headers["Cache-Control"] == "no-store"
    for word in PERSONAL:
        assert word not in page.text
    assert "asm_" not in page.text
    assert " of 44" not in page.text


@pytest.mark.parametrize("case", AFTER_START)
def test_in_another_browser(project: Project, case: str) -> None:
    """Neither the link opens, nor does Start on a page that was open before."""
    happens, heading = AFTER_START[case]
    _, url = issue(project, **STUDENT)
    other = Browser()
    landing = other.open(url)
    Browser().start(url)
    happens(project)
    before = list(Assessment.objects.values())

    assert_unavailable(other.get(url), heading)
    assert_unavailable(other.send(landing, {"consent": "yes"}), heading)

    assert "attempt" not in other.cookies
    assert list(Assessment.objects.values()) == before


@pytest.mark.parametrize(
    ("case", "name", "status"),
    [
        ("in use", "section", 200),
        ("completed", "result", 200),
        ("abandoned", "left", 200),
        ("late", "link-unavailable", 410),
        ("project closed", "section", 200),
    ],
)
def test_in_the_same_browser_the_link_leads_back(
    project: Project, browser: Browser, case: str, name: str, status: int
) -> None:
    happens, _ = AFTER_START[case]
    _, url = issue(project, **STUDENT)
    browser.start(url)
    happens(project)

    page = browser.open(url)

    assert (page.name, page.status) == (name, status)
    assert Assessment.objects.count() == 1


def test_a_link_that_expires_while_the_page_is_open(project: Project, browser: Browser) -> None:
    link, url = issue(project, **STUDENT)
    landing = browser.open(url)
    move_back(hours=72)

    assert_unavailable(browser.get(url), "This link is no longer valid")
    assert_unavailable(browser.send(landing, {"consent": "yes"}), "This link is no longer valid")
    link.refresh_from_db()
    assert link.used_at is None
    assert not Assessment.objects.exists()


def test_a_link_of_a_closed_project(project: Project, browser: Browser) -> None:
    link, url = issue(project, **STUDENT)
    landing = browser.open(url)
    project.close(actor=COMMAND)

    assert_unavailable(browser.get(url), "This assessment is closed")
    assert_unavailable(browser.send(landing, {"consent": "yes"}), "This assessment is closed")
    link.refresh_from_db()
    assert link.used_at is None
