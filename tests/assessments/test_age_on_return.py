"""The age question and coming back: to continue asks nothing, to start again asks again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from assessments.models import Assessment, AssessmentLink
from assessments.models.ages import NOT_ASKED, Age, AgeMissing
from partners.models import Project
from partners.student_pages import ConsentMode
from tests.assessments.ages import A_MINOR, ADULT, MINOR, controls, started_as_minor, stored
from tests.assessments.attempts import answer_until, issue, started, use
from tests.factories import ProjectFactory
from tests.support.browser import Browser

pytestmark = pytest.mark.usefixtures("bank")


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
    assert after | {"browser_digest": before["browser_digest"]} == before


def test_without_a_button_it_continues_too(project: Project, other_browser: Browser) -> None:
    started_as_minor(project)

    page = other_browser.start(issue(project)[1])

    assert page.name == "section"
    assert stored() == (True, "Meena Rao", "meena.rao@example.org")


def test_to_continue_passes_over_an_age_sent_with_it(
    project: Project, other_browser: Browser
) -> None:
    started_as_minor(project)

    other_browser.start(issue(project)[1], **ADULT, start="continue")

    assert stored() == (True, "Meena Rao", "meena.rao@example.org")


def test_an_attempt_from_before_the_question_can_be_continued(
    silent_project: Project, browser: Browser
) -> None:
    answer_until(started(silent_project), 6)
    Project.objects.update(consent_mode=ConsentMode.ASK)

    page = browser.start(issue(silent_project)[1], start="continue")

    assert page.name == "question"
    assert stored() == (None, "", "")


def test_to_start_again_asks_again(
    project: Project, browser: Browser, other_browser: Browser
) -> None:
    earlier = started_as_minor(project)
    link, url = issue(project)

    refused = other_browser.start(url, start="again")
    link.refresh_from_db()
    earlier.refresh_from_db()
    assert (refused.status, link.used_at, earlier.abandoned_at) == (400, None, None)
    assert 'id="age-error"' in refused.text
    page = other_browser.press(refused, {"age": "adult", "start": "again"})

    earlier.refresh_from_db()
    newer = Assessment.objects.exclude(pk=earlier.pk).get()
    assert page.name == "section"
    assert (earlier.is_minor, earlier.abandoned_at) == (True, newer.started_at)
    assert (newer.is_minor, newer.guardian_name, newer.guardian_contact) == (False, "", "")


def test_a_double_tap_on_start_is_one_attempt(project: Project, browser: Browser) -> None:
    landing = browser.open(issue(project)[1])

    first, second = browser.send(landing, MINOR), browser.send(landing, {})

    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location
    assert stored()[0] is True


def test_a_project_that_begins_to_ask_asks_whoever_has_the_page_open(
    silent_project: Project, browser: Browser
) -> None:
    link, url = issue(silent_project)
    landing = browser.open(url)
    Project.objects.update(consent_mode=ConsentMode.ASK)

    page = browser.press(landing, {"consent": "yes"})

    link.refresh_from_db()
    assert (page.status, link.used_at) == (400, None)
    assert 'id="age-error"' in page.text


def test_an_attempt_that_ends_while_it_is_to_be_continued_leaves_the_question(
    project: Project, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page was sent without a button and without an age, and there is nothing to continue."""
    link, url = issue(project)
    monkeypatch.setattr(AssessmentLink, "asks_age", lambda *_: False)

    page = browser.start(url)

    link.refresh_from_db()
    assert (page.status, page.name) == (409, "landing")
    assert "age" in controls(page)
    assert link.used_at is None
    assert not Assessment.objects.exists()


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


def test_the_method_stores_no_age_where_it_is_not_asked(silent_project: Project) -> None:
    attempt = use(issue(silent_project)[0], age=A_MINOR)

    attempt.refresh_from_db()
    assert (attempt.is_minor, attempt.guardian_name, attempt.guardian_contact) == (None, "", "")


@pytest.mark.parametrize(
    "fields",
    [
        {"is_minor": True},
        {"is_minor": True, "guardian_name": "Meena"},
        {"is_minor": True, "guardian_contact": "m@example.org"},
        {"is_minor": False, "guardian_name": "Meena", "guardian_contact": "m@example.org"},
        {"guardian_contact": "m@example.org"},
    ],
)
def test_a_guardian_is_given_for_a_minor_and_only_then(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="guardian"):
        Age(**fields)


def test_whoever_prints_an_age_does_not_print_the_guardian() -> None:
    assert repr(A_MINOR) == "Age(is_minor=True)"
    assert Age() == NOT_ASKED


def test_whether_a_start_needs_an_age(project: Project, silent_project: Project) -> None:
    fresh = issue(project)[0]
    assert [fresh.asks_age(start) for start in ("", "again", "continue")] == [True, True, False]
    started_as_minor(project)
    assert [fresh.asks_age(start) for start in ("", "again", "continue")] == [False, True, False]
    assert not issue(silent_project)[0].asks_age("again")


def test_an_open_attempt_past_its_time_is_not_continued(project: Project) -> None:
    started_as_minor(project)
    later = timezone.now() + timedelta(hours=25)

    assert issue(project, later)[0].asks_age("", later)
