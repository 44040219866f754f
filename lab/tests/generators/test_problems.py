"""Word problems: each has one answer, told by its English alone, and the options don't tell it."""

import re
from fractions import Fraction

import pytest

from lab.generators import problems
from lab.generators.problems.vocabulary import grouped, measured
from lab.tests.generators.problem_solver import FORMS, answers
from lab.tests.generators.sixty import Drafts, sixty

ITEMS = sixty(problems)
MORE = Drafts(
    lambda: [
        problems.generate(rule, seed, place, typical)
        for rule in problems.RULES
        for seed, place, typical in ((1, 1, True), (1, 2, False), (2, 4, False), (2, 5, True))
    ]
)

PERSONAL = re.compile(
    r"\b(he|she|his|hers?|him|boys?|girls?|m[ae]n|wom[ae]n|caste|religion)\b", re.I
)


def english(draft):
    return " ".join((*draft.passage["en"], draft.text["en"]))


def value(label):
    found = re.fullmatch(r"₹?([\d,]+)(?:%| [A-Za-z]+)?", label)
    assert found, label
    return Fraction(found[1].replace(",", ""))


@pytest.mark.parametrize("rule", problems.RULES)
def test_the_english_alone_leads_to_the_key_and_to_no_other_option(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        values = [value(option["en"]) for option in draft.options]

        assert answers(english(draft)) == [values[draft.key - 1]], draft
        assert len(set(values)) == 5, draft


def test_each_text_is_read_in_one_way_only():
    for draft in ITEMS + MORE:
        assert sum(bool(form.fullmatch(english(draft))) for form, _ in FORMS) == 1


def test_options_stand_by_size_in_one_unit_and_none_is_absurd():
    for draft in ITEMS + MORE:
        labels = [option["en"] for option in draft.options]
        values = [value(label) for label in labels]
        assert values == sorted(values)
        assert len({re.sub(r"[\d,]+", "", label) for label in labels}) == 1
        key = values[draft.key - 1]
        assert all(key / 4 <= each <= key * 4 for each in values)


def test_texts_are_short_and_about_anybody():
    for draft in ITEMS + MORE:
        text = english(draft)
        assert not PERSONAL.search(text)
        assert len(text.split()) <= 60
        assert not re.search(r"\b[Aa]n? an? |\b[Aa] [aeio]|\b[Aa]n [^aeiou]|[{}]|  | [.,]", text)
        assert 30 <= draft.seconds <= 90


def test_amounts_are_grouped_as_in_india():
    assert [grouped(each) for each in (0, 999, 1000, 99999, 120000, 12345678)] == [
        "0",
        "999",
        "1,000",
        "99,999",
        "1,20,000",
        "1,23,45,678",
    ]
    assert measured(120000, "rupees", "en") == "₹1,20,000"
    assert measured(12, "days", "en") == "12 days"


def test_the_example_is_worked_out_and_not_in_the_bank():
    example = problems.EXAMPLE

    assert example["answer"] in [option["label"] for option in example["options"]]
    assert example["passage"]["en"][0] not in {draft.passage["en"][0] for draft in ITEMS}
