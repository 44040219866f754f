"""The words for a stored recommendation: kind, complete, the same for the same data."""

import random
import re
from dataclasses import asdict, replace
from itertools import product

import pytest

from measurement import explanation
from measurement.courses import DELIVERY
from measurement.field_fit import TOP
from measurement.fields import field_scores
from measurement.reasons import COUNTERPOINTS, FORMS, QUOTING, REASONS, Reason
from measurement.recommendation import suggest
from measurement.scales import FACETS, PREFERENCES, ScaleScore
from measurement.wording import WORDS
from tests.measurement.field_bank import demo_courses, field_bank, profile

OF_FIELDS = ("enjoyed_field", "enjoyed_in_part")
LANGUAGES = sorted(WORDS)
NAMES = {
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
    said = explanation.course_texts(STORED, "en", NAMES["en"], required=required)

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
        words = explanation.write_reason(point, language, NAMES[language])
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
        student = profile(field_scores(bank, answers), draw.gauss(0, 1), facets)
        leanings = {scale: ScaleScore(3.0, draw.gauss(0, 1)) for scale in PREFERENCES}
        student = replace(student, preferences=leanings)
        five = suggest(bank, student, answers, demo_courses(), TOP).recommended
        for language in LANGUAGES:
            said = [explanation.course_texts(asdict(each), language, names) for each in five]
            read = [text for each in said for text in (*each["reasons"], each["counterpoint"])]
            assert len(set(read)) == len(read) >= 5
