"""Reasons of courses ranked by fields: they quote answers, and judge puzzles with care."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from assessments.measurement.ability import Ability
from assessments.measurement.bank import Bank
from assessments.measurement.courses import CourseData
from assessments.measurement.field_fit import Fit
from assessments.measurement.fields import field_scores
from assessments.measurement.profile import OVERALL, Profile
from assessments.measurement.reasons import FIELD, OF_STATEMENTS, Explainer, Explanation, Point
from assessments.measurement.recommendation import suggest
from assessments.measurement.scales import (
    FACETS,
    INTERESTS,
    PREFERENCES,
    InterestProfile,
    ScaleScore,
)
from assessments.measurement.validity import CAREFUL
from tests.assessments.measurement.field_bank import field_bank, types_of
from tests.assessments.profiles import demo_courses

FIRST_REASONS = {*OF_STATEMENTS, FIELD}


def profile(
    enjoys: Mapping[str, float] | None = None,
    overall: float = 0.0,
    facets: Mapping[str, float] | None = None,
) -> Profile:
    """Return a profile with these field scores; facets are as good as all puzzles unless given."""
    thetas = dict.fromkeys(FACETS, overall) | {OVERALL: overall} | dict(facets or {})
    means = (4.5, 3.0, 2.0, 3.0, 2.5, 1.5)
    return Profile(
        interests=InterestProfile(
            {n: ScaleScore(mean, mean - 3) for n, mean in zip(INTERESTS, means, strict=True)}
        ),
        aptitude={name: Ability(theta, 0.3) for name, theta in thetas.items()},
        preferences={name: ScaleScore(3.0, 0.0) for name in PREFERENCES},
        validity=CAREFUL,
        fields=enjoys or {},
    )


def course(*fields: str, **more: Any) -> CourseData:
    blank = CourseData(code="-".join(fields), name="A course", order=1)
    return replace(blank, fields=fields, **more)


def explained(
    *courses: CourseData,
    answers: Mapping[str, int] | None = None,
    student: Profile | None = None,
    bank: Bank | None = None,
) -> list[Explanation]:
    """Explain these courses in this order."""
    explainer = Explainer(bank or field_bank(), answers or {}, student or profile())
    return [explainer.explain(Fit(each, 1.0, 1.0, 0.0, 0.0)) for each in courses]


def firsts(explanations: list[Explanation]) -> list[tuple[str, str]]:
    """Return code and subject of each course's first reason."""
    reasons = [each.reasons[0] if each.reasons else Point("") for each in explanations]
    return [(reason.code, reason.about) for reason in reasons]


def test_an_answer_of_five_is_loved_and_one_of_four_is_liked() -> None:
    machines = course("machines")

    assert firsts(explained(machines, answers={"int-mixer": 5})) == [
        ("loved_statement", "int-mixer")
    ]
    assert firsts(explained(machines, answers={"int-mixer": 4})) == [
        ("liked_statement", "int-mixer")
    ]
    assert firsts(explained(machines, answers={"int-mixer": 3})) == [("", "")]


def test_a_loved_statement_comes_before_a_liked_one() -> None:
    answers = {"int-mixer": 4, "int-lamp": 5}

    assert firsts(explained(course("machines"), answers=answers)) == [
        ("loved_statement", "int-lamp")
    ]


def test_what_a_course_is_mainly_about_comes_before_its_other_fields() -> None:
    answers = {"int-mixer": 4, "int-stool": 5}

    assert firsts(explained(course("machines", "building"), answers=answers)) == [
        ("liked_statement", "int-mixer")
    ]


def test_a_statement_about_another_field_promises_only_a_part() -> None:
    assert firsts(explained(course("machines", "building"), answers={"int-stool": 5})) == [
        ("loved_in_part", "int-stool")
    ]


def test_a_statement_that_mentions_the_main_field_besides_promises_only_a_part() -> None:
    """An advert is business first, and some writing."""
    assert firsts(explained(course("writing"), answers={"int-advert": 4})) == [
        ("liked_in_part", "int-advert")
    ]


def test_a_field_that_is_a_side_of_both_is_no_reason_to_quote() -> None:
    """A phone's screen is machines first, statistics is maths first: both have some computers."""
    statistics = course("maths", "computers")

    assert firsts(explained(statistics, answers={"int-phone": 5})) == [("", "")]


def test_a_field_that_the_answers_do_not_like_is_no_reason() -> None:
    barely = profile({"art": 0.09})

    assert firsts(explained(course("art"), student=barely)) == [("", "")]


