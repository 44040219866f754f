"""The demo's catalogue: sound, told apart, and every course within somebody's reach."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from assessments.catalogue.courses_file import COLUMNS, OPTIONAL_COLUMNS
from assessments.measurement.courses import BUILT_IN_MEANS, standardise
from assessments.measurement.recommendation import rank, recommend
from tests.assessments.profiles import (
    DEMO_FILE,
    RANKING,
    WEIGHTS,
    demo_courses,
    simulated,
    student,
)

COURSES = demo_courses()


def test_the_file_has_every_column_of_load_courses() -> None:
    header = DEMO_FILE.read_text(encoding="utf-8").splitlines()[0]

    assert header == ",".join((*COLUMNS, *OPTIONAL_COLUMNS))


def test_twenty_four_courses_each_with_a_code_name_and_place_of_its_own() -> None:
    for values in zip(*((c.code, c.name, c.order) for c in COURSES), strict=True):
        assert len(set(values)) == 24


def test_ratings_say_something_and_no_two_courses_are_alike() -> None:
    for course in COURSES:
        assert set(course.ratings) <= {0, 1, 2, 3}
        assert len(set(course.ratings)) > 1
        assert max(course.ratings) >= 2
    assert len({course.ratings for course in COURSES}) == 24
    assert len({tuple(round(z, 6) for z in shape) for shape in standardise(COURSES)}) == 24


def test_every_course_says_what_it_asks_and_how_it_is_taught() -> None:
    for course in COURSES:
        assert course.demands
        assert course.entry_level
        assert course.department
        assert course.delivery


def test_the_built_in_means_are_those_of_this_catalogue() -> None:
    for k, mean in enumerate(BUILT_IN_MEANS):
        assert mean == pytest.approx(sum(c.ratings[k] for c in COURSES) / 24, abs=0.05)


@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_every_course_is_reached_and_none_swamps_the_others(shared: float) -> None:
    """A thousand students with normal interests, independent ones and correlated ones."""
    rng = random.Random(2026)
    reached: Counter[str] = Counter()

    for _ in range(1000):
        five = recommend(simulated(rng, shared), COURSES, WEIGHTS, RANKING)
        reached.update(each.code for each in five)

    assert set(reached) == {course.code for course in COURSES}
    assert max(reached.values()) <= 400
    assert sum(reached.values()) == 5000


def test_a_student_in_proportion_to_any_course_ranks_it_first_on_interest() -> None:
    for course, shape in zip(COURSES, standardise(COURSES), strict=True):
        fits = rank(student(shape), COURSES, WEIGHTS, 1.0)

        assert max(fits, key=lambda fit: fit.interest).course == course
