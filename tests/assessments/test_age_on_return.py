"""The age question and coming back: to continue asks nothing, to start again asks again."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.models import Assessment
from assessments.models.ages import NOT_ASKED, Age, AgeMissing
from partners.models import Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import A_MINOR, MINOR, started_as_minor
from tests.assessments.attempts import issue, use
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


NOT_MOVED = {"moves": 0, "moved_at": None}


@pytest.fixture
def project(db: None) -> Project:
    """Give a project that asks the age."""
    return ProjectFactory.create(consent_mode=ConsentMode.ASK)


@pytest.fixture
def silent_project(db: None) -> Project:
    """Give a project whose partner has obtained consent."""
    return ProjectFactory.create(consent_mode=ConsentMode.OBTAINED)


def test_to_continue_asks_nothing_and_keeps_what_was_stored(
    project: Project, browser: Browser, other_browser: Browser
) -> None:
    browser.start(issue(project)[1], **MINOR)
    before = Assessment.objects.values().get()

    page = other_browser.start(issue(project)[1], start="continue")

    after = Assessment.objects.values().get()
    assert page.name == "section"
    assert after.pop("moves") == 1
    assert after.pop("moved_at") is not None
    assert after | {"browser_digest": before["browser_digest"]} | NOT_MOVED == before


def test_to_start_again_asks_again(project: Project, browser: Browser) -> None:
    browser.start(issue(project)[1], **MINOR)
    earlier = Assessment.objects.get()
    link, url = issue(project)

    refused = browser.start(url, start="again")
    link.refresh_from_db()
    earlier.refresh_from_db()
    assert (refused.status, link.used_at, earlier.abandoned_at) == (400, None, None)
    assert 'id="age-error"' in refused.text
    page = browser.press(refused, {"age": "adult", "start": "again"})

    earlier.refresh_from_db()
    newer = Assessment.objects.exclude(pk=earlier.pk).get()
    assert page.name == "section"
    assert (earlier.is_minor, earlier.abandoned_at) == (True, newer.started_at)
    assert (newer.is_minor, newer.guardian_name, newer.guardian_contact) == (False, "", "")


def test_a_project_that_begins_to_ask_also_asks_students_with_the_page_open(
    silent_project: Project, browser: Browser
) -> None:
    link, url = issue(silent_project)
    landing = browser.open(url)
    Project.objects.update(consent_mode=ConsentMode.ASK)

    page = browser.press(landing, {"consent": "yes"})

    link.refresh_from_db()
    assert (page.status, link.used_at) == (400, None)
    assert 'id="age-error"' in page.text


# --- the method that all of them call


@pytest.mark.parametrize("start", ["", "again"])
def test_the_method_refuses_to_begin_without_an_age(project: Project, start: str) -> None:
    earlier = started_as_minor(project) if start else None
    link, _ = issue(project)

    with pytest.raises(AgeMissing):
        use(link, start=start)

    link.refresh_from_db()
    assert link.used_at is None
    assert list(Assessment.objects.open()) == ([earlier] if earlier else [])


@pytest.mark.parametrize(
    "fields",
    [
        {"is_minor": True},
        {"is_minor": True, "guardian_name": "Meena"},
        {"is_minor": False, "guardian_name": "Meena", "guardian_contact": "m@example.org"},
        {"guardian_contact": "m@example.org"},
    ],
)
def test_a_guardian_is_given_for_a_minor_and_only_then(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="guardian"):
        Age(**fields)


def test_printing_an_age_does_not_print_the_guardian() -> None:
    assert repr(A_MINOR) == "Age(is_minor=True)"
    assert Age() == NOT_ASKED
