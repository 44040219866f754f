from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import pstdev
from typing import Any

import pytest

from assessments.measurement.ability import Ability
from assessments.measurement.bank import FieldNorms
from assessments.measurement.courses import CourseData
from assessments.measurement.field_fit import (
    Fit,
    aptitude_terms,
    choose,
    expected,
    field_shares,
    rank,
    raw_fit,
    suits_stream,
)
from assessments.measurement.fields import FIELDS, field_scores
from assessments.measurement.scales import FACETS, Norm
from tests.assessments.measurement.field_bank import field_bank, sitting, types_of

BANK = field_bank()
assert BANK.matching is not None
MATCHING = BANK.matching
FLAT = dict.fromkeys(FIELDS, 0.0)
STRONG = {facet: Ability(1.0, 0.4) for facet in FACETS}


def course(code: str, *fields: str, **facts: Any) -> CourseData:
    return CourseData(
        **{"code": code, "name": code, "order": 1, **facts},
        fields=fields,
    )


def ranked(scores: dict[str, float], courses: Sequence[CourseData]) -> list[str]:
    return [fit.course.code for fit in rank(BANK, scores, {}, (), courses)]


def fit(code: str, value: float, department: str = "") -> Fit:
    return Fit(course(code, "art", department=department), value, value, 0.0, 0.0)


def test_the_main_field_counts_twice() -> None:
    assert field_shares(["machines"], MATCHING) == {"machines": 1.0}
    assert field_shares(["machines", "maths", "office"], MATCHING) == {
        "machines": 0.5,
        "maths": 0.25,
        "office": 0.25,
    }


def test_raw_fit_is_relative_to_the_mean_of_all_fields() -> None:
    """Liking everything raises the fit of no course."""
    scores = {**FLAT, "machines": 2.2}

    assert raw_fit(scores, ["machines"], MATCHING) == pytest.approx(2.2 - 0.1)
    assert raw_fit(dict.fromkeys(FIELDS, 1.5), ["art", "law"], MATCHING) == pytest.approx(0.0)


def test_mean_and_sd_of_a_course_follow_from_those_of_its_fields() -> None:
    draw = random.Random(7)
    general = [draw.gauss(0, 1) for _ in range(4000)]
    people = [{f: 0.3 * g + draw.gauss(0.1, 0.6) for f in FIELDS} for g in general]
    means = {f: sum(p[f] for p in people) / len(people) for f in FIELDS}
    covariances = {
        one: {
            other: sum(p[one] * p[other] for p in people) / len(people) - means[one] * means[other]
            for other in FIELDS
        }
        for one in FIELDS
    }
    fits = [raw_fit(person, ["art", "design"], MATCHING) for person in people]

    norm = expected(["art", "design"], FieldNorms(means, covariances), MATCHING)

    assert norm.mean == pytest.approx(sum(fits) / len(fits), abs=1e-9)
    assert norm.sd == pytest.approx(pstdev(fits), abs=1e-9)


def test_a_course_of_all_fields_alike_has_an_sd_above_zero() -> None:
    alike = {one: dict.fromkeys(FIELDS, 1.0) for one in FIELDS}

    assert expected(["art"], FieldNorms(FLAT, alike), MATCHING) == Norm(0.0, 1e-6)


@pytest.mark.parametrize("field", FIELDS)
def test_who_loves_one_field_gets_its_course_first(field: str) -> None:
    courses = [course(each, each) for each in FIELDS]

    assert ranked(sitting({field: 5}), courses)[0] == field


@pytest.mark.parametrize("seed", range(8))
def test_who_loves_one_field_gets_a_course_of_it_first_or_second_in_any_catalogue(
    seed: int,
) -> None:
    draw = random.Random(seed)
    courses = [
        course(str(number), *draw.sample(list(FIELDS), draw.randint(1, 3))) for number in range(24)
    ]
    main_fields = {each.code: each.fields[0] for each in courses}

    for field in set(main_fields.values()):
        first, second, *_ = ranked(sitting({field: 5}), courses)
        assert field in (main_fields[first], main_fields[second])


