"""Courses that a student named: their place, how well they fit, and why."""

from measurement import explanation
from measurement.considered import FITS
from measurement.recommendation import suggest
from measurement.wording import WORDS
from tests.measurement.field_bank import course, field_bank, profile, sitting

BANK = field_bank()
MATHS = "science-maths"
CATALOGUE = [
    course("MEC", "machines", required_streams=(MATHS,)),
    course("CIV", "building"),
    course("LAW", "law"),
    course("ART", "art"),
    course("BUS", "business"),
    course("MUS", "performing"),
]
LIKES = sitting({"machines": 5, "building": 4})
DISLIKES = {"int-advert": 1}


def suggested(*named, stream="", answers=None, **changes):
    return suggest(BANK, profile(LIKES, **changes), answers or {}, CATALOGUE, 3, stream, named)


def scores(*named):
    found = suggest(BANK, profile(LIKES), {}, CATALOGUE, 6, "", named).recommended
    return {each.code: each.score for each in found}


def test_a_named_course_gains_half_an_sd_and_every_other_keeps_its_fit():
    before, after = scores(), scores("LAW")

    assert {code: round(after[code] - before[code], 4) for code in after} == {
        code: 0.5 if code == "LAW" else 0.0 for code in before
    }


def test_each_named_course_gets_an_answer_with_both_places():
    said = suggested("LAW", "MEC", "gone")

    by_code = {each.code: each for each in said.considered}
    assert list(by_code) == ["LAW", "MEC"]
    assert (by_code["MEC"].fit, by_code["MEC"].place_unnamed) == ("well", 1)
    assert by_code["LAW"].place <= by_code["LAW"].place_unnamed
    assert by_code["LAW"].fit in FITS
    assert said.unnamed[:2] == ["MEC", "CIV"]
    assert suggested().considered == suggested().unnamed == []


def test_what_speaks_against_a_course_is_said_by_a_statement_or_the_field():
    [answer] = suggested("BUS", answers=DISLIKES).considered

    assert answer.fit != "well"
    codes = [(point.code, point.about) for point in answer.points]
    assert ("disliked_statement", "int-advert") in codes or ("less_field", "business") in codes
    names = {"int-advert": "Write an advertisement", "business": "business"}
    for language in WORDS:
        texts = [explanation.sentence(point, language, names) for point in answer.points]
        assert all(texts)


def test_a_course_that_needs_other_subjects_says_which():
    [answer] = suggested("MEC", stream="commerce").considered

    assert (answer.fit, answer.streams, answer.points) == ("subjects", (MATHS,), ())
