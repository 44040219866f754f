"""Data interpretation: one answer follows from the figure, and the options don't tell it."""

import re
from fractions import Fraction

import pytest

from lab.generators import data
from lab.generators.drawings import draw
from lab.tests.generators.data_solver import answers, number
from lab.tests.generators.sixty import Drafts, sixty

ITEMS = sixty(data)
MORE = Drafts(
    lambda: [
        data.generate(rule, seed, place, typical)
        for rule in data.RULES
        for seed, place, typical in ((1, 1, True), (1, 2, False), (2, 4, False), (2, 5, True))
    ]
)
CHARTS = Drafts(lambda: with_a("bars"))
TABLES = Drafts(lambda: with_a("table"))


def with_a(kind):
    """Return the items whose figure is of a kind, at least one."""
    found = [draft for draft in ITEMS + MORE if draft.figure and draft.figure["kind"] == kind]
    assert found, f"none with a {kind}"
    return found


def value(label):
    """An option's number, ratio, or name."""
    if ratio := re.fullmatch(r"(\d+) : (\d+)", label):
        return Fraction(int(ratio[1]), int(ratio[2]))
    amount = re.fullmatch(r"₹?([\d,]+)(?:%| [A-Za-z]+)?", label)
    return number(amount[1]) if amount else label


@pytest.mark.parametrize("rule", data.RULES)
def test_what_is_shown_leads_to_the_key_and_to_no_other_option(rule):
    for draft in (ITEMS + MORE).of_rule(rule):
        assert draft.figure, draft
        values = [value(option["en"]) for option in draft.options]
        told = " ".join(draft.passage.get("en", ()))

        assert answers(told, draft.text["en"], draft.figure) == [values[draft.key - 1]], draft
        assert len(set(values)) == 5, draft


def test_numbers_stand_by_size_in_one_unit():
    for draft in ITEMS + MORE:
        labels = [option["en"] for option in draft.options]
        values = [value(label) for label in labels]
        if all(isinstance(each, Fraction) for each in values):
            assert values == sorted(values)
            assert len({re.sub(r"[\d,]+", "", label) for label in labels}) == 1


def test_ratios_are_in_their_lowest_terms():
    ratios = [o["en"] for d in ITEMS + MORE if d.rule == "ratio" for o in d.options]

    for label in ratios:
        ratio = value(label)
        assert isinstance(ratio, Fraction)
        assert label == f"{ratio.numerator} : {ratio.denominator}"


def test_a_table_fits_a_phone():
    for draft in TABLES:
        assert draft.figure
        heads = [head["en"] for head in draft.figure["columns"]]
        rows = draft.figure["rows"]
        assert 2 <= len(heads) <= 4
        assert 3 <= len(rows) <= 6
        assert all(len(row["values"]) == len(heads) - 1 for row in rows)
        assert all(len(each) <= 6 for row in rows for each in row["values"])


def test_a_charts_values_can_be_read_off():
    for draft in CHARTS:
        assert draft.figure
        words = [each["text"]["en"] for each in draw(draft.figure)["words"]]
        step = draft.figure["step"]
        assert max(bar["value"] for bar in draft.figure["bars"]) <= 20 * step or not step
        for bar in draft.figure["bars"]:
            if step:
                assert bar["value"] % step == 0
            assert str(bar["value"]) in words


def test_texts_are_short():
    for draft in ITEMS + MORE:
        told = " ".join((*draft.passage.get("en", ()), draft.text["en"]))
        assert len(told.split()) <= 45
        assert not re.search(r"[{}]|  | [.,]", told)
        assert 30 <= draft.seconds <= 90


def test_the_example_is_worked_out_and_not_in_the_bank():
    example = data.EXAMPLE
    tea, coffee, _ = example["figure"]["rows"]

    assert example["answer"]["en"] == str(tea["values"][0] - coffee["values"][0])
    assert example["answer"] in [option["label"] for option in example["options"]]
    assert example["text"] not in [draft.text for draft in ITEMS]
