"""Reasons of courses ranked by fields: they quote answers, and judge puzzles with care."""

import random

import pytest

from measurement.field_fit import Fit
from measurement.fields import field_scores
from measurement.reasons import ENJOYED_FIELD, QUOTING, Explainer, Reason
from measurement.recommendation import suggest
from tests.measurement.field_bank import course, demo_courses, field_bank, profile


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
        [("loved_statement", "int-mixer"), ("enjoyed_field", "machines")],
        [("loved_statement", "int-crane")],
        [("liked_statement", "int-lamp")],
        [("enjoyed_field", "machines")],
        *([], []),
    ]


NUMBERS = {"numerical_level": 2, "numerical_importance": 2}
VERBAL = {"verbal_level": 3, "verbal_importance": 2}
NOW_AND_THEN = {"numerical_level": 1, "numerical_importance": 1}


def test_advice_rests_on_all_puzzles():
    low = profile(overall=-0.9, facets={"numerical": -0.5})

    [each] = explained(course("C", "machines", **NUMBERS), student=low)

    assert (each.counterpoint.code, each.counterpoint.band) == ("level_overall", "lower")


def test_good_puzzles_are_a_reason_for_work_that_the_course_uses_a_lot():
    a_lot, a_little = reasons(
        explained(
            course("C", "machines", **NUMBERS),
            course("C", "machines", **NOW_AND_THEN),
            answers={"int-mixer": 5, "int-crane": 5},
            student=profile(overall=0.9),
        )
    )

    assert [code for code, _ in a_lot] == ["loved_statement", "well_overall"]
    assert [code for code, _ in a_little] == ["loved_statement"]


def test_average_puzzles_are_a_reason_only_where_there_is_no_other():
    courses = course("C", "machines", **NUMBERS), course("C", "art", **NUMBERS)
    quoted, bare = reasons(explained(*courses, answers={"int-mixer": 5}))

    assert [code for code, _ in quoted] == ["loved_statement"]
    assert [code for code, _ in bare] == ["ready_overall"]


def test_puzzles_never_count_for_and_against_a_course():
    mixed = course("C", "machines", **NUMBERS | {"numerical_level": 1}, **VERBAL)

    [each] = explained(mixed)

    assert (each.counterpoint.code, each.reasons) == ("level_overall", [])


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
        is_first = first.code in {*QUOTING, ENJOYED_FIELD}
        if unused:
            assert first.about in unused
            assert first.code.startswith("loved" if answers[first.about] == 5 else "liked")
        else:
            assert not first.code.startswith(("loved", "liked"))
            assert first.about not in used or not is_first
        if is_first:
            used.add(first.about)
