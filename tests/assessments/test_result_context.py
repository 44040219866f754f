"""What the result page says of a profile and of a recommendation, in words and figures."""

import json
import random
import re
from dataclasses import asdict, replace
from itertools import product

import pytest

from assessments.banks import SHIPPED
from assessments.models.banks import ItemBank
from assessments.models.items import Item
from assessments.student.result_context import describe_courses, describe_profile, join_words
from measurement import explanation
from measurement.courses import DELIVERY
from measurement.field_fit import TOP
from measurement.fields import field_scores
from measurement.profile import Profile
from measurement.reasons import COUNTERPOINTS, FORMS, QUOTING, REASONS, Reason
from measurement.recommendation import suggest
from measurement.scales import FACETS, INTERESTS, PREFERENCES, ScaleScore
from measurement.validity import CAREFUL, DOUBTS
from measurement.wording import ENGLISH, WORDS
from tests.measurement.field_bank import demo_courses, field_bank
from tests.measurement.field_bank import profile as profile_of

DATA = json.loads(SHIPPED.read_bytes())
CLEAR = (4.5, 2.0, 3.0, 3.5, 1.5, 2.5)
EVEN = {"numerical": 0.6, "abstract": 0.5, "verbal": 0.4}
FIELDS = {"art": 0.1, "maths": 0.5, "machines": 1.4, "computers": 0.9, "office": -1.0}


def bank_in_memory(**definition):
    """Return the shipped bank without storing it."""
    rules = {name: value for name, value in DATA.items() if name != "items"}
    bank = ItemBank(version=DATA["version"], definition=rules | definition)
    bank.items = {key: Item.from_file(row, bank=0) for key, row in enumerate(DATA["items"])}
    return bank


BANK = bank_in_memory()


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
            "validity": asdict(CAREFUL),
            "fields": dict.fromkeys(BANK.scoring.fields, 0.0),
        }
    )


def stored(note="", **more):
    point = asdict(Reason("enjoyed_field", "machines"))
    return {
        **{"code": "BOT", "name": "Botany", "reasons": [point, point | {"form": 1}], "note": note},
        "counterpoint": asdict(Reason("unmeasured")),
        **{"entry_level": "class-12", "streams": []},
    } | more


@pytest.mark.parametrize(
    ("theta", "reference", "drawn", "bands"),
    [
        (0.5, "assumed", (51, 83), ["middle", "higher"]),
        (0.5, "students", (51, 83), ["middle", "higher"]),
        (1.8, "assumed", None, ["higher", "higher"]),
    ],
)
def test_all_bands_of_the_range_are_named_whatever_the_puzzles_are_compared_with(
    theta, reference, drawn, bands
):
    student = profile({"overall": theta}).to_json()

    found = describe_profile(bank_in_memory(reference=reference), student)["reasoning"]

    assert drawn in {None, (found["low"], found["high"])}
    assert [found["lowest"], found["highest"]] == [ENGLISH.bands[band] for band in bands]


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
@pytest.mark.django_db
def test_courses_before_the_first_far_one_are_best_matches_three_at_most(project, notes, expected):
    courses = [stored(note, name=str(place)) for place, note in enumerate(notes)]

    found = describe_courses(project, BANK, courses)["groups"]

    names = ["".join(course["name"] for course in group["courses"]) for group in found]
    assert [*zip([group["title"] for group in found], names, strict=True)] == expected


def test_the_three_fields_enjoyed_most_are_the_headline():
    described = describe_profile(BANK, replace(profile(EVEN), fields=FIELDS).to_json())

    machines, computers, maths = map(BANK.names("en").get, ("machines", "computers", "maths"))
    assert described["fields"] == join_words([machines, computers, maths])
    assert described["is_sure"]


@pytest.mark.parametrize(
    "student",
    [
        profile(EVEN),
        replace(profile(interests=(4.0,) * 6), fields={"art": 1.0, "maths": 1.1, "machines": 0.9}),
    ],
    ids=["no field is liked", "all fields are liked alike"],
)
def test_where_no_field_stands_out_none_is_named_and_nothing_compared(student):
    assert describe_profile(BANK, student.to_json())["fields"] == ""


HURRIED = {
    "interests": ["interests"],
    "puzzles": ["aptitude"],
    "study preferences": ["preferences"],
}


@pytest.mark.parametrize("hurried", HURRIED)
def test_hurry_in_a_part_voids_what_rests_on_that_part_only(hurried):
    student = replace(profile(EVEN, preference=4.5), fields=FIELDS)
    signs = {"flags": ["hurried_section"], "hurried_sections": HURRIED[hurried]}

    found = describe_profile(BANK, replace(student, validity=replace(CAREFUL, **signs)).to_json())

    voided = {
        "interests": not found["is_sure"] and found["confidence_note"] and not found["highest"],
        "puzzles": "caution" in found["reasoning"],
        "study preferences": found["preferences_caution"] and not found["leanings"],
    }
    assert {name for name, is_void in voided.items() if is_void} == {hurried}


