"""What the result page says of a profile, in words and figures."""

import json
import re
from dataclasses import replace

import pytest
from django.utils import translation

from assessments.banks import SHIPPED
from assessments.measurement.bank import Bank
from assessments.measurement.profile import Profile
from assessments.measurement.reasons import Point
from assessments.measurement.scales import INTERESTS, PREFERENCES, Norm
from assessments.measurement.validity import CAREFUL, Validity
from assessments.student.courses import groups
from assessments.student.report import enjoyed, headline, joined, report

BANK = Bank.from_json(json.loads(SHIPPED.read_bytes()))
CLEAR = (4.5, 2.0, 3.0, 3.5, 1.5, 2.5)
EVEN = {"numerical": 0.6, "abstract": 0.5, "verbal": 0.4}
NAMES = {"machines": "machines", "computers": "computers", "maths": "maths", "art": "art"}
FIELDS = {"art": 0.1, "maths": 0.5, "machines": 1.4, "computers": 0.9, "office": -1.0}
FLAGGED = Validity(None, None, None, 0, 1, None, (), ("instructed_missed",))


def profile(facets=None, interests=CLEAR, preference=3.0):
    """Return a profile with a theta for each facet given, each with an error of .3."""
    thetas = {"overall": 0.5, **(facets or {})}
    liked = zip(INTERESTS, interests, strict=True)
    leaning = {"mean": preference, "z": (preference - 3) / 0.9}
    return Profile.from_json(
        {
            "interests": {name: {"mean": mean, "z": (mean - 3) / 0.9} for name, mean in liked},
            "aptitude": {name: {"theta": theta, "se": 0.3} for name, theta in thetas.items()},
            "preferences": dict.fromkeys(PREFERENCES, leaning),
            "validity": CAREFUL.to_json(),
            "fields": dict.fromkeys(BANK.fields, 0.0),
        }
    )


def stored(note="", **more):
    """Return a recommendation as it is stored."""
    point = Point("enjoyed_field", "machines").to_json()
    return {
        **{"code": "BOT", "name": "Botany", "reasons": [point, point | {"form": 1}], "note": note},
        "counterpoint": Point("unmeasured").to_json(),
        **{"entry_level": "class-12", "streams": []},
    } | more


def report_of_fields(count=5, **more):
    """Return the report of a student with these fields and this many courses."""
    student = replace(profile(EVEN), fields=FIELDS, **more)
    return report(student, [stored()] * count, "en", BANK, "assumed", NAMES, given_name="Asha")


def test_all_puzzles_together_are_a_band_in_words_and_a_range_to_draw():
    reasoning = report(profile(EVEN), [], "en", BANK)["reasoning"]

    assert (reasoning["low"], reasoning["high"]) == (57, 79)
    assert re.fullmatch(r"\D+", reasoning["band"])


@pytest.mark.parametrize(
    ("thetas", "sentences"),
    [
        (EVEN.values(), []),
        ((1.5, 0.0, 0.0), ["clearly better with the number puzzles"]),
        ((-1.5, 0.0, 0.0), ["clearly less well with the number puzzles"]),
        (
            (1.5, 0.0, -1.5),
            ["clearly better with the number", "clearly less well with the letter and logic"],
        ),
    ],
)
def test_only_a_facet_that_differs_is_named(thetas, sentences):
    facets = dict(zip(EVEN, thetas, strict=True))

    comparison = report(profile(facets), [], "en", BANK)["comparison"]

    assert comparison.count(".") == len(sentences)
    assert all(sentence in comparison for sentence in sentences)


BEST, ALSO, PLAIN = "Best matches", "Also worth a look", "Courses to look at"


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (["", "", ""], [(BEST, "012")]),
        (["", "close", "", "", "modest"], [(BEST, "012"), (ALSO, "34")]),
        (["", "modest", ""], [(BEST, "0"), (ALSO, "12")]),
        (["modest", "modest"], [(PLAIN, "01")]),
        ([], []),
    ],
)
def test_courses_before_the_first_far_one_are_best_matches_three_at_most(notes, expected):
    courses = [stored(note, name=str(place)) for place, note in enumerate(notes)]

    found = groups(courses, "en", NAMES)

    names = ["".join(course["name"] for course in group["courses"]) for group in found]
    assert [*zip([group["title"] for group in found], names, strict=True)] == expected


