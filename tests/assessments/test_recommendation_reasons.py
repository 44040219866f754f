from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assessments.measurement.bank import Weights
from assessments.measurement.profile import Profile
from assessments.measurement.scales import INTERESTS, InterestProfile, ScaleScore
from assessments.measurement.wording import REASON_WORDS
from assessments.recommendation import CourseRatings, Reason, reason_text, recommend

WEIGHTS = Weights(0.65, 0.30, 0.05)
CATALOGUE = [
    CourseRatings("MEC", "Mechanical Engineering", 1, (3, 2, 1, 0, 0, 0)),
    CourseRatings("PHY", "Physics", 2, (1, 3, 0, 0, 0, 0)),
    CourseRatings("ART", "Fine Arts", 3, (2, 0, 3, 0, 0, 0)),
    CourseRatings("SOC", "Social Work", 4, (0, 1, 0, 3, 2, 1)),
    CourseRatings("BBA", "Business Administration", 5, (0, 0, 0, 1, 3, 2)),
    CourseRatings("COM", "Accounting", 6, (0, 1, 0, 0, 1, 3)),
]


def student(*means: float) -> Profile:
    scales = {
        interest: ScaleScore(mean, round((mean - 3) / 0.9, 4))
        for interest, mean in zip(INTERESTS, means, strict=True)
    }
    return Profile(InterestProfile(scales), {}, {})


def reason_for(code: str, profile: Profile) -> Reason:
    ranked = recommend(profile, CATALOGUE, WEIGHTS, count=6)
    return next(each.reason for each in ranked if each.code == code)


def test_what_was_liked_and_the_course_is_full_of() -> None:
    reason = reason_for("MEC", student(4.75, 3, 3, 2, 2, 2))

    assert reason == Reason("liked", "realistic", 4.75, 3)
    assert reason_text(reason, "en") == (
        "You liked practical work with your hands and with tools; this course is full of that."
    )


def test_a_lesser_rating_is_not_called_full() -> None:
    reason = reason_for("ART", student(4.5, 3, 2, 2, 2, 2))

    assert reason == Reason("liked", "realistic", 4.5, 2)
    assert reason_text(reason, "en").endswith("this course has a good deal of that.")


def test_what_was_disliked_is_not_said_to_be_liked() -> None:
    # Everything on the "dislike" side, artistic the least so.
    reason = reason_for("ART", student(1.25, 1, 2.75, 1, 1, 1))

    assert (reason.code, reason.interest) == ("preferred", "artistic")
    assert "Compared with the other activities" in reason_text(reason, "en")


def test_a_course_may_be_there_for_what_it_spares() -> None:
    # Likes nothing that the course has, but dislikes what it has not.
    reason = reason_for("PHY", student(1, 3, 5, 3.2, 3.2, 3.2))

    assert reason == Reason("spared", "realistic", 1, 1)
    assert reason_text(reason, "en").startswith("You did not care much for practical work")


def test_a_course_that_fits_in_nothing_is_only_to_compare_with() -> None:
    reason = reason_for("PHY", student(4, 3, 4.5, 5, 4.5, 4))

    assert reason == Reason("compare", "investigative", 3, 3)
    assert "not what you liked most" in reason_text(reason, "en")


@pytest.mark.parametrize("mean", [1, 3, 5])
def test_a_flat_profile_is_never_given_a_liking(mean: float) -> None:
    ranked = recommend(student(*[mean] * 6), CATALOGUE, WEIGHTS)

    assert {each.reason.code for each in ranked} == {"open"}
    assert "much alike" in reason_text(ranked[0].reason, "en")
    assert ranked[0].reason.interest == "realistic"


@given(st.tuples(*[st.integers(4, 20).map(lambda n: n / 4)] * 6))
@example((1.0, 1.0, 3.25, 4.25, 5.0, 5.0))  # 3.25 is the average: neither more nor less liked
def test_every_reason_is_true_of_the_student(means: tuple[float, ...]) -> None:
    profile = student(*means)
    average = sum(means) / 6

    for each in recommend(profile, CATALOGUE, WEIGHTS, count=6):
        reason = each.reason
        course = next(course for course in CATALOGUE if course.code == each.code)
        place = INTERESTS.index(reason.interest)
        assert (reason.answer, reason.rating) == (means[place], course.ratings[place])
        assert reason.code == "open" if profile.interests.is_flat else reason.code != "open"
        if reason.code == "liked":
            assert reason.answer > 3
            assert reason.answer > average
            assert reason.rating >= 2
        if reason.code == "preferred":
            assert average < reason.answer <= 3
            assert reason.rating >= 2
        if reason.code == "spared":
            assert reason.answer < 3
            assert reason.rating <= 1
        if reason.code == "compare":
            assert reason.answer < max(means)


@given(st.tuples(*[st.integers(4, 20).map(lambda n: n / 4)] * 6))
def test_the_same_answers_give_the_same_words(means: tuple[float, ...]) -> None:
    first, second = (
        [reason_text(each.reason, "en") for each in recommend(student(*means), rows, WEIGHTS)]
        for rows in (CATALOGUE, CATALOGUE[::-1])
    )

    assert first == second


def test_every_reason_has_words_for_every_interest_and_rating() -> None:
    texts = {
        reason_text(Reason(code, interest, 3, rating), "en")
        for code, interest, rating in product(REASON_WORDS["en"], INTERESTS, range(4))
    }

    assert len(texts) == 5 * 6 * 4
    assert all(text.endswith(".") and "{" not in text for text in texts)


@pytest.mark.parametrize("language", ["en", "en-IN", "EN", "ta", ""])
def test_a_language_without_words_gives_english(language: str) -> None:
    assert reason_text(Reason("liked", "social", 5, 3), language).startswith(
        "You liked helping people"
    )


def test_a_stored_recommendation_says_the_same() -> None:
    best = recommend(student(4.75, 3, 3, 2, 2, 2), CATALOGUE, WEIGHTS)[0]

    stored = json.loads(json.dumps(best.to_json()))

    assert stored["code"] == "MEC"
    assert set(stored) == {
        "code", "name", "score", "interest", "aptitude", "preference", "reason",
    }  # fmt: skip
    assert Reason.from_json(stored["reason"]) == best.reason
    assert best.reason.to_json() == stored["reason"]