def test_no_two_courses_share_a_first_reason_while_statements_are_left() -> None:
    answers = {"int-mixer": 5, "int-crane": 5, "int-lamp": 4}
    enjoys = profile({"machines": 1.0})

    found = firsts(explained(*[course("machines")] * 5, answers=answers, student=enjoys))

    assert found == [
        ("loved_statement", "int-mixer"),
        ("loved_statement", "int-crane"),
        ("liked_statement", "int-lamp"),
        ("enjoyed_field", "machines"),
        ("", ""),
    ]


def test_the_main_field_follows_the_quote_once_in_a_list() -> None:
    answers = {"int-mixer": 5, "int-crane": 5}
    found = explained(
        course("machines"), course("machines"), answers=answers, student=profile({"machines": 1.0})
    )

    assert [[reason.code for reason in each.reasons] for each in found] == [
        ["loved_statement", "enjoyed_field"],
        ["loved_statement"],
    ]


NUMBERS = {"levels": (2, 0, 0), "importance": (2, 0, 0)}
# The same bank, with enough puzzles for a range of each facet.
LONG = replace(field_bank(), puzzles_given=24)


def test_with_few_puzzles_advice_rests_on_all_of_them() -> None:
    low = profile(overall=-0.9, facets={"numerical": -0.5})

    [few] = explained(course("machines", **NUMBERS), student=low)
    [many] = explained(course("machines", **NUMBERS), student=low, bank=LONG)

    assert (few.counterpoint.code, few.counterpoint.band) == ("level_overall", "lower")
    assert many.counterpoint.code != "level_overall"


def test_a_facet_that_stands_out_is_named() -> None:
    weak = profile(overall=0.0, facets={"numerical": -1.5})
    strong = profile(overall=0.0, facets={"numerical": 1.5})

    [low] = explained(course("machines", **NUMBERS), student=weak)
    [high] = explained(course("machines", **NUMBERS), student=strong)

    assert (low.counterpoint.code, low.counterpoint.about) == ("level", "numerical")
    assert [(reason.code, reason.about) for reason in high.reasons] == [("well", "numerical")]


def test_good_puzzles_are_a_reason_for_work_that_the_course_uses_a_lot() -> None:
    good = profile(overall=0.9)
    now_and_then = {"levels": (1, 0, 0), "importance": (1, 0, 0)}
    answers = {"int-mixer": 5, "int-crane": 5}

    a_lot, a_little = explained(
        course("machines", **NUMBERS),
        course("machines", **now_and_then),
        answers=answers,
        student=good,
    )

    assert [reason.code for reason in a_lot.reasons] == ["loved_statement", "well_overall"]
    assert [reason.code for reason in a_little.reasons] == ["loved_statement"]


def test_average_puzzles_are_a_reason_only_where_there_is_no_other() -> None:
    quoted, bare = explained(
        course("machines", **NUMBERS), course("art", **NUMBERS), answers={"int-mixer": 5}
    )

    assert [reason.code for reason in quoted.reasons] == ["loved_statement"]
    assert [reason.code for reason in bare.reasons] == ["ready_overall"]


def test_puzzles_never_count_for_and_against_a_course() -> None:
    mixed = {"levels": (1, 0, 3), "importance": (2, 0, 2)}

    [each] = explained(course("machines", **mixed), student=profile(overall=0.0))

    assert each.counterpoint.code == "level_overall"
    assert each.reasons == ()


def test_the_layout_of_the_bank_decides_what_is_said_of_facets() -> None:
    assert not field_bank().reports_facets
    assert LONG.reports_facets
    assert not replace(LONG, puzzles_given=23).reports_facets


@pytest.mark.parametrize("seed", range(25))
def test_first_reasons_of_a_list_follow_the_rules_for_any_answers(seed: int) -> None:
    bank, draw = field_bank(), random.Random(f"any answers {seed}")
    answers = {code: draw.randint(1, 5) for code in bank.interests}
    answers |= {code: draw.randint(1, 5) for code in draw.sample(list(bank.follow_ups), 12)}
    student = profile(field_scores(bank, answers, types_of(bank, answers)))
    catalogue = {each.code: each for each in demo_courses()}

    used: set[str] = set()
    for chosen in suggest(bank, student, answers, list(catalogue.values()), 10).recommended:
        fields = catalogue[chosen.code].fields
        unused = [
            code
            for code, statement in bank.statements.items()
            if code not in used
            and answers.get(code, 0) >= 4
            and (statement.fields[0] in fields or fields[0] in statement.fields)
        ]
        first = chosen.reasons[0] if chosen.reasons else Point("")
        if unused:
            assert first.about in unused
            assert first.code.startswith("loved" if answers[first.about] == 5 else "liked")
        else:
            assert not first.code.startswith(("loved", "liked"))
            assert first.about not in used or first.code not in FIRST_REASONS
        if first.code in FIRST_REASONS:
            used.add(first.about)
