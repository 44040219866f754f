"""Field scores of a student, how courses are ranked and chosen by them, and courses they name."""

import random
from dataclasses import replace
from statistics import pstdev

import numpy as np
import pytest

from measurement import explanation
from measurement.ability import Ability
from measurement.courses import ENTRY_LEVELS, TAKERS
from measurement.explanation import count_best_matches
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
from measurement.recommendation import FITS, suggest
from measurement.scales import FACETS, Norm
from measurement.validity import CAREFUL
from measurement.wording import WORDS
from tests.measurement.field_bank import course, field_bank, profile, sitting

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

    assert fit_sd(["art", "design"], replace(BANK, field_covariances=covariances)) == (
        pytest.approx(MATCHING.fit_spread * pstdev(fits))
    )
    alike = replace(BANK, field_covariances=np.ones((len(FIELDS), len(FIELDS))))
    assert fit_sd(["art"], alike) == 1e-6


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


def needing(code, *levels, field="art", **facts):
    needs = {}
    for facet, level in zip(FACETS, levels, strict=False):
        needs |= {f"{facet}_level": level, f"{facet}_importance": int(level > 0)}
    return course(code, field, **needs | facts)


def able(theta):
    return {facet: Ability(theta, 0.4) for facet in FACETS}


HARD_AND_EASY = [needing("hard", 3, 3, 3), needing("easy", 1, 1, 1)]


@pytest.mark.parametrize(
    ("theta", "hard"), [(1.0, 0.2), (-1.0, -0.2), (0.0, 0.0), (1.5, 0.3), (4.0, 0.4), (-4.0, -0.4)]
)
def test_aptitude_is_no_bonus_for_courses_that_ask_little(theta, hard):
    """A weak student gains by them what a strong one loses, at most .4 of an SD."""
    terms = aptitude_terms([*HARD_AND_EASY, course("open", "art")], able(theta), MATCHING)

    assert terms == pytest.approx({"hard": hard, "easy": -hard, "open": 0.0})


def test_a_facet_of_double_importance_counts_twice():
    courses = [needing("words", 0, 0, 1, verbal_importance=2), needing("numbers", 1, 0, 0)]
    only_words = {facet: Ability(float(facet == "verbal"), 0.4) for facet in FACETS}

    # demands 2 and 1: 1 above and below their means, scaled by .2 / SD of the sums (.5)
    assert aptitude_terms(courses, only_words, MATCHING) == pytest.approx(
        {"words": 0.4, "numbers": -0.4}
    )


@pytest.mark.parametrize(
    "courses",
    [[], [course("a", "art")], [needing("a", 2, 2, 2)], [needing("a", 2, 1), needing("b", 2, 1)]],
)
def test_where_courses_do_not_differ_aptitude_adds_nothing(courses):
    assert aptitude_terms(courses, able(1.0), MATCHING) == {each.code: 0.0 for each in courses}


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


@pytest.mark.parametrize(
    ("required", "stream", "suits"),
    [
        *((MATHS, stream, True) for stream in ("", "other", MATHS, BOTH)),
        *((MATHS, "arts", False), (BIOLOGY, BOTH, True), (BOTH, BOTH, True)),
        *((BOTH, MATHS, False), (BOTH, BIOLOGY, False), ("commerce", BOTH, False)),
    ],
)
def test_required_subjects_exclude_who_named_others_and_both_sciences_open_either(
    required, stream, suits
):
    assert suits_stream(course("p", "art", required_streams=(required,)), stream) is suits
    assert suits_stream(course("a", "art"), stream)


@pytest.mark.parametrize(
    ("takers", "suited"),
    [
        ("school-leavers", ["", "class-10", "class-12"]),
        ("graduates", ["degree"]),
        ("both", ["", "class-10", "class-12", "degree"]),
    ],
)
def test_courses_that_ask_for_a_degree_are_for_graduates_and_all_others_for_school_leavers(
    takers, suited
):
    levels = ["", *ENTRY_LEVELS]

    assert takers in TAKERS
    assert suited == [
        level for level in levels if suits_takers(course("p", "art", entry_level=level), takers)
    ]


CATALOGUE = [
    needing("MEC", 3, field="machines", numerical_importance=2, required_streams=(MATHS,)),
    needing("CIV", 1, field="building", required_streams=(MATHS, BIOLOGY)),
    needing("AGR", 0, 1, field="nature", required_streams=(BIOLOGY,)),
    needing("ART", 0, 0, 1),
    course("LAW", "law"),
]


def suggested(stream):
    student = profile(sitting({"machines": 5, "building": 4}), overall=1.0)
    return suggest(BANK, student, {}, CATALOGUE, 5, stream)


def test_courses_that_require_other_subjects_are_left_out_of_the_ranking_of_all():
    everything = {each.code: each.score for each in suggested("").recommended}
    assert list(everything)[:2] == ["MEC", "CIV"]

    for stream, others in [
        ("commerce", {"MEC", "CIV", "AGR"}),
        (MATHS, {"AGR"}),
        (BIOLOGY, {"MEC"}),
        ("other", set()),
    ]:
        some = suggested(stream)
        assert {each.code: each.score for each in some.recommended} == {
            code: score for code, score in everything.items() if code not in others
        }
        assert [each.code for each in some.other_subjects] == [
            code for code in everything if code in others
        ]


