"""Courses that a student removes: the next best takes the place, in the student's view alone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from assessments.catalogue.courses_file import parse
from assessments.models import Assessment, AssessmentLink
from assessments.models.catalogues import Catalogue
from assessments.models.dismissals import dismiss, restore, visible_courses
from config.management.commands.demo import COURSES
from partners.models import Project
from tests.assessments.attempts import completed, liking, started
from tests.assessments.partner import RESULTS, Backend
from tests.assessments.racing import race
from tests.factories import CourseFactory

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db, pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project: Project) -> Assessment:
    """Give a completed attempt with five recommendations."""
    Catalogue(project).load(parse(COURSES.read_bytes()), actor="command:tests")
    return completed(started(project), choice=liking("social"))


def shown(attempt: Assessment) -> list[str]:
    return [course["code"] for course in visible_courses(attempt).shown]


def removed(attempt: Assessment) -> list[str]:
    return [course["code"] for course in visible_courses(attempt).dismissed]


def test_the_next_best_course_takes_the_place(
    attempt: Assessment,
) -> None:
    before = shown(attempt)
    further = attempt.rescore(further=2)[1]

    assert dismiss(attempt, before[1])

    after = visible_courses(attempt).shown
    assert [course["code"] for course in after] == [
        before[0], *before[2:], further[5]["code"],
    ]  # fmt: skip
    assert after[-1] == further[5]


def test_the_stored_recommendations_stay_and_the_partner_reads_them(
    attempt: Assessment, api: Backend
) -> None:
    stored = attempt.recommendations

    dismiss(attempt, shown(attempt)[0])

    attempt.refresh_from_db()
    assert attempt.recommendations == stored
    [record] = json.loads(api.post(RESULTS, api.results_body()).content)
    assert record["Recommendations"] == [course["name"] for course in stored]


def test_a_course_that_came_up_can_be_dismissed_too(attempt: Assessment) -> None:
    first = shown(attempt)[0]
    dismiss(attempt, first)
    came_up = shown(attempt)[-1]

    assert dismiss(attempt, came_up)

    assert came_up not in shown(attempt)
    assert len(shown(attempt)) == 5
    assert removed(attempt) == [first, came_up]


def test_it_can_be_undone_and_the_course_has_its_place_again(attempt: Assessment) -> None:
    before = shown(attempt)
    dismiss(attempt, before[2])

    assert restore(attempt, before[2])

    assert shown(attempt) == before
    assert Assessment.objects.get(pk=attempt.pk).dismissed == []


def test_a_double_tap_removes_one_course(attempt: Assessment) -> None:
    first = shown(attempt)[0]

    assert [dismiss(attempt, first), dismiss(attempt, first)] == [True, False]
    assert attempt.dismissed == [first]
    assert [restore(attempt, first), restore(attempt, first)] == [True, False]


@pytest.mark.parametrize("code", ["", "NO-SUCH-COURSE", "x" * 5000])
def test_a_course_that_is_not_shown_cannot_be_dismissed(attempt: Assessment, code: str) -> None:
    assert dismiss(attempt, code) is False
    assert restore(attempt, code) is False
    assert Assessment.objects.get(pk=attempt.pk).dismissed == []


def test_when_the_catalogue_is_used_up_the_list_gets_shorter(project: Project) -> None:
    for code in "AB":
        CourseFactory.create(project=project, code=code)
    attempt = completed(started(project))

    dismiss(attempt, "A")
    assert shown(attempt) == ["B"]
    dismiss(attempt, "B")

    assert (shown(attempt), removed(attempt)) == ([], ["A", "B"])


def test_a_later_change_of_the_catalogue_changes_nothing(
    attempt: Assessment, project: Project
) -> None:
    dismiss(attempt, shown(attempt)[0])
    before = shown(attempt)

    project.courses.update(is_active=False)

    assert shown(attempt) == before


def test_an_erasure_forgets_what_was_dismissed(attempt: Assessment) -> None:
    dismiss(attempt, shown(attempt)[0])

    attempt.student.erase(actor="command:tests")

    attempt.refresh_from_db()
    assert attempt.dismissed == []


def test_a_tab_that_was_open_before_an_erasure_stores_nothing(attempt: Assessment) -> None:
    tab = Assessment.objects.get(pk=attempt.pk)
    attempt.student.erase(actor="command:tests")

    assert dismiss(tab, shown(tab)[0]) is False
    assert Assessment.objects.get(pk=attempt.pk).dismissed == []


def test_a_tab_that_was_open_before_a_deletion_changes_nothing(attempt: Assessment) -> None:
    tab = Assessment.objects.get(pk=attempt.pk)
    attempt.answers.all().delete()
    AssessmentLink.objects.filter(assessment=attempt).delete()
    Assessment.objects.filter(pk=attempt.pk).delete()

    assert dismiss(tab, "ANY") is False
    assert restore(tab, "ANY") is False


def test_an_attempt_without_a_result_has_no_courses_to_show(project: Project) -> None:
    with pytest.raises(ValueError, match="is not completed"):
        visible_courses(started(project))


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_dismiss_at_once_lose_nothing(attempt: Assessment) -> None:
    codes = shown(attempt)[:4]

    def tab(place: int) -> Callable[[int], bool]:
        return lambda number: dismiss(
            Assessment.objects.get(pk=attempt.pk), codes[2 * number + place]
        )

    outcomes = race([tab(0), tab(1)], rounds=2)

    assert outcomes == [[True, True]] * 2
    assert set(Assessment.objects.get(pk=attempt.pk).dismissed) == set(codes)
