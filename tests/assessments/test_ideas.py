"""What the student is already thinking of: asked before the puzzles, answered on the result."""

import re

import pytest
from django.utils import timezone
from django.utils.html import escape

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.plans import plan_rows
from assessments.models import Attempt, CatalogueSnapshot, Course, PrivateLink
from assessments.models.course_choices import MAX_OFFERED, MIN_OFFERED, offered_courses
from assessments.student import subjects_and_ideas
from measurement.recommendation import FITS
from measurement.wording import ENGLISH
from partners.models import Project
from tests.assessments.attempts import inside, issue
from tests.factories import BY, CourseFactory

pytestmark = [pytest.mark.usefixtures("bank")]
NAMED = ["BSC-PHY", "BA-ENG"]


@pytest.fixture
def asked(project, browser, demo_catalogue):
    """Answer the pages before the puzzles; give the page that asks."""
    Course.objects.update(required_streams=[])
    return until_asked(browser, project)


def until_asked(browser, project, **details):
    page = browser.start(issue(project, **details)[1])
    while page.name in {"section", "question"} and 'name="answer"' not in page.text:
        page = browser.go_on(page)
    return page


def stored():
    return Attempt.objects.get().considered


@pytest.mark.sqlite
def test_named_courses_are_stored_ranked_and_answered(asked, browser, project):
    assert (asked.name, asked.place) == ("ideas", "/ideas")
    assert len(asked.form.offered("course")) == 24

    section = browser.press(asked, {"course": NAMED})

    assert section.name == "section"
    assert stored() == NAMED
    assert inside("ideas", Attempt.objects.get()) in section.text
    result = browser.finish(section)
    attempt = Attempt.objects.get()
    assert attempt.profile
    said = attempt.profile["considered"]
    assert [each["code"] for each in said] == NAMED
    assert {each["fit"] for each in said} <= set(FITS)
    assert len(attempt.profile["unnamed"]) == 10
    assert attempt.rescore() == (attempt.profile, attempt.recommendations)
    for each in said:
        assert each["name"] in result.text
        assert escape(ENGLISH.fits[each["fit"]]) in result.text
    naming = {each["code"]: each["naming"] for each in attempt.recommendations or []}
    assert all(naming[code] == (0.5 if code in NAMED else 0) for code in naming)


def test_naming_none_is_an_answer_and_is_not_asked_again(asked, browser):
    section = browser.press(asked)

    assert (section.name, stored()) == ("section", [])
    result = browser.finish(section)
    assert 'id="ideas"' not in result.text
    assert "considered" not in (Attempt.objects.get().profile or {})


def test_something_that_is_not_listed_is_stored_and_answered_on_the_result(asked, browser):
    section = browser.press(asked, {"unlisted": "yes"})

    assert (stored(), Attempt.objects.get().considers_unlisted) == ([], True)
    again = browser.get(inside("ideas", Attempt.objects.get()))
    assert again.form.filled["unlisted"] == "yes"
    assert 'id="ideas"' in browser.finish(section).text


def test_who_read_an_older_notice_is_not_asked_for_it(asked, browser):
    Attempt.objects.update(consent_version="2026-11-27.2 en")
    path = inside("ideas", Attempt.objects.get())
    assert browser.get(path).form.offered("unlisted") == []

    browser.post(path, {"course": NAMED, "unlisted": "yes"})

    assert (stored(), Attempt.objects.get().considers_unlisted) == (NAMED, None)


def test_departments_are_folded_but_those_with_a_tick(asked, browser):
    browser.press(asked, {"course": NAMED})

    again = browser.get(inside("ideas", Attempt.objects.get()))

    assert asked.text.count("<details") == again.text.count("<details") == 11
    assert len(re.findall(r"<details[^>]* open>", asked.text)) == 0
    assert len(re.findall(r"<details[^>]* open>", again.text)) == 2


def test_the_button_of_the_puzzles_does_not_skip_it_and_it_offers_the_courses_of_today(
    asked, browser, project
):
    attempt = Attempt.objects.get()
    puzzle, ideas = attempt.cached_bank.layout.find("aptitude").first, inside("ideas", attempt)

    answer = browser.post(inside("question", attempt, puzzle), {"begin": ""})
    for_graduates = {"code": NAMED[0], "name": "Physics", "entry_level": "degree"}
    plan = plan_rows(project.courses.as_data(), [for_graduates], add=True)
    Catalogue(project).apply(plan, "courses.loaded", by=BY)
    offered = browser.get(ideas).form.offered("course")
    browser.press(asked, {"course": NAMED[1:]})
    Attempt.objects.update(continuations=1, answers_hidden_until="2026-11-27T10:00:00Z")

    assert (answer.location, len(offered), NAMED[0] in offered) == (ideas, 23, False)
    assert not attempt.read_answers().visible(puzzle)
    assert "checked" not in browser.open(ideas).text  # after a move no choice is shown


