"""The stream question: when it is asked, what it stores, and the way before and after it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from assessments.models import Assessment, Course
from assessments.models.attempts import AttemptEnded, NotShown
from partners.models import Project
from tests.assessments.attempts import issue, question_path, started
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory
from tests.support.browser import Browser, Page

ASKED = "Your subjects in class 11 and 12"
FROM_THE_START = ["science-maths", "science-biology", "commerce", "arts", "other"]

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def physics(project: Project) -> Course:
    """Publish the bank that ranks by fields; give a course that requires maths."""
    publish_field_bank()
    return CourseFactory.create(
        project=project,
        name="BSc Physics",
        fields=["physical_science"],
        required_streams=["science-maths"],
    )


@pytest.fixture
def asked(project: Project, browser: Browser) -> Page:
    """Start an attempt; give the page that follows."""
    return browser.start(issue(project)[1])


def subjects_path(attempt: Assessment) -> str:
    return reverse("subjects", args=[attempt.project.project_id])


def stored() -> str:
    return Assessment.objects.get().stream


def test_the_answer_renews_the_cookie(asked: Page, browser: Browser) -> None:
    attempt = Assessment.objects.get()
    attempt.extend(attempt.finish_by_at + timedelta(days=5), actor="staff:1")

    browser.send(asked, {"answer": "commerce"})

    expected = timedelta(days=13).total_seconds()
    assert expected - 60 < int(browser.client.cookies["attempt"]["max-age"]) <= expected
    assert stored() == "commerce"


def test_the_question_comes_before_the_first_section(asked: Page, browser: Browser) -> None:
    assert (asked.name, asked.heading, asked.place) == ("question", ASKED, "/subjects")
    assert asked.form.questions == ["answer"]
    assert asked.form.offered("answer") == FROM_THE_START
    assert "answer" not in asked.form.filled
    assert "we consider them all" in asked.text
    assert stored() == ""

    section = browser.press(asked, {"answer": "commerce"})

    assert (section.name, section.place) == ("section", "/1")
    assert "0 of 37 answered" in section.text
    assert stored() == "commerce"


@pytest.mark.parametrize("answer", FROM_THE_START)
def test_every_answer_is_stored(asked: Page, browser: Browser, answer: str) -> None:
    browser.press(asked, {"answer": answer})

    assert stored() == answer


def test_a_double_tap_stores_one_answer_and_leads_to_the_same_page(
    asked: Page, browser: Browser
) -> None:
    first = browser.send(asked, {"answer": "arts"})
    second = browser.send(asked, {"answer": "arts"})

    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location == question_path(Assessment.objects.get(), 1)
    assert stored() == "arts"


def test_the_script_gets_the_next_address_as_json(asked: Page, browser: Browser) -> None:
    answer = browser.send(asked, {"answer": "arts"}, headers={"Accept": "application/json"})

    assert answer.response.json() == {"next": question_path(Assessment.objects.get(), 1)}


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "Choose your subjects"),
        ({"answer": ""}, "Choose your subjects"),
        ({"answer": "maths"}, "Choose one of the answers shown."),
        ({"answer": "other\0"}, "Choose one of the answers shown."),
        ({"answer": "1"}, "Choose one of the answers shown."),
    ],
)
def test_without_a_valid_answer_the_page_comes_back_and_says_so(
    asked: Page, browser: Browser, sent: dict[str, str], says: str
) -> None:
    page = browser.send(asked, sent)

    assert (page.status, page.name, page.heading) == (400, "question", ASKED)
    assert page.text.count(says) == 2  # in the summary, and beside the answers
    assert 'href="#answer-1"' in page.text
    assert stored() == ""


def test_an_invalid_answer_keeps_the_stored_one_ticked(asked: Page, browser: Browser) -> None:
    browser.press(asked, {"answer": "arts"})

    page = browser.send(asked, {"answer": "maths"})

    assert page.form.filled["answer"] == "arts"
    assert stored() == "arts"


def test_back_from_the_first_section_leads_to_the_answer_which_may_change(
    asked: Page, browser: Browser
) -> None:
    section = browser.press(asked, {"answer": "arts"})
    attempt = Assessment.objects.get()
    assert f'class="back" href="{subjects_path(attempt)}"' in section.text

    again = browser.get(subjects_path(attempt))
    assert again.form.filled["answer"] == "arts"
    browser.press(again, {"answer": "commerce"})

    assert stored() == "commerce"


def test_the_answer_may_change_until_the_end_and_leads_back_to_where_the_student_was(
    asked: Page, browser: Browser
) -> None:
    page = browser.go_on(browser.press(asked, {"answer": "arts"}))
    page = browser.go_on(page, choice=2)
    attempt = Assessment.objects.get()

    changed = browser.send(browser.get(subjects_path(attempt)), {"answer": "other"})

    assert changed.location == question_path(attempt, 9)
    assert stored() == "other"


def test_every_way_into_an_unanswered_attempt_leads_to_the_question(
    project: Project, asked: Page, browser: Browser
) -> None:
    attempt = Assessment.objects.get()
    form = {"assessment": attempt.assessment_id}
    first = question_path(attempt, 1)

    ways = [
        browser.get(f"/{project.project_id}/assessment"),
        browser.get(first),
        browser.get(question_path(attempt, 38)),
        browser.post(first, {**form, "begin": "yes"}),
        browser.post(first, {**form, "answer-1": "1"}),
    ]

    assert {page.location for page in ways} == {subjects_path(attempt)}
    assert not attempt.answers.exists()


def test_the_model_refuses_to_begin_without_an_answer(project: Project) -> None:
    attempt = started(project)

    with pytest.raises(NotShown):
        attempt.begin_section(1)

    attempt.choose_stream("other")
    attempt.begin_section(1)
    assert attempt.answers.count() == 8


def test_nothing_is_asked_where_no_active_course_requires_subjects(
    project: Project, physics: Course, browser: Browser
) -> None:
    CourseFactory.create(project=project, required_streams=[])
    physics.is_active = False
    physics.save()

    page = browser.start(issue(project)[1])

    assert (page.name, page.place) == ("section", "/1")
    assert 'class="back"' not in page.text


def test_another_projects_courses_do_not_count(physics: Course, browser: Browser) -> None:
    other = CourseFactory.create().project

    assert browser.start(issue(other)[1]).name == "section"


def test_a_catalogue_that_changes_meanwhile_interrupts_nobody(
    project: Project, physics: Course, browser: Browser
) -> None:
    Course.objects.update(required_streams=[])
    page = browser.go_on(browser.start(issue(project)[1]))
    Course.objects.update(required_streams=["science-maths"])

    page = browser.go_on(page, choice=2)
    attempt = Assessment.objects.get()
    asked = browser.get(subjects_path(attempt))

    assert page.place == "/9"
    assert asked.location == question_path(attempt, 9)
    assert stored() == ""


def test_a_post_without_the_csrf_token_is_refused(asked: Page, browser: Browser) -> None:
    page = browser.send(asked, {"answer": "arts", "csrfmiddlewaretoken": "x" * 32})

    assert page.status == 403
    assert stored() == ""


def test_the_form_of_another_attempt_changes_nothing(asked: Page, browser: Browser) -> None:
    page = browser.send(asked, {"answer": "arts", "assessment": "asm_another"})

    assert (page.status, page.name) == (409, "error-409")
    assert stored() == ""


def test_a_browser_without_the_attempt_sees_nothing(asked: Page) -> None:
    attempt = Assessment.objects.get()

    page = Browser().get(subjects_path(attempt))

    assert page.status == 403
    assert ASKED not in page.text


def test_an_attempt_that_ended_is_not_changed(asked: Page, browser: Browser) -> None:
    attempt = Assessment.objects.get()
    attempt.abandon()

    sent = browser.send(asked, {"answer": "arts"})
    got = browser.get(subjects_path(attempt))

    assert (sent.status, sent.name) == (409, "error-409")
    assert got.location == reverse("assessment", args=[attempt.project.project_id])
    assert stored() == ""
    with pytest.raises(AttemptEnded):
        attempt.choose_stream("arts")


def test_an_attempt_past_its_finish_by_is_not_changed(project: Project) -> None:
    attempt = started(project)

    with pytest.raises(AttemptEnded):
        attempt.choose_stream("arts", at=timezone.now() + timedelta(days=2))

    assert stored() == ""


def test_only_known_answers_are_stored(project: Project) -> None:
    attempt = started(project)

    with pytest.raises(ValueError, match="no answer to the stream question"):
        attempt.choose_stream("maths")
    with pytest.raises(IntegrityError, match="assessment_stream_known"), transaction.atomic():
        Assessment.objects.update(stream="maths")

    assert stored() == ""


def test_the_page_is_in_the_language_of_the_attempt(project: Project, browser: Browser) -> None:
    page = browser.press(
        browser.open(f"{issue(project)[1]}&language=hi"), {"consent": "yes", "language": "hi"}
    )

    assert page.heading == "क्लास 11 और 12 के आपके विषय"
    assert "कॉमर्स" in page.text
