"""Which reasons, counterpoint and note a course gets: true of the student, and not all the same."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assessments.measurement.ability import BANDS, Ability, band
from assessments.measurement.courses import LEVEL_THETA, CourseRatings, other_end
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import (
    COUNTERPOINTS,
    NOTES,
    REASONS,
    Point,
    clear_preferences,
)
from assessments.measurement.recommendation import Recommendation, recommend_by_types
from assessments.measurement.scales import FACETS, INTERESTS, InterestProfile, ScaleScore
from tests.assessments.profiles import (
    RANKING,
    WEIGHTS,
    answering,
    demo_courses,
    simulated,
    student,
)

CATALOGUE = [
    CourseRatings("MEC", "Mechanical Engineering", 1, (3, 2, 1, 0, 0, 0)),
    CourseRatings("PHY", "Physics", 2, (1, 3, 0, 0, 0, 0)),
    CourseRatings("ART", "Fine Arts", 3, (2, 0, 3, 0, 0, 0)),
    CourseRatings("SOC", "Social Work", 4, (0, 1, 0, 3, 2, 1)),
    CourseRatings("BBA", "Business Administration", 5, (0, 0, 0, 1, 3, 2)),
    CourseRatings("COM", "Accounting", 6, (0, 1, 0, 0, 1, 3)),
]
DEMO = demo_courses()
# Machines and finding out; nothing else.
MAKER = (4.75, 4.0, 3, 2, 2, 2)


def against(norms: tuple[float, ...], means: tuple[float, ...]) -> Profile:
    """Return a student by mean answers, where other students' mean answers are these."""
    scales = {
        interest: ScaleScore(mean, round((mean - norm) / 0.9, 4))
        for interest, norm, mean in zip(INTERESTS, norms, means, strict=True)
    }
    return replace(answering(means), interests=InterestProfile(scales))


def of(code: str, profile: Profile, **facts: object) -> Recommendation:
    """Return what is said of a course, which has these facts, in a list of all."""
    courses = [replace(c, **facts) if c.code == code else c for c in CATALOGUE]  # type: ignore[arg-type]
    ranked = recommend_by_types(profile, courses, WEIGHTS, count=6)
    return next(each for each in ranked if each.code == code)


def test_two_things_that_were_liked_and_the_course_is_full_of() -> None:
    first, second = of("MEC", answering(MAKER)).reasons

    assert first == Point("liked", "realistic", 4.75, 3)
    assert (second.code, second.about, second.rating) == ("liked", "investigative", 2)
    assert second.form != first.form


def test_a_course_may_be_there_for_what_it_spares() -> None:
    # Likes nothing that the course has, but dislikes what it has not.
    first, second = of("PHY", answering((3, 3, 5, 1, 3.2, 3.2))).reasons

    assert replace(first, form=0) == Point("spared", "social", 1, 0)
    assert second.code in {"mix", "wider"}


def test_a_course_that_fits_in_nothing_is_only_to_compare_with() -> None:
    said = of("PHY", answering((4, 3, 4.5, 5, 4.5, 4)))

    assert replace(said.reasons[0], form=0) == Point("compare", "investigative", 3, 3)
    assert said.note == "modest"


@pytest.mark.parametrize("mean", [1, 3, 5])
def test_a_flat_profile_is_never_given_a_liking(mean: float) -> None:
    ranked = recommend_by_types(answering((mean,) * 6), CATALOGUE, WEIGHTS)

    assert {each.reasons[0].code for each in ranked} == {"open"}
    assert {each.reasons[1].code for each in ranked} <= {"open", "wider"}
    assert {each.note for each in ranked} == {"flat"}
    assert {each.counterpoint.code for each in ranked} == {"unmeasured"}
    assert ranked[0].reasons[0].about == "realistic"


def test_what_was_disliked_and_is_much_of_the_course_is_named() -> None:
    point = of("MEC", answering((4.75, 1.5, 3, 3, 3, 3))).counterpoint

    assert point == Point("disliked", "investigative", 1.5, 2)


def test_what_was_liked_and_is_missing_is_named() -> None:
    point = of("MEC", answering((4.75, 4, 3, 2, 4.5, 2))).counterpoint

    assert point == Point("missing", "enterprising", 4.5, 0)


def test_a_level_not_yet_reached_is_named() -> None:
    weak = student((1.9, 1.1, 0, -1, -1, -1), {"numerical": -1.1, "verbal": -1.1})

    point = of("MEC", weak, levels=(3, 0, 1), importance=(2, 0, 1)).counterpoint

    assert point == Point("level", "numerical", None, 3, "lower", 2)


def test_flagged_answers_are_noted_on_every_course() -> None:
    careless = student((1.9, 1.1, 0, -1, -1, -1), flags=("straight_line",))

    assert {each.note for each in recommend_by_types(careless, CATALOGUE, WEIGHTS)} == {"flagged"}