def test_courses_are_read_once_after_a_change_of_them_was_kept(asked, django_assert_num_queries):
    attempt = Attempt.objects.get()
    of_today = attempt.project.courses.recommendable().as_data()
    offered_courses(attempt)

    with django_assert_num_queries(1) as reading:
        offered = offered_courses(attempt)

    assert "assessments_course" not in reading.captured_queries[0]["sql"]
    assert [course.code for course in offered] == [course.code for course in of_today]


def test_the_page_before_it_sent_again_later_leads_to_the_page_after_it(asked, browser):
    attempt = Attempt.objects.get()
    layout = attempt.cached_bank.layout
    puzzle = layout.find("aptitude").first
    first = layout.section_at(puzzle - 1).page_first(puzzle - 1)
    before = browser.get(inside("question", attempt, first))
    browser.go_on(browser.go_on(browser.press(asked)))
    assert Attempt.objects.get().read_answers().resume_position > puzzle

    again = browser.go_on(before)

    assert again.place == f"/{puzzle}"


@pytest.mark.parametrize("gone", [NAMED[1:], NAMED])
def test_a_course_that_went_after_the_page_was_checked_is_left_out(
    asked, browser, monkeypatch, gone
):
    before = offered_courses(Attempt.objects.get())
    monkeypatch.setattr(subjects_and_ideas, "offered_courses", lambda attempt: before)
    Course.objects.filter(code__in=gone).update(is_active=False)
    CatalogueSnapshot.objects.of(Project.objects.get()).make_current(timezone.now())

    section = browser.press(asked, {"course": NAMED})

    assert (section.name, stored()) == ("section", NAMED)
    browser.finish(section)
    attempt = Attempt.objects.get()
    left = [each["code"] for each in (attempt.profile or {}).get("considered", [])]
    assert left == [code for code in NAMED if code not in gone]
    to_share = browser.get(inside("private-link", attempt))
    assert ('name="ideas"' in to_share.text) is bool(left)


def test_a_wrong_choice_comes_back_ticked_and_stores_nothing(asked, browser):
    for codes, error in (
        (["BSC-PHY", "BA-ENG", "BA-PSY", "BA-ECO"], "Choose at most 3 courses."),
        (["no such course"], "The list of courses has changed."),
        (["BSC-PHY", "\0"], "The list of courses has changed."),
    ):
        page = browser.send(asked, {"course": codes})

        assert (page.status, page.name) == (400, "ideas")
        assert error in page.text
        assert set(page.form.filled.get("course", [])) or codes[0] not in page.text
        assert stored() is None


@pytest.mark.parametrize("count", [MIN_OFFERED - 1, MAX_OFFERED + 1])
def test_it_is_not_asked_with_too_few_or_too_many_courses(project, browser, count):
    CourseFactory.create_batch(count, project=project, fields=["art"])

    page = until_asked(browser, project)

    assert page.name == "section" or 'name="answer"' in page.text
    assert stored() is None


def test_the_shared_page_shows_them_only_if_the_student_ticked_it(asked, browser, other_browser):
    result = browser.finish(browser.press(asked, {"course": NAMED}))
    form = browser.get(inside("private-link", Attempt.objects.get()))
    assert 'name="ideas"' in form.text
    assert result.name == "result"
    attempt = Attempt.objects.get()

    for ticked in (False, True):
        newest = attempt.private_links.first()
        _, key = PrivateLink.objects.make(
            attempt,
            with_puzzles=False,
            with_ideas=ticked,
            seen_version=newest.version if newest else "",
        )
        page = other_browser.get(f"/{attempt.project.project_id}/result?key={key}")
        assert ('id="ideas"' in page.text) is ticked
        assert ("Named before the result" in page.text) <= ticked


def test_an_erased_student_has_named_nothing(asked, browser):
    browser.finish(browser.press(asked, {"course": NAMED, "unlisted": "yes"}))
    attempt = Attempt.objects.get()

    attempt.student.erase(reason="asked by letter", by=BY)

    attempt.refresh_from_db()
    assert attempt.considered is attempt.considers_unlisted is None
    assert attempt.profile
    assert not {"considered", "unnamed"} & attempt.profile.keys()
