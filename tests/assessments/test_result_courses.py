"""The courses on the result page: what is said of each, removing one, and comparing some."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from assessments.catalogue.courses_file import parse
from assessments.models import Assessment, Course
from assessments.models.catalogues import Catalogue
from config.management.commands.demo import COURSES
from partners.models import Project
from tests.assessments.attempts import completed, issue, liking
from tests.support.browser import Browser, Page

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project: Project, browser: Browser) -> Assessment:
    """Give a completed attempt of this browser, with five recommendations."""
    Catalogue(project).load(parse(COURSES.read_bytes()), actor="command:tests")
    browser.start(issue(project)[1])
    return completed(Assessment.objects.get(), choice=liking("artistic"))


def codes(attempt: Assessment) -> list[str]:
    return [course["code"] for course in attempt.recommendations or []]


def result(project: Project) -> str:
    return reverse("result", args=[project.project_id])


def press(browser: Browser, attempt: Assessment, **choice: str) -> Page:
    data = {"assessment": attempt.assessment_id} | choice
    return browser.post(result(attempt.student.project), data)


def compare(browser: Browser, project: Project, chosen: list[str]) -> Page:
    query = "&".join(f"course={code}" for code in chosen)
    return browser.get(f"{reverse('compare', args=[project.project_id])}?{query}")


def describe(project: Project, code: str, **texts: object) -> None:
    Course.objects.filter(project=project, code=code).update(**texts)


def test_a_course_shows_todays_texts_and_addresses_of_the_catalogue(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    describe(
        project,
        codes(attempt)[0],
        about={"en": "Colour, form and material."},
        leads_to={"en": ["Textile designer", "Art teacher"]},
        url="https://college.example/art",
        apply_url="https://college.example/apply",
        required_streams=["arts"],
    )

    text = browser.get(result(project)).text

    assert "Requires arts and humanities." in text
    assert "Colour, form and material." in text
    assert "Textile designer · Art teacher" in text
    links = " ".join(text.split())
    assert '<a href="https://college.example/art" rel="noreferrer"' in links
    assert '<a href="https://college.example/apply" rel="noreferrer"' in links


def test_a_course_that_was_withdrawn_is_shown_without_apply(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    describe(project, codes(attempt)[0], apply_url="https://college.example/apply", is_active=False)

    text = browser.get(result(project)).text

    assert attempt.recommended_names[0] in text
    assert "https://college.example/apply" not in text


def test_removing_a_course_shows_the_next_best_and_a_way_back(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    first, name = codes(attempt)[0], attempt.recommended_names[0]

    answer = press(browser, attempt, dismiss=first)
    page = browser.follow(answer)

    attempt.refresh_from_db()
    assert (answer.status, answer.location) == (303, f"{result(project)}#courses")
    assert attempt.dismissed == [first]
    assert page.text.count("<h3>") == 5
    assert f"<h3>{name}</h3>" not in page.text
    assert f"Bring back: {name}" in page.text

    page = browser.follow(press(browser, attempt, restore=first))

    attempt.refresh_from_db()
    assert attempt.dismissed == []
    assert f"<h3>{name}</h3>" in page.text
    assert "Bring back" not in page.text


@pytest.mark.parametrize("choice", [{}, {"dismiss": "NO-SUCH"}, {"restore": "\x00"}, {"x": "y"}])
def test_a_press_that_means_nothing_changes_nothing(
    attempt: Assessment, browser: Browser, choice: dict[str, str]
) -> None:
    answer = press(browser, attempt, **choice)

    attempt.refresh_from_db()
    assert answer.status == 303
    assert attempt.dismissed == []


def test_a_page_of_another_attempt_removes_nothing(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    data = {"assessment": "asm_0123456789abcdef", "dismiss": codes(attempt)[0]}

    answer = browser.post(result(project), data)

    attempt.refresh_from_db()
    assert answer.status == 409
    assert attempt.dismissed == []


def test_another_browser_sees_and_removes_nothing(attempt: Assessment, project: Project) -> None:
    stranger = Browser()

    assert press(stranger, attempt, dismiss=codes(attempt)[0]).status == 403
    assert compare(stranger, project, codes(attempt)[:2]).status == 403
    attempt.refresh_from_db()
    assert attempt.dismissed == []


def test_a_result_that_expired_is_neither_changed_nor_compared(
    project: Project, browser: Browser
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        browser.start(issue(project)[1])
        attempt = completed(Assessment.objects.get())
        cookie = browser.client.cookies["attempt"].value
        clock.shift(timedelta(days=9))
        browser.client.cookies["attempt"] = cookie

        assert press(browser, attempt, dismiss="A").status == 410
        assert compare(browser, project, ["A", "B"]).status == 410


def test_before_the_end_there_is_nothing_to_remove(project: Project, browser: Browser) -> None:
    browser.start(issue(project)[1])

    answer = press(browser, Assessment.objects.get(), dismiss="A")

    assert (answer.status, answer.location) == (303, f"/{project.project_id}/assessment")


@pytest.mark.parametrize("count", [2, 3])
def test_courses_are_compared_side_by_side(
    attempt: Assessment, project: Project, browser: Browser, count: int
) -> None:
    describe(project, codes(attempt)[1], leads_to={"en": ["Potter"]})

    page = compare(browser, project, codes(attempt)[:count])

    assert (page.status, page.name) == (200, "compare")
    for name in attempt.recommended_names[:count]:
        assert f'<th scope="col">{name}</th>' in page.text
    assert attempt.recommended_names[3] not in page.text
    assert "Potter" in page.text
    assert "To think about" in page.text


@pytest.mark.parametrize("chosen", [[], [0], [0, 0], [0, 1, 2, 3]])
def test_another_number_of_courses_brings_the_result_back_with_an_error(
    attempt: Assessment, project: Project, browser: Browser, chosen: list[int]
) -> None:
    page = compare(browser, project, [codes(attempt)[place] for place in chosen])

    assert (page.status, page.name) == (400, "result")
    assert "To compare, tick two or three courses." in page.text
    assert page.text.count("<h3>") == 5
    assert page.text.count("checked") == len(set(chosen))
    assert "<title>Error:" in page.text


def test_a_removed_course_is_not_compared(
    attempt: Assessment, project: Project, browser: Browser
) -> None:
    first, second = codes(attempt)[:2]
    press(browser, attempt, dismiss=first)

    assert compare(browser, project, [first, second]).status == 400
