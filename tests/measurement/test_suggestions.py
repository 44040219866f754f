"""What is suggested: courses by subjects, equal names, and the courses that a student names."""

from dataclasses import replace

from measurement import explanation
from measurement.explanation import count_best_matches
from measurement.field_fit import Fit
from measurement.fields import FIELDS
from measurement.reasons import Explainer
from measurement.recommendation import FITS, suggest
from measurement.validity import CAREFUL
from measurement.wording import WORDS
from tests.measurement.field_bank import course, field_bank, needing, profile, sitting

BANK = field_bank()
FLAT = dict.fromkeys(FIELDS, 0.0)
MATHS, BIOLOGY, BOTH = "science-maths", "science-biology", "science-maths-biology"
CATALOGUE = [
    needing("MEC", 3, field="machines", numerical_importance=2, required_streams=(MATHS,)),
    needing("CIV", 1, field="building", required_streams=(MATHS, BIOLOGY)),
    needing("AGR", 0, 1, field="nature", required_streams=(BIOLOGY,)),
    needing("ART", 0, 0, 1),
    course("LAW", "law"),
]


def suggested(stream):
    student = profile(sitting({"machines": 5, "building": 4}), overall=1.0)
    return suggest(BANK, student, {}, CATALOGUE, 0, stream, further=5)


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


# --- courses for which nothing speaks


def suggested_to_neutral(answers, count=5, named=(), **scores):
    student = profile({**FLAT, **scores})
    return suggest(BANK, student, answers, NAMED_FROM, count, "", named).recommended


def test_a_course_for_which_nothing_speaks_is_left_out_but_three_are_suggested():
    for count in (3, 5):
        found = suggested_to_neutral({"int-advert": 4}, count)
        assert [each.code for each in found] == ["BUS", "ART", "CIV"]


def test_a_named_course_needs_no_other_reason():
    found = suggested_to_neutral({"int-advert": 4}, named=["MUS"], performing=-0.1)

    assert [each.code for each in found] == ["MUS", "BUS", "ART"]
    assert found[0].note == "modest"


def test_a_course_that_fits_well_needs_no_reason():
    disliked = dict.fromkeys(FIELDS, -0.6)
    student = profile({**disliked, "law": 0.0, "art": 0.0, "business": 0.0, "performing": 0.0})

    found = suggest(BANK, student, {}, NAMED_FROM, 5).recommended

    assert [(each.note in {"", "close"}, each.reasons) for each in found] == [(True, [])] * 4


def test_no_course_is_close_to_one_that_may_stand_below_it():
    explainer = Explainer(BANK, {}, profile(FLAT))

    explainer.explain(Fit(course("LAW", "law"), 0.49, 0.49, 0.0, 0.0))
    second = explainer.explain(Fit(course("ART", "art"), 0.5, 0.5, 0.0, 0.0))

    assert second.note == ""


def test_further_courses_need_no_reason_and_follow_the_same_list():
    answers = {"int-advert": 4}
    whole = suggest(BANK, profile(FLAT), answers, NAMED_FROM, 3, further=3).recommended

    assert [each.code for each in whole] == ["BUS", "ART", "CIV", "LAW", "MEC", "MUS"]
    assert whole[:3] == suggested_to_neutral(answers)


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
    found = suggest(BANK, profile(LIKES), {}, NAMED_FROM, 0, "", named, 6).recommended
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


def test_a_closed_course_is_told_that_alone_serves_an_enjoyed_field_and_no_other():
    likes = dict.fromkeys(BANK.fields, -0.5) | {"art": 2.0, "law": 1.9, "machines": 1.8}
    closed = course("MEC", "machines", required_streams=(MATHS,))
    open_ones = [course("ART", "art"), course("LAW", "law"), course("BOTH", "art", "law")]

    def told(*courses):
        found = suggest(BANK, profile(likes), {}, [*open_ones, *courses], 3, "arts")
        return [each.code for each in found.best_closed]

    assert told(closed) == ["MEC"]
    assert told(closed, course("TOY", "machines", "teaching")) == []


def test_a_course_that_needs_other_subjects_says_which():
    [answer] = suggested_with("MEC", stream="commerce").considered

    assert (answer.fit, answer.streams, answer.points) == ("subjects", [MATHS], [])
