"""Field scores of a student, and how courses are ranked and chosen by them."""

import random
from dataclasses import replace
from statistics import pstdev

import numpy as np
import pytest

from measurement.ability import Ability
from measurement.courses import ENTRY_LEVELS, TAKERS
from measurement.field_fit import (
    Fit,
    aptitude_terms,
    choose_courses,
    field_shares,
    fit_sd,
    preference_fit,
    rank_courses,
    raw_fit,
    suits_stream,
    suits_takers,
)
from measurement.fields import FIELDS, field_scores, leading_fields, statement_scores
from measurement.scales import FACETS, Norm
from tests.measurement.field_bank import course, field_bank, needing, sitting

BANK = field_bank()
MATCHING = BANK.matching
FLAT = dict.fromkeys(FIELDS, 0.0)


def test_an_answer_counts_in_sds_from_the_norm_of_its_statement():
    norms = {**BANK.statement_norms, "int-mixer": Norm(2.5, 1.25)}

    scores = statement_scores(replace(BANK, statement_norms=norms), {"int-mixer": 5, "int-pond": 3})

    assert scores == {"int-mixer": 2.0, "int-pond": pytest.approx((3 - 3.03) / 1.2)}


def test_scores_are_those_of_a_regression_on_all_answers():
    """The same from one system of equations, solved by numpy."""
    draw = random.Random("regression")
    answers = {code: draw.randint(1, 5) for code in draw.sample(list(BANK.statements), 48)}
    order = list(FIELDS)
    own = [BANK.statements[code].fields for code in answers]
    likings = np.array([[(name in each) / len(each) for name in order] for each in own])
    covariances = np.array(BANK.field_covariances)
    of_answers = likings @ covariances @ likings.T + MATCHING.noise * np.eye(len(answers))
    z = [statement_scores(BANK, answers)[code] for code in answers]

    scores = field_scores(BANK, answers)

    assert list(scores.values()) == pytest.approx(
        covariances @ likings.T @ np.linalg.solve(of_answers, z), abs=1e-4
    )


def test_the_highest_fields_lead_and_ties_go_by_the_table():
    first = list(FIELDS)

    assert leading_fields(BANK, FLAT) == first[:12]
    some = {**FLAT, "office": 0.1, "law": 0.2}
    assert leading_fields(BANK, some) == ["law", "office", *first[:10]]


def test_the_main_field_counts_twice():
    assert field_shares(["machines"], MATCHING) == {"machines": 1.0}
    assert field_shares(["machines", "maths", "office"], MATCHING) == {
        "machines": 0.5,
        "maths": 0.25,
        "office": 0.25,
    }


def test_raw_fit_is_relative_to_the_mean_of_all_fields():
    """Liking everything raises the fit of no course."""
    assert raw_fit({**FLAT, "machines": 2.2}, ["machines"], MATCHING) == pytest.approx(2.2 - 0.1)
    assert raw_fit(dict.fromkeys(FIELDS, 1.5), ["art", "law"], MATCHING) == pytest.approx(0.0)


def test_the_unit_of_a_fit_follows_from_the_covariances_of_fields():
    draw = random.Random(7)
    general = [draw.gauss(0, 1) for _ in range(4000)]
    people = [{f: 0.3 * g + draw.gauss(0, 0.6) for f in FIELDS} for g in general]
    columns = [[person[f] for person in people] for f in FIELDS]
    covariances = np.cov(columns, ddof=0)
    fits = [raw_fit(person, ["art", "design"], MATCHING) for person in people]

    assert fit_sd(("art", "design"), replace(BANK, field_covariances=covariances)) == (
        pytest.approx(MATCHING.fit_spread * pstdev(fits))
    )
    alike = replace(BANK, field_covariances=np.ones((len(FIELDS), len(FIELDS))))
    assert fit_sd(("art",), alike) == 1e-6


@pytest.mark.parametrize(
    ("preferred", "delivery", "fit"),
    [
        (("group", "doing"), (), 0),
        ((), ("group", "doing"), 0),
        (("group", "doing"), ("group", "doing"), 0.5),
        (("alone", "reading"), ("group", "doing"), -0.5),
        (("group",), ("group", "doing"), 0.25),
        (("group",), ("alone", "group"), 0),
        (("alone",), ("group", "doing", "planned", "online"), -0.125),
    ],
)
def test_preference_fit_is_the_share_that_agrees_centred_at_0(preferred, delivery, fit):
    assert preference_fit(preferred, delivery) == fit


def terms_of(courses, facets):
    """Return what `aptitude_terms` says of these courses, by code."""
    terms = aptitude_terms([each.demands for each in courses], facets, MATCHING)
    return {each.code: terms[each.demands] for each in courses}


def able(theta):
    return {facet: Ability(theta, 0.4) for facet in FACETS}


HARD_AND_EASY = [needing("hard", 3, 3, 3), needing("easy", 1, 1, 1)]


@pytest.mark.parametrize(
    ("theta", "hard"), [(1.0, 0.2), (-1.0, -0.2), (0.0, 0.0), (1.5, 0.3), (4.0, 0.4), (-4.0, -0.4)]
)
def test_aptitude_is_no_bonus_for_courses_that_ask_little(theta, hard):
    """A weak student gains by them what a strong one loses, at most .4 of an SD."""
    terms = terms_of([*HARD_AND_EASY, course("open", "art")], able(theta))

    assert terms == pytest.approx({"hard": hard, "easy": -hard, "open": 0.0})