@pytest.mark.parametrize("code", list(BANK.statements))
def test_a_higher_answer_never_lowers_the_fit_of_its_field(code: str) -> None:
    """The same statements are asked: those of stage 1 and of six fields."""
    draw = random.Random(code)
    fields = BANK.statements[code].fields
    for _ in range(8):
        asked = {*draw.sample(list(FIELDS), 6), BANK.statements[code].scale}
        answers = {
            each: draw.randint(1, 5)
            for each, statement in BANK.statements.items()
            if each in BANK.interests or statement.scale in asked
        }
        fits = []
        for answer in range(1, 6):
            changed = {**answers, code: answer}
            scores = field_scores(BANK, changed, types_of(BANK, changed))
            fits.append([raw_fit(scores, [field], MATCHING) for field in fields])
        for lower, higher in zip(fits, fits[1:], strict=False):
            assert all(one <= other for one, other in zip(lower, higher, strict=True))


def test_ties_go_by_staff_order_then_code_and_the_order_of_rows_changes_nothing() -> None:
    courses = [course("b", "art", order=2), course("c", "art"), course("a", "art")]

    assert ranked(FLAT, courses) == ["a", "c", "b"]
    assert ranked(FLAT, courses[::-1]) == ["a", "c", "b"]


def test_a_course_without_fields_is_as_good_as_the_average() -> None:
    fits = rank(BANK, sitting({"art": 5}), {}, (), [course("none"), course("a", "art")])

    assert [(each.course.code, each.interest == 0) for each in fits] == [
        ("a", False),
        ("none", True),
    ]


def test_a_field_that_the_bank_does_not_know_is_ignored() -> None:
    [one] = rank(BANK, FLAT, {}, (), [course("a", "art", "astrology")])
    [other] = rank(BANK, FLAT, {}, (), [course("a", "art")])

    assert one.score == other.score


def needing(code: str, *levels: int) -> CourseData:
    return course(code, "art", levels=levels, importance=tuple(int(level > 0) for level in levels))


def test_aptitude_spreads_courses_by_a_fifth_of_an_sd_for_a_strong_student() -> None:
    courses = [needing("a", 3, 2, 0), needing("b", 1, 1, 1), needing("c", 0, 2, 1)]

    terms = aptitude_terms(courses, STRONG, MATCHING)

    assert pstdev(terms.values()) == pytest.approx(0.2)
    assert sum(terms.values()) == pytest.approx(0)
    assert terms["a"] == max(terms.values())


def test_aptitude_is_no_bonus_for_courses_that_ask_little() -> None:
    """A weak student gains by them what a strong one loses; the average student neither."""
    courses = [needing("hard", 3, 3, 3), needing("easy", 1, 1, 1)]
    weak = {facet: Ability(-1.0, 0.4) for facet in FACETS}
    average = {facet: Ability(0.0, 0.4) for facet in FACETS}

    assert aptitude_terms(courses, STRONG, MATCHING) == pytest.approx({"hard": 0.2, "easy": -0.2})
    assert aptitude_terms(courses, weak, MATCHING) == pytest.approx({"hard": -0.2, "easy": 0.2})
    assert aptitude_terms(courses, average, MATCHING) == {"hard": 0.0, "easy": 0.0}


def test_a_facet_of_double_importance_counts_twice() -> None:
    courses = [
        course("words", "art", levels=(0, 0, 1), importance=(0, 0, 2)),
        course("numbers", "art", levels=(1, 0, 0), importance=(1, 0, 0)),
    ]
    only_words = {facet: Ability(float(facet == "verbal"), 0.4) for facet in FACETS}

    # demands 2 and 1: 1 above and below their means, scaled by .2 / SD of the sums (.5)
    assert aptitude_terms(courses, only_words, MATCHING) == pytest.approx(
        {"words": 0.4, "numbers": -0.4}
    )


