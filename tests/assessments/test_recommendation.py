"""How well courses fit a student, and their order before they are spread out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.measurement.course_fit import preference_fit
from assessments.measurement.courses import CourseRatings, pearson, standardise
from assessments.measurement.profile import Profile
from assessments.measurement.recommendation import Recommendation, recommend_by_types
from assessments.measurement.scales import FACETS
from assessments.measurement.type_fit import aptitude_fit, combined_score, rank_by_types
from tests.assessments.profiles import MIXED, WEIGHTS, demo_courses, student


def profile(*z: float) -> Profile:
    return student(z)


def codes(recommendations: Sequence[Recommendation]) -> list[str]:
    return [each.code for each in recommendations]


# By hand: deviations (-1,0,1), (-1,1,0): 1 / (root 2 * root 2); and so on.
@pytest.mark.parametrize(
    ("xs", "ys", "expected"),
    [
        ((1, 2, 3), (2, 4, 3), 0.5),
        ((1, 2, 3), (10, 20, 30), 1),
        ((1, 2, 3), (6, 4, 2), -1),
        ((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), -0.2),
        ((2, 1, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0), 0.878310),
        ((1, 1, 1), (1, 2, 3), 0),
        ((1, 2, 3), (0.1 + 0.2, 0.3, 0.3), 0),
    ],
)
def test_correlation_of_two_profiles(
    xs: tuple[float, ...], ys: tuple[float, ...], expected: float
) -> None:
    assert pearson(xs, ys) == pytest.approx(expected, abs=1e-6)


Z = st.floats(-4, 4)


@given(
    z=st.tuples(Z, Z, Z, Z, Z, Z).filter(lambda z: max(z) - min(z) > 0.1),
    place=st.integers(0, 5),
    more=st.floats(0.1, 4),
)
def test_more_of_an_interest_never_fits_its_own_course_less(
    z: tuple[float, ...], place: int, more: float
) -> None:
    own = [float(n == place) for n in range(6)]
    raised = [each + more * (n == place) for n, each in enumerate(z)]

    assert pearson(raised, own) >= pearson(z, own) - 1e-9


def test_no_course_fits_the_interests_of_a_course_better_than_itself() -> None:
    courses = demo_courses()

    for own, shape in zip(courses, standardise(courses), strict=True):
        fits = rank_by_types(profile(*shape), courses, WEIGHTS, 1.0)
        best = max(fit.interest for fit in fits)

        assert next(fit.interest for fit in fits if fit.course.code == own.code) == best
        assert best == pytest.approx(1)


def test_ratings_are_standardised_over_the_catalogue() -> None:
    courses = [
        CourseRatings(f"C{n}", "", n, (rating, 2, 0, 3 - rating, 1, other))
        for n, (rating, other) in enumerate([(0, 0), (0, 0), (3, 0), (3, 2)])
    ]

    shapes = standardise(courses)

    # First column: mean 1.5, SD 1.5. Last: mean .5, SD root of .75. All alike: 0.
    assert [shape[0] for shape in shapes] == [-1, -1, 1, 1]
    assert [shape[3] for shape in shapes] == [1, 1, -1, -1]
    assert [shape[1] for shape in shapes] == [0, 0, 0, 0]
    assert shapes[3][5] == pytest.approx(1.5 / 0.75**0.5)


def course(
    levels: tuple[int, ...] = (), importance: tuple[int, ...] = (), **facts: tuple[str, ...]
) -> CourseRatings:
    return CourseRatings(
        "C", "Course", 1, (3, 2, 0, 0, 0, 1), levels=levels, importance=importance, **facts
    )


# SE .48: root of .48^2 + .5^2 is .6931; Phi(1.0099) = .8437, Phi(0) = .5, Phi(-1.0099) = .1563.
@pytest.mark.parametrize(
    ("thetas", "levels", "importance", "expected"),
    [
        ((0.0, 0.0, 0.0), (2, 0, 0), (1, 0, 0), 0.5),
        ((0.7, 0.0, 0.0), (2, 0, 0), (2, 0, 0), 0.8437),
        ((0.0, 0.0, 0.0), (1, 2, 3), (1, 1, 1), 0.5),
        ((0.0, 0.0, 0.0), (1, 2, 3), (1, 0, 2), (0.8437 + 2 * 0.1563) / 3),
        ((0.0, 0.0, 0.0), (0, 0, 0), (0, 0, 0), 0.5),
        ((0.0, 0.0, 0.0), (), (), 0.5),
        ((3.0, 3.0, 3.0), (1, 1, 1), (2, 2, 2), 0.85),
    ],
)
def test_aptitude_fit_is_the_chance_to_reach_the_levels(
    thetas: tuple[float, ...],
    levels: tuple[int, ...],
    importance: tuple[int, ...],
    expected: float,
) -> None:
    able = student((1, 0, 0, 0, 0, 0), dict(zip(FACETS, thetas, strict=True)))

    assert aptitude_fit(able, course(levels, importance), 0.85) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("preferred", "delivery", "expected"),
    [
        ((), (), 0),
        (("group", "doing"), (), 0),
        ((), ("group", "doing"), 0),
        (("group", "doing"), ("group", "doing"), 0.5),
        (("alone", "reading"), ("group", "doing"), -0.5),
        (("group", "reading"), ("group", "doing"), 0),
        (("group",), ("group", "doing"), 0.25),
        (("group",), ("alone", "group"), 0),
        (("alone",), ("group", "doing", "planned", "online"), -0.125),
    ],
)
def test_preference_fit_is_the_share_that_agrees_centred_at_0(
    preferred: tuple[str, ...], delivery: tuple[str, ...], expected: float
) -> None:
    assert preference_fit(preferred, delivery) == expected


def test_preferences_never_move_a_course_by_more_than_their_weight() -> None:
    leaning = student((1, 0, 0, 0, 0, 0), leans={"alone_group": 2.0, "doing_reading": -2.0})
    rows = [
        replace(course(delivery=("group", "doing")), code="WITH"),
        replace(course(delivery=("alone", "reading")), code="AGAINST"),
    ]

    best, worst = rank_by_types(leaning, rows, WEIGHTS, 1.0)

    assert (best.course.code, best.preference, worst.preference) == ("WITH", 0.5, -0.5)
    assert best.score - worst.score == pytest.approx(WEIGHTS.preferences)


def test_the_score_weighs_its_three_parts() -> None:
    # .65 * (.4 + 1) / 2 + .30 * .8 + .05 * .5
    score = combined_score(0.4, 0.8, 0.5, WEIGHTS, flat=False)

    assert score == pytest.approx(0.455 + 0.24 + 0.025)


def test_a_flat_profile_halves_the_interest_weight_and_nothing_gains_it() -> None:
    def spread(flat: bool) -> tuple[float, float]:
        scores = {
            (i, a): combined_score(i, a, 0, WEIGHTS, flat=flat) for i in (0, 1) for a in (0, 1)
        }
        return scores[1, 0] - scores[0, 0], scores[0, 1] - scores[0, 0]

    assert spread(flat=True) == pytest.approx((0.65 / 4, 0.30))
    assert spread(flat=False) == pytest.approx((0.65 / 2, 0.30))
    assert combined_score(0, 0.5, 0, WEIGHTS, flat=True) == pytest.approx(
        combined_score(0, 0.5, 0, WEIGHTS, flat=False)
    )


def test_five_at_most_unless_the_project_says_otherwise() -> None:
    assert len(recommend_by_types(profile(1, 0, 0, 0, 0, 0), MIXED, WEIGHTS)) == 5
    assert len(recommend_by_types(profile(1, 0, 0, 0, 0, 0), MIXED, WEIGHTS, count=3)) == 3
    assert len(recommend_by_types(profile(1, 0, 0, 0, 0, 0), MIXED, WEIGHTS, count=10)) == len(
        MIXED
    )


@pytest.mark.parametrize("z", [(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (0,) * 6])
def test_the_only_course_is_recommended(z: tuple[float, ...]) -> None:
    assert codes(recommend_by_types(profile(*z), [course()], WEIGHTS)) == ["C"]


@pytest.mark.parametrize("number", [2, 3, 4, 7])
def test_identical_courses_come_in_staff_order_then_by_code(number: int) -> None:
    twins = [
        CourseRatings(f"C{n}", "Same", 1 if n == number - 1 else 2, (3, 1, 0, 2, 0, 1))
        for n in range(number)
    ]

    best = recommend_by_types(profile(1, 0.5, -1, 0, 0.3, 0), twins[::-1], WEIGHTS, count=9)

    assert codes(best) == [f"C{number - 1}", *(f"C{n}" for n in range(number - 1))]
    if number >= 4:
        # Standardised they have neither ups nor downs: no interest speaks for or against.
        assert {each.interest for each in best} == {0}


NUMBERS = st.integers(-22, 22).map(lambda n: n / 10)
STUDENTS = st.tuples(*[NUMBERS] * 6).map(student)


@given(STUDENTS, st.randoms(use_true_random=False))
def test_the_order_in_which_rows_are_read_does_not_matter(
    anyone: Profile, rng: random.Random
) -> None:
    shuffled = rng.sample(MIXED, len(MIXED))

    assert recommend_by_types(anyone, shuffled, WEIGHTS) == recommend_by_types(
        anyone, MIXED, WEIGHTS
    )
