"""Reasons of courses ranked by fields: they quote answers, and judge puzzles with care."""

import random
from dataclasses import replace

import pytest

from measurement.ability import RANGE_ERRORS
from measurement.field_fit import Fit
from measurement.fields import field_scores
from measurement.reasons import ENJOYED_FIELD, ENJOYED_IN_PART, QUOTING, Explainer, Reason
from measurement.recommendation import suggest
from measurement.validity import CAREFUL
from tests.measurement.field_bank import course, demo_courses, field_bank, profile

# How far the range of these students' puzzles reaches to each side.
REACH = 0.3 * RANGE_ERRORS


def explained(*courses, answers=None, student=None):
    explainer = Explainer(field_bank(), answers or {}, student or profile())
    return [explainer.explain(Fit(each, 1.0, 1.0, 0.0, 0.0)) for each in courses]


def reasons(explanations):
    """Return code and subject of each course's reasons."""
    return [[(reason.code, reason.about) for reason in each.reasons] for each in explanations]


@pytest.mark.parametrize(
    ("fields", "answers", "code", "about"),
    [
        (["machines"], {"int-mixer": 4}, "liked_statement", "int-mixer"),
        (["machines"], {"int-mixer": 3}, "", ""),
        (["machines"], {"int-mixer": 4, "int-lamp": 5}, "loved_statement", "int-lamp"),
        # What a course is mainly about comes before its other fields, which promise only a part.
        (["machines", "building"], {"int-mixer": 4, "int-stool": 5}, "liked_statement",
         "int-mixer"),
        (["machines", "building"], {"int-stool": 5}, "loved_in_part", "int-stool"),
        # A lamp is about machines alone, a crane also about building, and a phone about computers.
        (["machines"], {"int-crane": 5, "int-lamp": 4}, "liked_statement", "int-lamp"),
        (["machines", "computers"], {"int-crane": 5, "int-phone": 4}, "liked_statement",
         "int-phone"),
        # Of the other fields, the one that the editor put first.
        (["law", "mind_society", "writing"], {"int-poem": 5, "int-brain": 4}, "liked_in_part",
         "int-brain"),
        # An advert is business first, and some writing.
        (["writing"], {"int-advert": 4}, "liked_in_part", "int-advert"),
        # A phone's screen is machines first, the course is maths first: both have some computers.
        (["maths", "computers"], {"int-phone": 5}, "", ""),
    ],
)  # fmt: skip
def test_the_first_reason_quotes_an_answer_about_the_course(fields, answers, code, about):
    expected = [(code, about)] if code else []

    assert reasons(explained(course("C", *fields), answers=answers)) == [expected]


def test_no_two_courses_share_a_first_reason_and_a_field_is_named_once():
    answers = {"int-mixer": 5, "int-crane": 5, "int-lamp": 4}
    enjoys = profile({"machines": 1.0, "art": 0.09})
    courses = [*[course("C", "machines")] * 5, course("C", "art")]

    found = explained(*courses, answers=answers, student=enjoys)

    assert reasons(found) == [
        [("loved_statement", "int-mixer")],
        [("liked_statement", "int-lamp")],
        [("loved_statement", "int-crane")],
        [("enjoyed_field", "machines")],
        *([], []),
    ]


NUMBERS = {"numerical_level": 2, "numerical_importance": 2}
VERBAL = {"verbal_level": 3, "verbal_importance": 2}
NOW_AND_THEN = {"numerical_level": 1, "numerical_importance": 1}


def test_a_field_is_told_once_and_other_enjoyed_ones_follow():
    enjoys = profile({"machines": 1.0, "maths": 1.0, "art": -1.0})
    courses = course("C", "machines", "maths", "art"), course("C", "art", "maths")

    found = explained(*courses, answers={"int-mixer": 5}, student=enjoys)

    assert reasons(found) == [
        [("loved_statement", "int-mixer"), ("enjoyed_in_part", "maths")],
        [("enjoyed_in_part", "maths")],
    ]
    assert found[0].reasons[0].field == "machines"


def test_of_doubtful_interests_only_answers_are_told():
    careless = replace(CAREFUL, flags=["inconsistent"])
    student = replace(profile({"machines": 1.0, "maths": 1.0}), validity=careless)

    [each] = explained(course("C", "machines", "maths"), answers={"int-mixer": 5}, student=student)

    assert reasons([each]) == [[("loved_statement", "int-mixer")]]
    assert each.note == "doubtful"


@pytest.mark.parametrize(
    ("theta", "level", "code"),
    [
        # The whole range, not its middle, is below the level: 0 for average, .7 for strong.
        (-0.1 - REACH, 2, "level_overall"),
        (0.1 - REACH, 2, "unmeasured"),
        (0.6 - REACH, 3, "level_overall"),
        (-0.1 - REACH, 0, "unmeasured"),
    ],
)
def test_a_step_up_is_said_only_if_the_whole_range_is_below_the_level(theta, level, code):
    asking = course("C", "machines", verbal_level=level, verbal_importance=2)

    [each] = explained(asking, student=profile(overall=theta))

    assert each.counterpoint.code == code


@pytest.mark.parametrize(
    ("theta", "importance", "is_told"), [(0.1, 2, True), (-0.1, 2, False), (0.1, 1, False)]
)
def test_puzzles_are_a_reason_if_the_whole_range_is_above_the_middle(theta, importance, is_told):
    asking = course("C", "machines", numerical_level=2, numerical_importance=importance)

    [codes] = reasons(explained(asking, student=profile(overall=theta + REACH)))

    assert codes == ([("well_overall", "")] if is_told else [])


@pytest.mark.parametrize("theta", [-2, 2])
def test_hurried_puzzles_say_nothing(theta):
    careless = replace(CAREFUL, flags=["fast_aptitude"])
    asking = course("C", "machines", numerical_level=2, numerical_importance=2)

    [each] = explained(asking, student=replace(profile(overall=theta), validity=careless))

    assert (each.reasons, each.counterpoint.code) == ([], "unmeasured")


@pytest.mark.parametrize("seed", range(25))
def test_first_reasons_of_a_list_follow_the_rules_for_any_answers(seed):
    bank, draw = field_bank(), random.Random(f"any answers {seed}")
    answers = {code: draw.randint(1, 5) for code in bank.interests}
    answers |= {code: draw.randint(1, 5) for code in draw.sample(list(bank.follow_ups), 12)}
    student = profile(field_scores(bank, answers))
    catalogue = {each.code: each for each in demo_courses()}

    used = set()
    for chosen in suggest(bank, student, answers, list(catalogue.values()), 10).recommended:
        fields = catalogue[chosen.code].fields
        unused = [
            code
            for code, statement in bank.statements.items()
            if code not in used
            and answers.get(code, 0) >= 4
            and (statement.fields[0] in fields or fields[0] in statement.fields)
        ]
        first = chosen.reasons[0] if chosen.reasons else Reason("")
        is_first = first.code in {*QUOTING, ENJOYED_FIELD, ENJOYED_IN_PART}
        if unused:
            assert first.about in unused
            assert first.code.startswith("loved" if answers[first.about] == 5 else "liked")
        else:
            assert not first.code.startswith(("loved", "liked"))
            assert first.about not in used or not is_first
        if is_first:
            used.add(first.about)
