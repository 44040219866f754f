"""Courses that require subjects the student does not have: stored apart, and shown apart."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, issue, started
from tests.assessments.partner import RESULTS, Backend
from tests.assessments.two_stages import answer_page, publish_field_bank
from tests.factories import CourseFactory, staff_with
from tests.support.browser import Browser

MATHS, BIOLOGY = "science-maths", "science-biology"
CATALOGUE: dict[str, dict[str, Any]] = {
    "MEC": {"fields": ["machines"], "required_streams": [MATHS]},
    "CIV": {"fields": ["building"], "required_streams": [MATHS, BIOLOGY]},
    "AGR": {"fields": ["nature"], "required_streams": [BIOLOGY]},
    "ART": {"fields": ["art"]},
    "LAW": {"fields": ["law"]},
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def _courses(project: Project) -> None:
    """Give the courses of the catalogue, on the bank that ranks by fields."""
    publish_field_bank()
    for code, facts in CATALOGUE.items():
        CourseFactory.create(project=project, code=code, name=f"Course {code}", **facts)


def finished(project: Project, stream: str) -> Assessment:
    """Return a completed attempt of a student who loves machines."""
    attempt = started(project)
    attempt.choose_stream(stream)
    page: int | None = 1
    while page is not None:
        page = answer_page(attempt, page)
    return Assessment.objects.get(pk=attempt.pk)


def codes(attempt: Assessment) -> list[str]:
    return [each["code"] for each in attempt.recommendations or []]


@pytest.mark.sqlite
@pytest.mark.usefixtures("_courses")
def test_the_profile_keeps_what_is_left_out(project: Project) -> None:
    attempt = finished(project, "arts")

    assert attempt.profile is not None
    assert set(codes(attempt)) == {"ART", "LAW"}
    [first, *rest] = attempt.profile["other_subjects"]
    assert first == {"code": "MEC", "name": "Course MEC", "streams": [MATHS]}
    assert {each["code"] for each in rest} == {"CIV", "AGR"}
    assert attempt.recommended_names == [f"Course {code}" for code in codes(attempt)]


@pytest.mark.sqlite
@pytest.mark.usefixtures("_courses")
@pytest.mark.parametrize("stream", ["arts", MATHS, "other"])
def test_rescoring_gives_the_same_result(project: Project, stream: str) -> None:
    attempt = finished(project, stream)

    assert attempt.rescore() == (attempt.profile, attempt.recommendations)


def test_a_bank_of_types_leaves_nothing_out(project: Project, bank: ItemBank) -> None:
    CourseFactory.create(project=project, code="MEC", required_streams=[MATHS])
    attempt = started(project)
    Assessment.objects.update(stream="arts")

    attempt = completed(attempt)

    assert codes(attempt) == ["MEC"]
    assert attempt.rescore() == (attempt.profile, attempt.recommendations)


@pytest.mark.sqlite
@pytest.mark.usefixtures("_courses")
def test_the_result_page_shows_what_is_left_out_below_the_courses(
    project: Project, browser: Browser
) -> None:
    page = browser.press(browser.start(issue(project)[1]), {"answer": "arts"})
    page = browser.finish(page, choice=2)

    above, _, below = page.text.partition("Courses that need other subjects")
    assert page.name == "result"
    assert "Only two courses are open with your subjects." in above
    assert "Course LAW" in above
    assert "Course MEC" not in above
    assert "<b>Course MEC</b> <br> Requires science with maths." in " ".join(below.split())
    assert "Requires science with maths, or science with biology." in below
    assert "<details" in above[-200:]
    assert "open" not in above[-60:]


@pytest.mark.usefixtures("_courses")
def test_the_partner_reads_only_the_open_courses(project: Project, api: Backend) -> None:
    finished(project, "arts")

    [record] = json.loads(api.post(RESULTS, api.results_body()).content)

    assert set(record["Recommendations"]) == {"Course ART", "Course LAW"}


@pytest.mark.usefixtures("_courses")
def test_an_erasure_leaves_the_answer_with_the_other_answers(project: Project) -> None:
    attempt = finished(project, "arts")

    attempt.student.erase(actor="command:tests")

    attempt.refresh_from_db()
    assert attempt.stream == "arts"


def shown_to(project: Project, *rights: str) -> str:
    """Return the admin's page of an attempt with the answer "arts"."""
    attempt = finished(project, "arts")
    client = Client()
    client.force_login(staff_with("assessments.view_assessment", *rights))
    page = client.get(reverse("admin:assessments_assessment_change", args=[attempt.pk]))
    return page.content.decode()


@pytest.mark.parametrize("rights", [["assessments.view_answer"], []])
def test_only_staff_who_may_see_answers_see_it(project: Project, rights: list[str]) -> None:
    publish_field_bank()

    assert ("arts and humanities" in shown_to(project, *rights)) is bool(rights)
