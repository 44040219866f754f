"""What the result page says of a profile, in words and figures."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

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


def profile(
    facets: dict[str, float] | None = None,
    interests: tuple[float, ...] = CLEAR,
    preference: float = 3.0,
) -> Profile:
    """Return a profile with a theta for each facet given, each with an error of .3."""
    thetas = {"overall": 0.5, **(facets or {})}
    return Profile.from_json(
        {
            "interests": {
                name: {"mean": mean, "z": (mean - 3) / 0.9}
                for name, mean in zip(INTERESTS, interests, strict=True)
            },
            "aptitude": {name: {"theta": theta, "se": 0.3} for name, theta in thetas.items()},
            "preferences": {
                name: {"mean": preference, "z": (preference - 3) / 0.9} for name in PREFERENCES
            },
            "validity": CAREFUL.to_json(),
            "fields": dict.fromkeys(BANK.fields, 0.0),
        }
    )


EVEN = {"numerical": 0.6, "abstract": 0.5, "verbal": 0.4}


def stored(note: str = "", **more: Any) -> dict[str, Any]:
    """Return a recommendation as it is stored."""
    point = Point("enjoyed_field", "machines").to_json()
    return {
        "code": "BOT",
        "name": "Botany",
        "reasons": [point, point | {"form": 1}],
        "counterpoint": Point("unmeasured").to_json(),
        "note": note,
        "entry_level": "class-12",
        "streams": [],
    } | more


def test_all_puzzles_together_are_a_band_in_words_and_a_range_to_draw() -> None:
    said = report(profile(EVEN), [], "en", BANK)["reasoning"]

    assert said["band"]
    assert not re.search(r"\d", said["band"])
    assert (said["low"], said["high"]) == (57, 79)


def test_facets_that_do_not_differ_are_not_mentioned() -> None:
    assert report(profile(EVEN), [], "en", BANK)["comparison"] == ""


@pytest.mark.parametrize(
    ("thetas", "sentences"),
    [
        ((1.5, 0.0, 0.0), ["clearly better with the number puzzles"]),
        ((-1.5, 0.0, 0.0), ["clearly less well with the number puzzles"]),
        (
            (1.5, 0.0, -1.5),
            ["clearly better with the number", "clearly less well with the letter and logic"],
        ),
    ],
)
def test_a_facet_that_differs_is_named(thetas: tuple[float, ...], sentences: list[str]) -> None:
    facets = dict(zip(EVEN, thetas, strict=True))

    comparison = report(profile(facets), [], "en", BANK)["comparison"]

    assert comparison.count(".") == len(sentences)
    assert all(sentence in comparison for sentence in sentences)


def grouped(*marks: str) -> list[tuple[str, list[str]]]:
    """Return titles and names of the groups of courses with these notes, named by their place."""
    courses = [stored(note, name=str(place)) for place, note in enumerate(marks)]
    return [
        (group["title"], [course["name"] for course in group["courses"]])
        for group in groups(courses, "en", NAMES)
    ]


def test_the_first_three_courses_are_the_best_matches() -> None:
    assert grouped("", "close", "", "", "modest") == [
        ("Best matches", ["0", "1", "2"]),
        ("Also worth a look", ["3", "4"]),
    ]


def test_three_courses_need_no_second_group() -> None:
    assert grouped("", "", "") == [("Best matches", ["0", "1", "2"])]


def test_a_course_far_from_the_student_is_no_best_match() -> None:
    assert grouped("", "modest", "") == [
        ("Best matches", ["0"]),
        ("Also worth a look", ["1", "2"]),
    ]


def test_without_a_best_match_the_list_has_one_plain_title() -> None:
    assert grouped("modest", "modest") == [("Courses to look at", ["0", "1"])]


NAMES = {"machines": "machines", "computers": "computers", "maths": "maths", "art": "art"}
FIELDS = {"art": 0.1, "maths": 0.5, "machines": 1.4, "computers": 0.9, "office": -1.0}
FLAGGED = Validity(None, None, None, 0, 1, None, (), ("instructed_missed",))


def of_fields(count: int = 5, **more: Any) -> dict[str, Any]:
    """Return the report of a student with these fields and this many courses."""
    student = replace(profile(EVEN), fields=FIELDS, **more)
    return report(student, [stored()] * count, "en", BANK, "assumed", NAMES, given_name="Asha")


def test_the_three_fields_enjoyed_most_are_the_headline() -> None:
    said = of_fields()

    assert said["headline"] == "Asha, you enjoy <b>machines, computers and maths</b>"
    assert said["leaning_fields"] == ""


@pytest.mark.parametrize(
    ("language", "name", "fields", "heading"),
    [
        ("en", "", "maths", "You enjoy <b>maths</b>"),
        ("en", "Asha", "", "Asha, here is your result"),
        ("en", "", "", "Here is your result"),
        ("hi", "आशा", "गणित", "आशा, आपकी पसंद: <b>गणित</b>"),
    ],
)
def test_the_heading_of_a_result(language: str, name: str, fields: str, heading: str) -> None:
    with translation.override(language):
        assert headline(name, fields) == heading


def test_a_name_is_no_markup() -> None:
    assert headline("<b>{fields}%s", "") == "&lt;b&gt;{fields}%s, here is your result"


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
def test_words_are_joined_as_in_a_sentence(words: list[str], text: str) -> None:
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
def test_whom_likings_are_compared_with_is_said(
    of_students: bool, language: str, words: str
) -> None:
    student = replace(profile(EVEN), fields=FIELDS)

    with translation.override(language):
        said = report(student, [], language, BANK, names=NAMES, has_norms_of_students=of_students)

    assert words in said["fields_note"]


def test_nothing_is_compared_where_no_field_is_named() -> None:
    said = report(profile(EVEN), [], "en", BANK, has_norms_of_students=True)

    assert (said["headline"], said["fields_note"]) == ("Here is your result", "")


def test_answers_that_look_careless_name_only_fields_that_stand_out() -> None:
    said = of_fields(validity=FLAGGED)

    assert said["headline"] == "Asha, here is your result"
    assert said["leaning_fields"] == "machines and computers"


def test_a_field_that_is_liked_more_than_by_others_but_not_liked_is_not_named() -> None:
    disliked = {
        code: Norm(2.0, 1.0)
        for code, statement in BANK.statements.items()
        if "computers" in statement.fields
    }
    known = replace(BANK, statement_norms={**BANK.statement_norms, **disliked})
    student = replace(profile(EVEN), fields=FIELDS)  # computers: .9 above a mean of 2

    assert enjoyed(student, BANK) == ["machines", "computers", "maths"]
    assert enjoyed(student, known) == ["machines", "maths"]


def test_an_even_profile_names_no_field_that_is_as_good_as_the_others() -> None:
    even = {"art": 1.0, "maths": 1.1, "machines": 0.9}

    said = report(replace(profile(interests=(4.0,) * 6), fields=even), [], "en", BANK, names=NAMES)

    assert (said["headline"], said["leaning_fields"]) == ("Here is your result", "")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "about three of these five courses"), ("hi", "करीब तीन कोर्स")]
)
def test_a_list_of_five_says_what_a_retake_would_change(language: str, words: str) -> None:
    with translation.override(language):
        assert words in of_fields()["retake_note"]


def test_nothing_is_said_of_retakes_where_none_were_simulated() -> None:
    assert of_fields(count=4)["retake_note"] == ""
    assert of_fields(validity=FLAGGED)["retake_note"] == ""


def test_flagged_answers_are_mentioned_gently_and_once() -> None:
    said = report(replace(profile(), validity=FLAGGED), [], "en", BANK)

    assert said["confidence_note"].count("too quickly") == 1
    assert [
        course["note"] for course in groups([stored("flagged")], "en", NAMES)[0]["courses"]
    ] == [""]


def test_a_flat_profile_is_called_a_first_idea() -> None:
    said = report(profile(interests=(3.0,) * 6), [], "en", BANK)

    assert said["flat"] is True
    assert said["highest"] == []
    assert "as first ideas" in said["confidence_note"]


@pytest.mark.parametrize(
    ("mean", "label"),
    [(3.0, "No strong preference."), (3.4, "No strong preference."), (4.0, "You lean towards")],
)
def test_a_preference_is_named_only_when_it_is_clear(mean: float, label: str) -> None:
    said = report(profile(preference=mean), [], "en", BANK)

    assert all(each["label"].startswith(label) for each in said["preferences"])
    named = said["leanings"]
    assert named == (said["preferences"] if label == "You lean towards" else [])