def test_a_facet_of_double_importance_counts_twice():
    courses = [needing("words", 0, 0, 1, verbal_importance=2), needing("numbers", 1, 0, 0)]
    only_words = {facet: Ability(float(facet == "verbal"), 0.4) for facet in FACETS}

    # demands 2 and 1: 1 above and below their means, scaled by .2 / SD of the sums (.5)
    assert terms_of(courses, only_words) == pytest.approx({"words": 0.4, "numbers": -0.4})


@pytest.mark.parametrize(
    "courses",
    [[], [course("a", "art")], [needing("a", 2, 2, 2)], [needing("a", 2, 1), needing("b", 2, 1)]],
)
def test_where_courses_do_not_differ_aptitude_adds_nothing(courses):
    assert terms_of(courses, able(1.0)) == {each.code: 0.0 for each in courses}


def ranked(scores, courses):
    return [fit.course.code for fit in rank_courses(BANK, scores, {}, (), courses)]


@pytest.mark.parametrize("seed", range(8))
def test_who_loves_one_field_gets_a_course_of_it_first_or_second_in_any_catalogue(seed):
    draw = random.Random(seed)
    courses = [
        course(str(number), *draw.sample(list(FIELDS), draw.randint(1, 3))) for number in range(24)
    ]
    main_fields = {each.code: each.fields[0] for each in courses}

    for field in set(main_fields.values()):
        first, second, *_ = ranked(sitting({field: 5}), courses)
        assert field in (main_fields[first], main_fields[second])


@pytest.mark.parametrize("code", list(BANK.statements))
def test_a_higher_answer_never_lowers_the_fit_of_its_field(code):
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
            scores = field_scores(BANK, changed)
            fits.append([raw_fit(scores, [field], MATCHING) for field in fields])
        for lower, higher in zip(fits, fits[1:], strict=False):
            assert all(one <= other for one, other in zip(lower, higher, strict=True))


def test_ties_go_by_staff_order_then_code_and_the_order_of_rows_changes_nothing():
    courses = [course("b", "art", order=2), course("c", "art"), course("a", "art")]

    assert ranked(FLAT, courses) == ranked(FLAT, courses[::-1]) == ["a", "c", "b"]


def test_unknown_fields_are_ignored_and_a_course_without_fields_is_average():
    courses = [course("none"), course("b", "art", "astrology"), course("a", "art")]

    one, other, average = rank_courses(BANK, sitting({"art": 5}), {}, (), courses)

    assert (one.course.code, other.course.code, average.course.code) == ("a", "b", "none")
    assert one.interest == other.interest > average.interest == 0


def test_preferences_make_at_most_a_twentieth_of_an_sd():
    courses = [course(side, "art", delivery=(side,)) for side in ("alone", "group")]

    first, second = rank_courses(BANK, FLAT, {}, ("alone",), courses)

    assert (first.course.code, second.course.code) == ("alone", "group")
    assert first.score - second.score == pytest.approx(0.05)


def fit(code, value, department=""):
    return Fit(course(code, "art", department=department), value, value, 0.0, 0.0)


def chosen(fits):
    return "".join(each.course.code for each in choose_courses(fits, len(fits), MATCHING))


def test_a_third_course_of_a_department_yields_to_one_about_as_good():
    three = [fit("a", 1.0, "X"), fit("b", 0.9, "X"), fit("c", 0.8, "X")]

    assert chosen([*three, fit("d", 0.55, "Y")]) == "abdc"
    assert chosen([*three, fit("d", 0.54, "Y")]) == "abcd"
    # Courses without a department are not of one.
    assert chosen([fit(code, 1.0 - place / 100) for place, code in enumerate("abcde")]) == "abcde"


def test_after_the_first_five_departments_no_longer_count():
    fits = [fit(code, 1.0 - place / 100, code.upper()) for place, code in enumerate("abcde")]

    assert chosen([*fits, fit("f", 0.5, "A"), fit("g", 0.49, "A"), fit("h", 0.48, "Z")]) == (
        "abcdefgh"
    )


MATHS, BIOLOGY, BOTH = "science-maths", "science-biology", "science-maths-biology"


def test_courses_suit_by_subjects_and_by_the_level_that_they_ask_for():
    """Required subjects exclude who named others; both sciences open either."""
    assert all(suits_stream(course("a", "art"), stream) for stream in ("", "arts", BOTH))
    for required, stream, suits in (
        *((MATHS, stream, True) for stream in ("", "other", MATHS, BOTH)),
        *((MATHS, "arts", False), (BIOLOGY, BOTH, True), (BOTH, BOTH, True)),
        *((BOTH, MATHS, False), (BOTH, BIOLOGY, False), ("commerce", BOTH, False)),
    ):
        assert suits_stream(course("p", "art", required_streams=(required,)), stream) is suits
    levels = ["", *ENTRY_LEVELS]
    suited = {
        takers: [it for it in levels if suits_takers(course("p", "art", entry_level=it), takers)]
        for takers in TAKERS
    }
    school = ["", "class-10", "class-12"]
    assert suited == {"school-leavers": school, "graduates": ["degree"], "both": levels}
    assert levels == [*school, "degree"]
