"""The last answer scores and completes the attempt: both or neither, exactly once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.measurement.profile import Profile
from assessments.models import Assessment, CatalogueSnapshot, Course, ItemBank
from assessments.models.answers import Recorded
from assessments.models.attempts import AttemptEnded
from assessments.models.ends import Status
from partners.models import Project
from tests.assessments.attempts import (
    at_last_page,
    completed,
    issue,
    last_choices,
    last_page,
    started,
)
from tests.factories import CourseFactory
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def attempt(bank: ItemBank, project: Project) -> Assessment:
    """Give an attempt of which the last page waits."""
    return at_last_page(started(project, AT), AT)


def complete(attempt: Assessment, at: datetime = AT + MINUTE) -> Recorded:
    recorded = attempt.record(last_page(attempt), last_choices(attempt), at)
    attempt.refresh_from_db()
    return recorded


def test_it_works(attempt: Assessment, project: Project) -> None:
    course = CourseFactory.create(project=project, name="Botany")

    recorded = complete(attempt)

    assert (recorded.missing, recorded.next_position) == ((), None)
    assert attempt.status_at() == Status.COMPLETED
    assert attempt.completed_at == AT + MINUTE
    assert attempt.abandoned_at is None
    assert attempt.read_answers().answered_count == 44
    assert attempt.recommended_names == ["Botany"]
    assert attempt.catalogue.courses[0]["code"] == course.code
    Profile.from_json(attempt.profile)


def test_a_gap_on_the_last_page_completes_nothing(attempt: Assessment) -> None:
    choices = last_choices(attempt)
    del choices[44]

    recorded = attempt.record(last_page(attempt), choices, AT)

    attempt.refresh_from_db()
    assert recorded.missing == (44,)
    assert attempt.completed_at is None
    assert complete(attempt).next_position is None


def test_courses_that_are_withdrawn_or_of_another_project_are_not_recommended(
    attempt: Assessment, project: Project, other_project: Project
) -> None:
    CourseFactory.create(project=project, name="Offered")
    CourseFactory.create(project=project, name="Withdrawn", is_active=False)
    CourseFactory.create(project=other_project, name="Theirs")

    complete(attempt)

    assert attempt.recommended_names == ["Offered"]
    assert [course.name for course in attempt.catalogue.active_courses] == ["Offered"]


def test_what_happens_to_the_catalogue_later_changes_no_result(
    attempt: Assessment, project: Project
) -> None:
    CourseFactory.create(project=project, name="Botany")
    CourseFactory.create(project=project, name="Zoology")
    complete(attempt)
    before = Assessment.objects.values().get()

    Course.objects.filter(name="Botany").update(name="Plant Science")
    Course.objects.filter(name="Zoology").update(is_active=False)

    attempt.refresh_from_db()
    assert Assessment.objects.values().get() == before
    assert set(attempt.recommended_names) == {"Botany", "Zoology"}
    assert {course["name"] for course in attempt.catalogue.courses} == {"Botany", "Zoology"}


def test_a_catalogue_is_stored_once_however_many_attempts_share_it(
    bank: ItemBank, project: Project, other_project: Project
) -> None:
    course = CourseFactory.create(project=project)
    same = [
        completed(started(project, AT, email=f"{number}@example.com"), AT) for number in range(3)
    ]
    assert CatalogueSnapshot.objects.count() == 1

    course.name = "Renamed"
    course.save()
    later = completed(started(project, AT, email="later@example.com"), AT)
    theirs = completed(started(other_project, AT), AT)

    assert len({attempt.catalogue_id for attempt in same}) == 1
    assert later.catalogue != same[0].catalogue
    assert theirs.catalogue.project == other_project
    assert CatalogueSnapshot.objects.count() == 3


def test_finishing_twice_is_one_completion(attempt: Assessment, project: Project) -> None:
    """T9, in two tabs: whoever comes second is told that it has ended."""
    CourseFactory.create(project=project)
    complete(attempt)
    before = Assessment.objects.values().get()
    CourseFactory.create(project=project)

    with pytest.raises(AttemptEnded):
        attempt.record(last_page(attempt), last_choices(attempt), AT + 2 * MINUTE)

    assert Assessment.objects.values().get() == before


def test_an_end_from_elsewhere_undoes_the_last_page(
    attempt: Assessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the row said when it was held, the conditional update decides; then nothing
    of the page stands."""
    attempt.abandon(AT)
    monkeypatch.setattr(Assessment, "is_open", lambda attempt, at: True)

    with pytest.raises(AttemptEnded):
        complete(attempt)

    attempt.refresh_from_db()
    assert attempt.completed_at is None
    assert attempt.profile is None
    assert attempt.read_answers().answered_count == 40
    assert not CatalogueSnapshot.objects.exists()


def test_terminal_is_terminal(attempt: Assessment) -> None:
    complete(attempt)
    before = Assessment.objects.values().get()

    left = attempt.abandon(AT + 2 * MINUTE)
    moved = attempt.move_to("0" * 64, AT + 2 * MINUTE)

    assert left is False
    assert moved is False
    assert Assessment.objects.values().get() == before
    assert not attempt.is_in_browser("0" * 64)


def last_page_in(browser: Browser, project: Project) -> tuple[Assessment, Any]:
    """Return an attempt and its last page as this browser shows it."""
    _, url = issue(project)
    browser.start(url)
    attempt = at_last_page(Assessment.objects.get())
    return attempt, browser.open(url)


def test_another_answer_after_the_end_is_a_409_that_changes_nothing(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    """T5."""
    attempt, page = last_page_in(browser, project)
    browser.send(page, dict.fromkeys(page.form.questions, "3"))
    before = Assessment.objects.values().get(), list(attempt.answers.values())

    late = browser.send(page, dict.fromkeys(page.form.questions, "5"))

    assert late.status == 409
    assert late.name == "error-409"
    assert f'href="/{project.project_id}/assessment"' in late.text
    assert (Assessment.objects.values().get(), list(attempt.answers.values())) == before


def test_the_last_page_leads_to_the_result_also_when_it_is_sent_again(
    bank: ItemBank, project: Project, browser: Browser
) -> None:
    """T9 and M6: an answer that got lost on the way is sent again, unchanged."""
    _, page = last_page_in(browser, project)
    chosen = dict.fromkeys(page.form.questions, "3")
    first = browser.send(page, chosen)
    before = Assessment.objects.values().get()

    second = browser.send(page, chosen)

    assert (first.status, first.location) == (303, f"/{project.project_id}/assessment/result")
    assert before["completed_at"] is not None
    assert Assessment.objects.values().get() == before
    assert (second.status, second.location) == (first.status, first.location)