@pytest.mark.parametrize("sign", [*DOUBTS, "flat"])
def test_a_doubtful_list_says_why_and_speaks_of_hurry_only_where_there_was_some(sign):
    student = profile(EVEN, interests=(3.0,) * 6) if sign == "flat" else profile(EVEN)
    flags = [] if sign == "flat" else [sign]
    stored = replace(student, validity=replace(CAREFUL, flags=flags)).to_json()

    note = describe_profile(BANK, stored)["confidence_note"]

    assert bool(note) is (sign != "fast_aptitude")
    assert ("quickly" in note) is (sign == "fast_interests")


def test_closed_best_fits_and_fields_of_no_course_are_named():
    stored = profile(EVEN).to_json() | {
        "other_subjects": [
            {"code": code, "name": f"BSc {code}", "streams": ["science-maths"]} for code in "ABC"
        ],
        **{"best_closed": ["A", "C"], "unserved": ["performing"]},
    }

    found = describe_profile(BANK, stored)

    assert (found["best_closed"], found["best_closed_count"]) == ("BSc A and BSc C", 2)
    assert found["unserved"] == BANK.names("en")["performing"]


OF_FIELDS = ("enjoyed_field", "enjoyed_in_part")
LANGUAGES = sorted(WORDS)
NAMED = {
    "en": {"int-mixer": "Repair a kitchen mixer", "machines": "machines"},
    "hi": {"int-mixer": "रसोई का मिक्सर ठीक करना", "machines": "मशीनें"},
}
STORED = {
    "reasons": [
        asdict(Reason("enjoyed_field", "machines")),
        asdict(Reason("well_overall")),
    ],
    "counterpoint": asdict(Reason("unmeasured")),
    "note": "",
    "entry_level": "class-12",
    "streams": ["science-maths"],
}


def points():
    """Return every point that can be made, in every form."""
    forms = range(FORMS)
    others = {*REASONS, *COUNTERPOINTS} - {"taught", *QUOTING, *OF_FIELDS}
    return [
        *(
            Reason(code, "int-mixer", "machines", 5.0, form)
            for code, form in product(QUOTING, forms)
        ),
        *(Reason("taught", end, form=form) for end, form in product(DELIVERY, forms)),
        *(Reason(code, "machines", form=form) for code, form in product(OF_FIELDS, forms)),
        *(Reason(code, form=form) for code, form in product(others, forms)),
    ]


@pytest.mark.parametrize(
    ("required", "subjects"),
    [
        ([], "Usual subjects in class 11 and 12: PCM."),
        (["science-maths", "commerce"], "You need PCM or commerce."),
    ],
)
def test_what_a_student_reads_of_a_course(required, subjects):
    said = explanation.course_texts(STORED, "en", NAMED["en"], required=required)

    first, second = said["reasons"]
    assert "machines" in first
    assert second
    assert said.pop("counterpoint")
    assert said == {
        "reasons": [first, second],
        "note": "",
        "facts": ["You can start it after class 12.", subjects],
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_point_can_be_said_and_no_two_forms_are_alike(language):
    said = {}
    for point in points():
        words = explanation.write_reason(point, language, NAMED[language])
        assert "{" not in words
        assert "  " not in words
        assert words[-1] in (".?" if language == "en" else "।?")
        assert words[0].upper() == words[0]
        assert language == "en" or not re.search("[A-Za-z}]", words), words
        other = said.setdefault(words, point)
        # Several figures may be called the same; two forms of one code never are.
        assert (other.code, other.form) == (point.code, point.form), words


def test_no_sentence_is_read_twice_in_a_result():
    bank, draw = field_bank(), random.Random("no sentence twice")
    names = {code: code for code in (*bank.statements, *bank.fields)}
    for _ in range(120):
        answers = {code: draw.randint(1, 5) for code in bank.interests}
        answers |= {code: draw.randint(1, 5) for code in draw.sample(list(bank.follow_ups), 12)}
        facets = {facet: draw.gauss(0, 1) for facet in FACETS}
        student = profile_of(field_scores(bank, answers), draw.gauss(0, 1), facets)
        leanings = {scale: ScaleScore(3.0, draw.gauss(0, 1)) for scale in PREFERENCES}
        student = replace(student, preferences=leanings)
        five = suggest(bank, student, answers, demo_courses(), TOP).recommended
        for language in LANGUAGES:
            said = [explanation.course_texts(asdict(each), language, names) for each in five]
            read = [text for each in said for text in (*each["reasons"], each["counterpoint"])]
            assert len(set(read)) == len(read) >= 5


@pytest.mark.parametrize(
    ("means", "count"),
    [((4.5, 3.6) + (2.0,) * 4, 2), ((4.5, 3.4) + (2.0,) * 4, 1), ((3.4,) + (1.6,) * 5, 0)],
)
def test_a_kind_of_work_is_named_if_the_usual_answer_to_it_is_a_liking(means, count):
    found = describe_profile(BANK, profile(EVEN, interests=means).to_json())

    assert len(found["highest"]) == count


@pytest.mark.parametrize(("fit", "is_said"), [("well", True), ("part", True), ("unsure", False)])
def test_a_named_course_that_no_answer_speaks_for_says_so(fit, is_said):
    idea = {"code": "BBA", "name": "BBA", "fit": fit, "points": [], "streams": []}

    found = describe_profile(BANK, profile(EVEN).to_json() | {"considered": [idea]})

    assert bool(found["ideas"][0]["why"]) is is_said
