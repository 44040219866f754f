"""What the student sees at the end, in the browser of the attempt, for a week after finish-by."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from assessments.catalogue.courses_file import parse
from assessments.measurement.fields import FIELDS
from assessments.measurement.scales import INTERESTS
from assessments.models import Assessment
from assessments.models.catalogues import Catalogue
from config.management.commands.demo import COURSES
from partners.models import Project
from tests.assessments.attempts import (
    answer_until,
    completed,
    issue,
    liking,
)
from tests.support.browser import Browser

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def catalogue(project: Project) -> None:
    Catalogue(project).load(parse(COURSES.read_bytes()), actor="command:tests")


def result_url(project: Project) -> str:
    return reverse("result", args=[project.project_id])


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give a started attempt of this browser."""
    browser.start(issue(project, name="Asha Padmini Rao")[1])
    return Assessment.objects.get()


@pytest.mark.usefixtures("catalogue")
def test_it_shows_courses_with_a_reason_and_the_three_parts(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    page = browser.open(f"/{project.project_id}/assessment")
    number = 0
    while page.name != "result":
        page = browser.go_on(page, choice=number % 4 if page.name == "question" else 0)
        number += 1

    attempt.refresh_from_db()
    assert page.status == 200
    assert len(attempt.recommended_names) == 5
    for name in attempt.recommended_names:
        assert name in page.text
    assert page.text.count("<h3>") == 5
    for part in ("What you like", "How you reason", "How you like to study"):
        assert f"{part}</h2>" in page.text
    assert "Asha" in page.text
    assert "Padmini" not in page.text


@pytest.mark.parametrize("interest", INTERESTS)
@pytest.mark.usefixtures("catalogue")
def test_the_first_course_is_full_of_what_the_student_likes(
    attempt: Assessment, interest: str
) -> None:
    completed(attempt, choice=liking(interest))

    first = attempt.student.project.courses.get(name=attempt.recommended_names[0])
    assert interest in {each for field in first.fields for each in FIELDS[field]}
    assert attempt.profile["interests"][interest]["mean"] == 5


def test_before_the_end_it_leads_to_the_questions(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    answer_until(attempt, 6)

    page = browser.open(result_url(project))

    assert page.name == "question"


@pytest.mark.parametrize(
    ("days", "status"), [(0, 200), (7.99, 200), (8, 410), (8.01, 410), (400, 410)]
)
def test_it_is_visible_until_a_week_after_finish_by(
    project: Project, browser: Browser, days: float, status: int
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        browser.start(issue(project)[1])
        completed(Assessment.objects.get())
        cookie = browser.client.cookies["attempt"].value
        clock.shift(timedelta(days=days))
        browser.client.cookies["attempt"] = cookie

        page = browser.get(result_url(project))

    assert page.status == status


def test_a_link_after_that_week_leads_in_no_circle(project: Project, browser: Browser) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        _, url = issue(project)
        browser.start(url)
        completed(Assessment.objects.get())
        clock.shift(timedelta(days=9))

        page = browser.open(url)

    assert page.status == 410
    assert page.name == "link-unavailable"
    assert "Asha" not in page.text


def test_dates_are_in_the_project_s_zone(project: Project, browser: Browser) -> None:
    late_evening = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)  # half past midnight in India
    with time_machine.travel(late_evening, tick=False):
        browser.start(issue(project)[1])
        completed(Assessment.objects.get())

        page = browser.get(result_url(project))

    assert "22 November 2026" in page.text
    assert "21 November 2026" not in page.text
