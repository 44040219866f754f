"""The question about subjects, and the courses that a student's subjects do not open."""

from datetime import timedelta

import pytest

from assessments.models import Attempt, Course
from assessments.models.attempts import AttemptEnded, NotShown
from tests.assessments.attempts import inside, issue, question_path, started
from tests.assessments.two_stages import answered_until, publish_field_bank
from tests.factories import CourseFactory

ASKED = "Your subjects in class 11 and 12"
SUBJECTS = [
    *("science-maths", "science-biology", "science-maths-biology"),
    *("commerce", "arts", "other"),
]

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def physics(project):
    """Publish the bank that ranks by fields; give a course that requires maths."""
    publish_field_bank()
    return CourseFactory.create(
        project=project, fields=["physical_science"], required_streams=["science-maths"]
    )


@pytest.fixture
def asked(project, browser):
    """Start an attempt; give the page that follows."""
    return browser.start(issue(project)[1])


def test_a_course_for_others_asks_nobody_for_subjects(physics, project, browser):
    CourseFactory.create(project=project)
    type(physics).objects.filter(pk=physics.pk).update(entry_level="degree")

    section = browser.start(issue(project)[1])

    assert (section.name, section.place) == ("section", "/1")


@pytest.fixture
def attempt(asked):
    return Attempt.objects.get()


def stored():
    return Attempt.objects.get().stream


@pytest.mark.sqlite
def test_the_question_comes_before_the_first_section(asked, attempt, browser):
    assert (asked.name, asked.heading, asked.place) == ("question", ASKED, "/subjects")
    assert asked.form.questions == ["answer"]
    assert asked.form.offered("answer") == SUBJECTS
    assert "answer" not in asked.form.filled
    assert stored() == ""
    address = inside("subjects", attempt)
    for answer in SUBJECTS:
        section = browser.press(browser.get(address), {"answer": answer})

        assert (section.name, section.place) == ("section", "/1")
        assert "0 of 37 answered" in section.text
        assert f'class="back" href="{address}"' in section.text
        assert stored() == browser.get(address).form.filled["answer"] == answer


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", "arts"])
@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({}, "Choose your subjects"),
        ({"answer": ""}, "Choose your subjects"),
        ({"answer": "maths"}, "Choose one of the answers shown."),
        ({"answer": "other\0"}, "Choose one of the answers shown."),
        ({"answer": "1"}, "Choose one of the answers shown."),
    ],
)
def test_an_invalid_answer_brings_the_page_back_with_the_stored_one_ticked(
    asked, browser, before, sent, error
):
    Attempt.objects.update(stream=before)

    page = browser.send(asked, sent)

    assert (page.status, page.name, page.heading) == (400, "question", ASKED)
    assert page.text.count(error) == 2  # in the summary, and beside the answers
    assert 'href="#answer-1"' in page.text
    assert page.form.filled.get("answer", "") == stored() == before


def test_every_way_into_an_unanswered_attempt_leads_to_the_question(attempt, browser):
    first = question_path(attempt, 1)

    ways = [
        *map(browser.get, (inside("attempt", attempt), first)),
        browser.get(question_path(attempt, 38)),
        browser.post(first, {"begin": "yes"}),
        browser.post(first, {"answer-1": "1"}),
    ]

    assert {page.location for page in ways} == {inside("subjects", attempt)}
    assert not attempt.answers.exists()
    with pytest.raises(NotShown):
        attempt.begin_section(1)
    attempt.choose_stream("other")
    attempt.begin_section(1)
    assert attempt.answers.count() == 8


def test_after_a_move_to_another_browser_no_answer_is_shown(
    asked, attempt, browser, other_browser, project
):
    browser.press(asked, {"answer": "arts"})
    other_browser.start(issue(project)[1], start="continue")

    assert "answer" not in other_browser.open(inside("subjects", attempt)).form.filled


def test_an_attempt_that_ended_is_not_changed(asked, attempt, browser):
    attempt.abandon()

    sent = browser.send(asked, {"answer": "arts"})

    assert (sent.status, sent.name) == (409, "error-409")
    home = inside("attempt", attempt)
    assert browser.get(inside("subjects", attempt)).location == home
    assert stored() == ""


def test_the_model_refuses_an_answer_that_comes_too_late(project):
    attempt = started(project)

    for at in (attempt.finish_by_at, attempt.finish_by_at + timedelta(days=1)):
        with pytest.raises(AttemptEnded):
            attempt.choose_stream("arts", at=at)
    attempt.abandon()
    with pytest.raises(AttemptEnded):
        attempt.choose_stream("arts")

    assert stored() == ""


MATHS, BIOLOGY = "science-maths", "science-biology"
CATALOGUE = {
    "MEC": {"fields": ["machines"], "required_streams": [MATHS]},
    "CIV": {"fields": ["building"], "required_streams": [MATHS, BIOLOGY]},
    "AGR": {"fields": ["nature"], "required_streams": [BIOLOGY]},
    "ART": {"fields": ["art"]},
    "LAW": {"fields": ["law"]},
}


def test_only_the_profile_keeps_what_is_left_out(project):
    Course.objects.all().delete()
    for code, facts in CATALOGUE.items():
        CourseFactory.create(project=project, code=code, name=f"Course {code}", **facts)
    attempt = started(project)
    attempt.choose_stream("arts")
    attempt = answered_until(project, 100, attempt)

    first, *rest = attempt.profile["other_subjects"]
    assert {*attempt.recommended_names} == {"Course ART", "Course LAW"}
    assert first == {"code": "MEC", "name": "Course MEC", "streams": [MATHS]}
    assert {each["code"] for each in rest} == {"CIV", "AGR"}


@pytest.mark.parametrize(("ticked", "kept"), [({"answer": "commerce"}, "commerce"), ({}, "")])
def test_a_switch_of_language_stores_what_is_ticked(asked, attempt, browser, ticked, kept):
    page = browser.press(asked, {"to-language": "en", **ticked})

    assert page.asks_subjects
    assert stored() == kept
