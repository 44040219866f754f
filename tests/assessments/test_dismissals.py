"""Courses that a student removes: the next best takes the place, in the student's view alone."""

import pytest

from assessments.models import Attempt
from assessments.models.course_choices import dismiss, restore, visible_courses
from tests.assessments.attempts import completed, liking, started
from tests.factories import BY
from tests.support.threads import race_in_rounds

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db, pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project, demo_catalogue):
    return completed(started(project), choice=liking("social"))


def shown(attempt):
    return [course["code"] for course in visible_courses(attempt).shown]


def removed(attempt):
    return [course["code"] for course in visible_courses(attempt).dismissed]


def test_the_next_best_course_takes_the_place_in_the_view_alone(attempt):
    before, recommendations = shown(attempt), attempt.recommendations
    sixth = attempt.rescore(further=2)[1][5]

    dismiss(attempt, before[1])

    after = visible_courses(attempt).shown
    assert [each["code"] for each in after] == [before[0], *before[2:], sixth["code"]]
    assert after[-1] == sixth
    dismiss(attempt, sixth["code"])
    assert sixth["code"] not in shown(attempt)
    assert len(shown(attempt)) == 5
    assert removed(attempt) == Attempt.objects.get().dismissed == [before[1], sixth["code"]]
    assert Attempt.objects.get().recommendations == recommendations


@pytest.mark.parametrize("code", ["", "NO-SUCH-COURSE", "x" * 5000])
def test_a_course_that_is_not_shown_cannot_be_dismissed(attempt, code):
    dismiss(attempt, code)
    restore(attempt, code)
    assert Attempt.objects.get().dismissed == []


def test_an_erasure_forgets_them_and_a_tab_that_was_open_before_stores_nothing(attempt):
    first, second, *_ = shown(attempt)
    dismiss(attempt, first)
    tab = Attempt.objects.get()

    attempt.student.erase(by=BY)

    assert Attempt.objects.get().dismissed == []
    dismiss(tab, second)
    restore(tab, first)
    assert Attempt.objects.get().dismissed == []


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_dismiss_at_once_lose_nothing(attempt):
    codes = shown(attempt)[:4]

    def tab(place):
        return lambda number: dismiss(Attempt.objects.get(), codes[2 * number + place])

    race_in_rounds([tab(0), tab(1)], rounds=2)
    assert set(Attempt.objects.get().dismissed) == set(codes)