def test_a_close_call_is_noted_on_the_second_of_two() -> None:
    twins = [*CATALOGUE, replace(CATALOGUE[0], code="TWIN", order=9)]

    first, second, third = recommend_by_types(answering(MAKER), twins, WEIGHTS, count=3)

    assert (first.code, first.note) == ("MEC", "")
    assert (second.code, second.note) == ("TWIN", "close")
    assert third.note != "close"


STUDENTS = st.integers(0, 100_000).map(
    lambda seed: simulated(random.Random(seed), shared=(seed % 3) / 3)
)
MEANS = st.tuples(*[st.integers(4, 20).map(lambda n: n / 4)] * 6).map(answering)
NORMED = st.builds(
    against,
    st.tuples(*[st.floats(2.2, 4.2)] * 6),
    st.tuples(*[st.integers(4, 20).map(lambda n: n / 4)] * 6),
)


@settings(max_examples=150)
@given(STUDENTS | MEANS | NORMED)
@example(answering((1.0, 1.0, 3.25, 4.25, 5.0, 5.0)))  # 3.25 is the average
def test_every_point_is_true_of_the_student_and_the_course(anyone: Profile) -> None:
    courses = {course.code: course for course in DEMO}
    answers = [anyone.interests.scales[interest].mean for interest in INTERESTS]

    for each in recommend_by_types(anyone, DEMO, WEIGHTS, RANKING, count=10):
        course = courses[each.code]
        assert {point.code for point in each.reasons} <= set(REASONS)
        assert each.counterpoint.code in COUNTERPOINTS
        assert each.note in {"", *NOTES}
        assert each.reasons[0].about != each.reasons[1].about
        assert each.counterpoint.about not in {point.about for point in each.reasons} - {""}
        for point in (*each.reasons, each.counterpoint):
            if point.about in INTERESTS:
                true_of_an_interest(point, answers, course, flat=anyone.interests.is_flat)
            elif point.about in FACETS:
                true_of_a_facet(point, anyone, course)
            elif point.about:
                assert point.about in clear_preferences(anyone)
                end = point.about if point.code == "taught" else other_end(point.about)
                assert end in course.delivery
            if point.code == "mix":
                assert each.interest >= 0.3


def true_of_an_interest(
    point: Point, answers: list[float], course: CourseRatings, *, flat: bool
) -> None:
    place = INTERESTS.index(point.about)
    average = sum(answers) / len(answers)
    assert (point.answer, point.rating) == (answers[place], course.ratings[place])
    assert point.rating is not None
    assert point.answer is not None
    assert not flat or point.code == "open"
    truths = {
        "liked": point.answer >= 3.5 and point.rating >= 2,
        "preferred": average < point.answer < 3.5 and point.rating >= 2,
        "spared": point.answer < 3 and point.rating <= 1,
        "compare": point.answer < max(answers),
        "open": flat or max(answers) == min(answers),
        "disliked": point.answer < 3 and point.rating >= 2,
        "less_liked": 3 <= point.answer < average and point.rating >= 2,
        "missing": point.answer >= 3.5 and point.rating <= 1,
    }
    assert truths[point.code], point


def true_of_a_facet(point: Point, anyone: Profile, course: CourseRatings) -> None:
    place = FACETS.index(point.about)
    ability = anyone.facets[point.about]
    assert (point.rating, point.importance) == (course.levels[place], course.importance[place])
    assert point.importance
    assert point.band == band(ability).code
    bands = [each.code for each in BANDS]
    above_middle = bands.index(point.band) - bands.index("middle")
    if point.code == "level":
        assert ability.theta < LEVEL_THETA[course.levels[place]]
    else:
        assert (above_middle > 0) == (point.code == "well")
        assert above_middle >= 0
        needed = band(Ability(LEVEL_THETA[course.levels[place]], 0)).code
        assert bands.index(point.band) >= bands.index(needed)


@settings(max_examples=60)
@given(STUDENTS)
def test_no_sentence_is_chosen_twice_among_the_first_five(anyone: Profile) -> None:
    five = recommend_by_types(anyone, DEMO, WEIGHTS, RANKING)
    said = [
        (point.code, point.about, point.form)
        for each in five
        for point in (*each.reasons, each.counterpoint)
    ]

    assert len(set(said)) == len(said) == 15


def test_a_stored_recommendation_says_the_same() -> None:
    best = recommend_by_types(answering(MAKER), DEMO, WEIGHTS, RANKING)[0]

    stored = json.loads(json.dumps(best.to_json()))

    assert set(stored) == {
        "code", "name", "score", "interest", "aptitude", "preference", "reasons",
        "counterpoint", "note", "entry_level", "streams",
    }  # fmt: skip
    assert stored == best.to_json()
    assert tuple(Point.from_json(reason) for reason in stored["reasons"]) == best.reasons
    assert Point.from_json(stored["counterpoint"]) == best.counterpoint