def test_aptitude_adds_at_most_its_cap() -> None:
    courses = [needing("hard", 3, 3, 3), needing("easy", 1, 1, 1)]
    genius = {facet: Ability(4.0, 0.4) for facet in FACETS}

    assert aptitude_terms(courses, genius, MATCHING) == {"hard": 0.4, "easy": -0.4}


def test_a_course_without_levels_is_left_out_of_the_comparison() -> None:
    courses = [needing("hard", 3, 3, 3), needing("easy", 1, 1, 1)]

    terms = aptitude_terms([*courses, course("open", "art")], STRONG, MATCHING)

    assert terms.pop("open") == 0
    assert terms == pytest.approx(aptitude_terms(courses, STRONG, MATCHING))


@pytest.mark.parametrize(
    "courses",
    [[], [course("a", "art")], [needing("a", 2, 2, 2)], [needing("a", 2, 1), needing("b", 2, 1)]],
)
def test_where_courses_do_not_differ_aptitude_adds_nothing(courses: list[CourseData]) -> None:
    assert set(aptitude_terms(courses, STRONG, MATCHING).values()) <= {0.0}


def test_preferences_make_at_most_a_twentieth_of_an_sd() -> None:
    courses = [
        course("for", "art", delivery=("alone",)),
        course("against", "art", delivery=("group",)),
    ]

    first, second = rank(BANK, FLAT, {}, ("alone",), courses)

    assert (first.course.code, second.course.code) == ("for", "against")
    assert first.score - second.score == pytest.approx(0.05)


def test_a_third_course_of_a_department_yields_to_one_about_as_good() -> None:
    fits = [fit("a", 1.0, "X"), fit("b", 0.9, "X"), fit("c", 0.8, "X"), fit("d", 0.55, "Y")]

    assert [each.course.code for each in choose(fits, 4, MATCHING)] == ["a", "b", "d", "c"]


def test_a_third_course_of_a_department_stays_before_one_clearly_worse() -> None:
    fits = [fit("a", 1.0, "X"), fit("b", 0.9, "X"), fit("c", 0.8, "X"), fit("d", 0.54, "Y")]

    assert [each.course.code for each in choose(fits, 4, MATCHING)] == ["a", "b", "c", "d"]


def test_courses_without_a_department_are_not_of_one() -> None:
    fits = [fit(code, 1.0 - place / 100) for place, code in enumerate("abcde")]

    assert [each.course.code for each in choose(fits, 5, MATCHING)] == list("abcde")


def test_after_the_first_five_departments_no_longer_count() -> None:
    fits = [fit(code, 1.0 - place / 100, code.upper()) for place, code in enumerate("abcde")]
    more = [fit("f", 0.5, "A"), fit("g", 0.49, "A"), fit("h", 0.48, "Z")]

    assert [each.course.code for each in choose([*fits, *more], 8, MATCHING)] == list("abcdefgh")


def test_a_shorter_list_is_the_beginning_of_a_longer_one() -> None:
    draw = random.Random(3)
    fits = sorted(
        (fit(str(n), draw.gauss(0, 1), draw.choice("XYZ")) for n in range(20)),
        key=lambda each: -each.score,
    )

    whole = choose(fits, 20, MATCHING)

    assert len(whole) == 20
    assert all(choose(fits, count, MATCHING) == whole[:count] for count in range(20))


@pytest.mark.parametrize(
    ("stream", "suits"),
    [("", True), ("other", True), ("arts", False), ("science-maths", True)],
)
def test_required_streams_exclude_only_who_named_another(stream: str, suits: bool) -> None:
    physics = course("p", "physical_science", required_streams=("science-maths",))

    assert suits_stream(physics, stream) is suits
    assert suits_stream(course("a", "art"), stream)