def test_at_most_twenty_courses_that_need_other_subjects_are_kept():
    many = [course(f"C{n:02}", "machines", required_streams=(MATHS,)) for n in range(25)]

    kept = suggest(BANK, profile(FLAT), {}, many, 5, "arts").other_subjects

    assert [each.code for each in kept] == [f"C{n:02}" for n in range(20)]


LIKES = sitting({"machines": 5, "building": 4})


def test_no_list_has_a_course_name_twice():
    shifts = [
        course("M1", "machines", name="B.Tech  Mechanical", department="X"),
        course("M2", "machines", name="B.Tech Mechanical", required_streams=(MATHS,)),
        course("B1", "building", name="Civil", required_streams=(MATHS,)),
        course("B2", "building", name="civil", required_streams=(MATHS, BIOLOGY)),
        course("L", "law", name="Law"),
    ]

    for_arts = suggest(BANK, profile(LIKES), {}, shifts, 5, "arts")
    for_all = suggest(BANK, profile(LIKES), {}, shifts, 5, "")

    assert [each.code for each in for_arts.recommended] == ["M1", "L"]
    assert [each.code for each in for_arts.other_subjects] == ["B1"]
    assert [each.code for each in for_all.recommended] == ["M1", "B1", "L"]


# --- courses that a student names

NAMED_FROM = [
    course("MEC", "machines", required_streams=(MATHS,)),
    course("CIV", "building"),
    course("LAW", "law"),
    course("ART", "art"),
    course("BUS", "business"),
    course("MUS", "performing"),
]


def suggested_with(*named, stream="", answers=None, **changes):
    return suggest(BANK, profile(LIKES, **changes), answers or {}, NAMED_FROM, 3, stream, named)


def scores_of(*named):
    found = suggest(BANK, profile(LIKES), {}, NAMED_FROM, 6, "", named).recommended
    return {each.code: each.score for each in found}


def test_a_named_course_gains_half_an_sd_and_every_other_keeps_its_fit():
    before, after = scores_of(), scores_of("LAW")

    assert {code: round(after[code] - before[code], 4) for code in after} == {
        code: 0.5 if code == "LAW" else 0.0 for code in before
    }


def test_each_named_course_gets_an_answer_with_both_places():
    said = suggested_with("LAW", "MEC", "gone")

    by_code = {each.code: each for each in said.considered}
    assert list(by_code) == ["LAW", "MEC"]
    assert (by_code["MEC"].fit, by_code["MEC"].place_unnamed) == ("well", 1)
    assert by_code["LAW"].place <= by_code["LAW"].place_unnamed
    assert by_code["LAW"].fit in FITS
    assert said.unnamed[:2] == ["MEC", "CIV"]
    assert suggested_with().considered == suggested_with().unnamed == []


def test_what_speaks_against_a_course_is_said_by_a_statement_or_the_field():
    [answer] = suggested_with("BUS", answers={"int-advert": 1}).considered

    assert answer.fit != "well"
    codes = [(point.code, point.about) for point in answer.points]
    assert ("disliked_statement", "int-advert") in codes or ("less_field", "business") in codes
    names = {"int-advert": "Write an advertisement", "business": "business", "machines": "machines"}
    for language in WORDS:
        texts = [explanation.write_reason(point, language, names) for point in answer.points]
        assert all(texts)


def test_a_named_course_fits_as_well_above_as_in_the_list():
    student, courses = profile({**LIKES, "law": 0.1}), [*NAMED_FROM, course("ENG", "writing")]
    for field in BANK.fields:
        scores = {**student.fields, field: 0.4}
        for each in courses:
            said = suggest(BANK, replace(student, fields=scores), {}, courses, 3, "", [each.code])
            best = count_best_matches([{"note": one.note} for one in said.recommended])
            if each.code in [one.code for one in said.recommended[:best]]:
                assert said.considered[0].fit == "well"


def test_no_field_is_called_less_liked_that_is_liked_more_than_most():
    low = dict.fromkeys(BANK.fields, -2.0) | {"law": -1.9, "writing": -2.6}
    courses = [course("LAW", "law", "writing"), course("ART", "art")]

    [said] = suggest(BANK, profile(low), {}, courses, 2, "", ["LAW"]).considered

    assert "law" not in [point.about for point in said.points]


def test_best_fits_that_need_other_subjects_and_fields_that_no_course_has_are_told():
    likes = {**dict.fromkeys(BANK.fields, -0.5), "machines": 2.0, "performing": 1.5, "art": 1.2}
    courses = [each for each in NAMED_FROM if each.code != "MUS"]

    def gaps(stream, validity=CAREFUL):
        student = replace(profile(likes), validity=validity)
        found = suggest(BANK, student, {}, courses, 3, stream)
        return [each.code for each in found.best_closed], found.unserved

    assert gaps("arts") == (["MEC"], ["performing"])
    assert gaps(MATHS) == ([], ["performing"])
    assert gaps("arts", replace(CAREFUL, flags=["straight_line"])) == ([], [])
    assert suggest(BANK, profile(likes), {}, [], 3).unserved == []


def test_a_course_that_needs_other_subjects_says_which():
    [answer] = suggested_with("MEC", stream="commerce").considered

    assert (answer.fit, answer.streams, answer.points) == ("subjects", [MATHS], [])
