"""Five courses that are not five times the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.measurement.bank import Ranking
from assessments.measurement.courses import CourseRatings
from assessments.measurement.profile import Profile
from assessments.measurement.recommendation import recommend_by_types
from assessments.measurement.type_fit import TypeFit, diversify
from tests.assessments.profiles import MIXED, RANKING, WEIGHTS, demo_courses, simulated, student

CATALOGUE = demo_courses()
LIKES_NUMBERS = student((-1, 1, -1, -1, 0.5, 1.5))
# Three shapes: two that are the opposite of each other, one that is unlike both.
UP, DOWN, ACROSS = (1.0, -1.0, 0.0), (-1.0, 1.0, 0.0), (-1.0, -1.0, 2.0)


def fit(code: str, score: float, shape: tuple[float, ...] = UP, department: str = "") -> TypeFit:
    course = CourseRatings(code, code, 1, (3, 0, 0, 0, 0, 0), department=department)
    return TypeFit(course, score, 0.0, 0.5, 0.0, shape)


def picked(fits: list[TypeFit], ranking: Ranking, count: int = 5) -> str:
    return " ".join(each.course.code for each in diversify(fits, ranking, count))


def test_a_twin_loses_a_fifth_of_its_score_s_scale() -> None:
    def second(score_of_other: float) -> str:
        fits = [fit("A", 0.9), fit("TWIN", 0.88), fit("OTHER", score_of_other, ACROSS)]
        return picked(fits, Ranking(diversity=0.2)).split()[1]

    assert second(0.69) == "OTHER"
    assert second(0.67) == "TWIN"


def test_at_most_two_of_a_department_come_among_the_first_five() -> None:
    fits = [
        *(fit(code, 0.9 - n / 100, UP, "One") for n, code in enumerate("ABCD")),
        *(fit(code, 0.84 - n / 100, UP, "Two") for n, code in enumerate("XY")),
        fit("Z", 0.5, UP, "Three"),
    ]
    ranking = Ranking(per_department=2)

    assert picked(fits, ranking) == "A B X Y Z"
    assert picked(fits, ranking, 7) == "A B X Y Z C D"


@pytest.mark.parametrize(("lead", "expected"), [(0.1, "A B C X"), (0.11, "A B X C")])
def test_a_third_one_that_leads_clearly_is_taken(lead: float, expected: str) -> None:
    fits = [
        *(fit(code, 0.9, UP, "One") for code in "ABC"),
        fit("X", 0.8, UP, "Two"),
    ]

    assert picked(fits, Ranking(per_department=2, department_lead=lead)) == expected


def test_the_demo_s_departments_are_spread() -> None:
    chosen = {each.code for each in recommend_by_types(LIKES_NUMBERS, CATALOGUE, WEIGHTS, RANKING)}
    departments = [course.department for course in CATALOGUE if course.code in chosen]

    assert max(departments.count(each) for each in departments) <= 2


STUDENTS = st.integers(0, 10_000).map(lambda seed: simulated(random.Random(seed), 0.3))


@settings(max_examples=60)
@given(STUDENTS, st.integers(0, 10), st.sampled_from([Ranking(), RANKING]))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(
    anyone: Profile, count: int, ranking: Ranking
) -> None:
    longest = recommend_by_types(anyone, CATALOGUE, WEIGHTS, ranking, 10)

    assert recommend_by_types(anyone, CATALOGUE, WEIGHTS, ranking, count) == longest[:count]


@given(STUDENTS)
def test_the_best_course_comes_first_and_none_comes_twice(anyone: Profile) -> None:
    plain = recommend_by_types(anyone, MIXED, WEIGHTS, count=9)
    spread = recommend_by_types(anyone, MIXED, WEIGHTS, RANKING, count=9)

    assert spread[0].code == plain[0].code
    assert sorted(each.code for each in spread) == sorted(each.code for each in plain)
