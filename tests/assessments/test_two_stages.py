"""Stage 2 asks about the fields that stage 1 found, and settles the answers of stage 1."""

from __future__ import annotations

import pytest

from assessments.measurement.fields import FIELDS
from assessments.models import Assessment
from assessments.models.answers import NotShown
from partners.models import Project
from tests.assessments.attempts import issue, question_path
from tests.assessments.two_stages import (
    STAGE_1,
    STAGE_2,
    answered_until,
    publish_field_bank,
)
from tests.factories import CourseFactory
from tests.support.browser import Browser, Page

SEAM = STAGE_1 + 1

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def _field_bank(db: None) -> None:
    publish_field_bank()


def stage_1(attempt: Assessment) -> dict[int, int | None]:
    answers = attempt.answers.filter(position__lte=STAGE_1).order_by("position")
    return dict(answers.values_list("position", "choice"))


def stage_2(attempt: Assessment) -> list[str]:
    """Return what the statements of stage 2 that were shown are about."""
    shown = attempt.answers.filter(position__range=(SEAM, STAGE_1 + STAGE_2))
    return list(shown.order_by("position").values_list("item__scale", flat=True))


@pytest.fixture
def at_the_seam(project: Project, browser: Browser) -> Page:
    """Answer stage 1 in a browser; give the section page that ends it."""
    page = browser.start(issue(project)[1])
    while "A closer look" not in page.text:
        page = browser.go_on(page, choice=2)
    return page


def test_stage_2_asks_twice_about_each_leading_field(project: Project) -> None:
    attempt = answered_until(project, SEAM + STAGE_2)

    fields = attempt.leading_fields
    assert fields is not None
    assert fields[0] == "machines"
    assert "computers" in fields
    assert "office" not in fields
    assert len(fields) == 6
    in_order = [field for field in FIELDS if field in fields]
    assert stage_2(attempt) == [*in_order, "instructed", *in_order]


def test_stage_2_does_not_begin_before_stage_1_is_answered(project: Project) -> None:
    attempt = answered_until(project, 33)

    with pytest.raises(NotShown):
        attempt.begin_section(SEAM)

    attempt.refresh_from_db()
    assert attempt.leading_fields is None


def test_statements_of_stage_1_may_change_until_stage_2_begins(project: Project) -> None:
    attempt = answered_until(project, SEAM)

    attempt.record(1, dict.fromkeys(range(1, 9), 1))

    assert set(list(stage_1(attempt).values())[:8]) == {1}


def test_from_then_on_a_post_to_stage_1_changes_nothing_and_leads_on(
    at_the_seam: Page, browser: Browser
) -> None:
    browser.go_on(at_the_seam)
    attempt = Assessment.objects.get()
    before = stage_1(attempt)
    path = question_path(attempt, 1)
    form = {"assessment": attempt.assessment_id}

    answers = [
        browser.post(path, {**form, **{f"answer-{n}": value for n in range(1, 9)}})
        for value in ("5", "9", "x")
    ]
    others = [browser.post(path, form), browser.post(path, {**form, "begin": "yes"})]

    assert [page.status for page in [*answers, *others]] == [303] * 5
    assert {page.location for page in answers} == {question_path(attempt, 9)}
    assert stage_1(attempt) == before


def test_the_page_before_stage_2_leads_back_and_says_that_answers_become_final(
    at_the_seam: Page, browser: Browser
) -> None:
    attempt = Assessment.objects.get()

    assert "Once you go on, you can&#x27;t change your earlier answers" in at_the_seam.text
    assert f'class="back" href="{question_path(attempt, 33)}"' in at_the_seam.text


def test_a_settled_page_shows_its_answers_and_no_form_to_change_them(
    at_the_seam: Page, browser: Browser
) -> None:
    browser.go_on(at_the_seam)

    page = browser.get(question_path(Assessment.objects.get(), 1))

    assert page.status == 200
    assert "the next questions were chosen by it" in page.text
    assert "<button type=submit" not in page.text.replace('"', "")
    assert page.text.count("checked") >= 8


def test_reload_and_return_show_the_same_statements(at_the_seam: Page, browser: Browser) -> None:
    first = browser.go_on(at_the_seam)
    attempt = Assessment.objects.get()
    shown = stage_2(attempt)

    again = browser.get(question_path(attempt, SEAM))
    resumed = browser.follow(browser.get(f"/{attempt.project.project_id}/assessment"))

    assert first.form.questions == again.form.questions == resumed.form.questions
    assert stage_2(attempt) == shown


def test_a_whole_attempt_recommends_by_fields_and_quotes_the_answers(
    project: Project, browser: Browser
) -> None:
    for code, fields in (("MEC", ["machines"]), ("OFF", ["office"]), ("CSE", ["computers"])):
        CourseFactory.create(project=project, code=code, name=code, fields=fields)

    attempt = answered_until(project, 100)

    assert attempt.completed_at is not None
    assert attempt.recommendations is not None
    assert attempt.profile is not None
    assert [course["code"] for course in attempt.recommendations] == ["MEC", "CSE", "OFF"]
    assert attempt.profile["fields"].keys() == FIELDS.keys()
    [first, *_] = attempt.recommendations[0]["reasons"]
    assert (first["code"], first["about"], first["answer"]) == (
        "loved_statement",
        "int-mixer",
        5.0,
    )