@pytest.mark.parametrize(
    ("language", "name", "fields", "heading"),
    [
        ("en", "Asha", "maths", "Asha, you enjoy <b>maths</b>"),
        ("en", "", "maths", "You enjoy <b>maths</b>"),
        ("en", "Asha", "", "Asha, here is your result"),
        ("en", "", "", "Here is your result"),
        ("hi", "आशा", "गणित", "आशा, आपकी पसंद: <b>गणित</b>"),
        ("en", "<b>{fields}%s", "", "&lt;b&gt;{fields}%s, here is your result"),
    ],
)
def test_the_heading_of_a_result(language, name, fields, heading):
    with translation.override(language):
        assert headline(name, fields) == heading


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        ("abc", "a, b and c"),
        (["b and c", "a"], "a, b and c"),
    ],
)
def test_words_are_joined_as_in_a_sentence(words, text):
    assert joined(words) == text


@pytest.mark.parametrize(
    ("of_students", "language", "words"),
    [
        (True, "en", "like more than other students here do"),
        (False, "en", "as far as we can tell so far"),
        (True, "hi", "यहाँ असेसमेंट दे चुके दूसरे विद्यार्थियों से"),
        (False, "hi", "अब तक के अंदाज़े से"),
    ],
)
def test_the_page_names_whom_likings_are_compared_with(of_students, language, words):
    student = replace(profile(EVEN), fields=FIELDS)

    with translation.override(language):
        said = report(student, [], language, BANK, names=NAMES, has_norms_of_students=of_students)

    assert words in said["fields_note"]


def test_the_three_fields_enjoyed_most_are_the_headline():
    said = report_of_fields()

    assert said["headline"] == "Asha, you enjoy <b>machines, computers and maths</b>"
    assert said["leaning_fields"] == ""


def test_answers_that_look_careless_name_only_fields_that_stand_out():
    said = report_of_fields(validity=FLAGGED)

    assert said["headline"] == "Asha, here is your result"
    assert said["leaning_fields"] == "machines and computers"
    assert said["confidence_note"].count("too quickly") == 1
    [group] = groups([stored("flagged")], "en", NAMES)
    assert [course["note"] for course in group["courses"]] == [""]


def test_a_field_that_is_liked_more_than_by_others_but_not_liked_is_not_named():
    disliked = {
        code: Norm(2.0, 1.0)
        for code, statement in BANK.statements.items()
        if "computers" in statement.fields
    }
    known = replace(BANK, statement_norms={**BANK.statement_norms, **disliked})
    student = replace(profile(EVEN), fields=FIELDS)  # computers: .9 above a mean of 2

    assert enjoyed(student, BANK) == ["machines", "computers", "maths"]
    assert enjoyed(student, known) == ["machines", "maths"]


@pytest.mark.parametrize(
    "student",
    [
        profile(EVEN),
        replace(profile(interests=(4.0,) * 6), fields={"art": 1.0, "maths": 1.1, "machines": 0.9}),
    ],
    ids=["no field is liked", "all fields are liked alike"],
)
def test_where_no_field_stands_out_none_is_named_and_nothing_compared(student):
    said = report(student, [], "en", BANK, names=NAMES, has_norms_of_students=True)

    named = (said["headline"], said["leaning_fields"], said["fields_note"])
    assert named == ("Here is your result", "", "")


def test_a_flat_profile_is_called_a_first_idea():
    said = report(profile(interests=(3.0,) * 6), [], "en", BANK)

    assert (said["flat"], said["highest"]) == (True, [])
    assert "as first ideas" in said["confidence_note"]


def test_a_list_of_five_from_careful_answers_says_what_a_retake_would_change():
    with translation.override("hi"):
        assert "करीब तीन कोर्स" in report_of_fields()["retake_note"]
    assert "about three of these five courses" in report_of_fields()["retake_note"]
    assert report_of_fields(count=4)["retake_note"] == ""
    assert report_of_fields(validity=FLAGGED)["retake_note"] == ""


@pytest.mark.parametrize(
    ("mean", "label"),
    [(3.0, "No strong preference."), (3.4, "No strong preference."), (4.0, "You lean towards")],
)
def test_a_preference_is_named_only_when_it_is_clear(mean, label):
    said = report(profile(preference=mean), [], "en", BANK)

    assert all(each["label"].startswith(label) for each in said["preferences"])
    assert said["leanings"] == (said["preferences"] if mean == 4 else [])
