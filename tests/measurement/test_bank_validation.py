"""A bank file before it is published: each fault is named, and a sound bank has none."""

import json
from collections import Counter
from copy import deepcopy

import pytest

from assessments.banks import SHIPPED
from measurement.bank_checks import text_faults
from measurement.bank_validation import validate

WHOLE = json.loads(SHIPPED.read_bytes())


def few():
    """Return the shipped bank with two puzzles of each family, and with a spare."""
    bank = deepcopy(WHOLE)
    seen = Counter()
    kept = []
    for item in bank["items"]:
        seen[item.get("family", "")] += 1
        if item["section"] != "aptitude" or seen[item["family"]] <= 2:
            kept.append(item)
    puzzles = sum(item["section"] == "aptitude" for item in kept)
    text = {"en": "Count the stars", "hi": "तारे गिनना"}
    kept.append(kept[0] | {"code": "int-spare", "order": 9999, "spare": True, "text": text})
    bank["items"] = kept
    bank["sections"][2]["items_given"] = puzzles
    return bank


BANK = few()


def place(wanted):
    return next(number for number, item in enumerate(BANK["items"]) if wanted(item))


PUZZLE = place(lambda item: item.get("family") == "series")
MATRIX = place(lambda item: item.get("family") == "matrices")
LOGIC = place(lambda item: item.get("family") == "logic")
CHECK = place(lambda item: item.get("scale") == "instructed")
SPARE = place(lambda item: "spare" in item)
PREFERENCE = place(lambda item: item["section"] == "preferences")
STAGE_2 = place(lambda item: item["section"] == "fields")
COWS = place(lambda item: item["code"] == "int-cows")
FIGURE = ("items", LOGIC, "figure")
SOLD = {"en": "Cups sold", "hi": "बिके कप"}
TEA, MILK = {"en": "Tea", "hi": "चाय"}, {"en": "Milk", "hi": "दूध"}
TABLE = {
    "kind": "table",
    "caption": SOLD,
    "columns": [{"en": "Drink", "hi": "पेय"}, {"en": "Cups", "hi": "कप"}],
    "rows": [{"label": TEA, "values": [5]}],
}
CHART = {
    "kind": "bars",
    "caption": SOLD,
    "bars": [{"label": TEA, "value": 20}, {"label": MILK, "value": 10}],
    "step": 0,
    "alt": {"en": "A chart of two bars.", "hi": "दो स्तंभों का चार्ट।"},
}
STATEMENT_NORMS = WHOLE["norms"]["statements"]
COVARIANCES = "field_covariances"


def changed(path, value):
    """Return the bank with this value at a place; None takes the member away."""
    bank = deepcopy(BANK)
    at = bank
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return bank


def in_item(number, member, value, fault):
    return ("items", number, member), value, fault


CASES = [
    (("version",), None, "version"),
    (("languages",), [], "languages"),
    (("languages",), ["en", "en"], "languages"),
    (("languages",), ["hi"], "languages: en is missing"),
    (("languages",), ["en", "ta"], "item 1 (int-mixer): the text is missing in ta."),
    in_item(0, "code", None, "item 1 (no code): the code"),
    in_item(0, "code", "int-pond", "code int-pond: given to more than one item."),
    in_item(0, "order", 2, "order 2: given to more than one item."),
    in_item(0, "order", 0, "item 1 (int-mixer): the order"),
    in_item(0, "order", True, "item 1 (int-mixer): the order"),
    in_item(0, "text", {"en": " "}, "item 1 (int-mixer): the text is missing in en."),
    in_item(0, "text", BANK["items"][3]["text"], "items int-mixer, int-reading: the same text in "),
    in_item(0, "section", "sports", "item 1 (int-mixer): unknown section sports."),
    in_item(0, "scale", "alone_group", "item 1 (int-mixer): unknown scale alone_group."),
    in_item(PREFERENCE, "keyed", 0, "keyed is not 1 or -1."),
    in_item(PREFERENCE, "keyed", -1, "the keys of alone_group are not balanced."),
    in_item(PUZZLE, "family", "riddles", "unknown family riddles."),
    in_item(PUZZLE, "key", 7, "the key 7 is not among the options."),
    (("items", PUZZLE, "options", 1, "value"), 1, "not numbered 1, 2, 3"),
    (("items", PUZZLE, "options", 1, "label"), BANK["items"][PUZZLE]["options"][0]["label"],
     "two labels are the same in en."),
    (("items", PUZZLE, "options", 1, "label"), {}, "label 2 is missing in en."),
    in_item(PUZZLE, "options", None, "the options are fewer than 3"),
    in_item(PUZZLE, "a", 0.1, "a is 0.1, not a number from 0.2 to 3.0."),
    in_item(PUZZLE, "b", 4.1, "b is 4.1"),
    in_item(PUZZLE, "c", "0.18", "c is 0.18"),
    in_item(PUZZLE, "lines", "1, 2", "the lines"),
    in_item(PUZZLE, "radicals", [], "the radicals"),
    in_item(PUZZLE, "radicals", {"steps": "two"}, "the radicals"),
    in_item(PUZZLE, "template", "", "the template is not a name."),
    in_item(PUZZLE, "seconds", 0, "seconds is 0, not from 1 to 600."),
    in_item(PUZZLE, "seconds", "40", "seconds is 40, not from 1 to 600."),
    (("items", PUZZLE, "text", "en"), "A\0B", "bank: a text holds the character NUL."),
    in_item(PUZZLE, "note", "\ud800", "bank: it can't be stored"),
    (("note",), float("inf"), "bank: it can't be stored"),
    (("items", LOGIC, "passage", "en"), "text", "the passage has no paragraphs in en."),
    in_item(SPARE, "spare", "yes", "spare is not true or false."),
    in_item(CHECK, "expected", 6, "(int-check-1): expected is 6, not from 1 to 5."),
    in_item(0, "expected", 3, "item 1 (int-mixer): expected is only for items"),
    in_item(0, "scale", "instructed", "item 1 (int-mixer): expected is None"),
    in_item(PREFERENCE, "scale", "instructed", "unknown scale instructed."),
    (FIGURE, {"kind": "film"}, "the figure: unknown kind film."),
    (FIGURE, TABLE | {"caption": {}}, "the caption is missing in en."),
    (FIGURE, TABLE | {"columns": []}, "it has not 2 to 8 columns"),
    (FIGURE, TABLE | {"rows": [{}]}, "the label of row 1 is missing"),
    (FIGURE, TABLE | {"rows": [{"label": TEA, "values": [5, 6]}]},
     "the figure: row 1 has 2 values under 1 columns."),
    (FIGURE, TABLE | {"rows": [{"label": TEA, "values": [None]}]},
     "the figure: row 1 has a value that is neither"),
    (FIGURE, CHART | {"alt": {}}, "the text alternative is missing in en."),
    (FIGURE, CHART | {"bars": [{"value": 1}] * 2}, "label of bar 1 is missing"),
    (FIGURE, CHART | {"bars": []}, "the bars are not 2 to 12."),
    (FIGURE, CHART | {"step": 10**-9}, "the step is not 0, or large"),
    (FIGURE, CHART | {"bars": [{"label": TEA, "value": 10**30}] * 2},
     "the values are not whole numbers"),
    (("items", MATRIX, "figure", "alt"), None, "the figure: the text alternative is missing."),
    (("items", MATRIX, "figure", "cells", 8), {"shape": "star"}, "the cells are not 9"),
    (("items", MATRIX, "figure", "cells", 0), {}, "cell 1 is not an object of"),
    (("items", MATRIX, "figure", "cells", 0), {"shape": "cow"}, "it can't be drawn in en"),
    (("items", MATRIX, "figure", "cells", 0), {"grid": [10**9]}, "cell 1 has an attribute"),
    (("items", MATRIX, "options", 1, "figure"), None, "figures, but not all of them."),
    (("items", MATRIX, "options", 1, "figure"), BANK["items"][MATRIX]["options"][0]["figure"],
     "two options have the same figure."),
    (("items", MATRIX, "options", 1, "figure"), TABLE, "option 2: unknown kind table."),
    (("items", MATRIX, "options", 1, "figure", "cell"), 7, "option 2: the cell is not"),
    (("reference",), "everybody", "reference: not one of assumed, students."),
    (("facets",), [], "facets: not an object."),
    (("facets", "musical"), ["data"], "facets: unknown facet musical."),
    (("facets", "verbal"), ["riddles"], "facets, verbal: no items of a family riddles."),
    (("facets", "verbal"), [], "facets, verbal: not a list of families."),
    (("facets", "verbal"), ["logic", "data"], "facets: data is listed twice."),
    (("careless", "luck"), 1, "careless: unknown luck."),
    (("careless", "least_effort"), 2, "careless, least_effort: 2 is not from 0 to 1."),
    (("careless", "straight_run"), 15.5, "careless, straight_run: 15.5 is not from 2 to 100."),
    (("items",), {}, "items: not a list of objects."),
    (("norms", "interests", "social"), None, "norms, interests, social"),
    (("norms", "preferences", "early_late"), {}, "norms, preferences: unknown scale early_late"),
    (("answers", "interests", 4), None, "answers, interests: the values are not 1 to 5"),
    (("dont_know",), None, "dont_know"),
    (("sections", 0), None, "sections: not each of interests, fields, aptitude"),
    (("sections",), BANK["sections"][::-1], "sections: fields comes before interests, whose answe"),
    (("sections", 0, "items_given"), 38, "items_given is 38, but the bank has 37"),
    (("sections", 0, "items_given"), 5, "section interests: no item for conventional."),
    (("sections", 3, "items_given"), 7, "the keys of online_classroom are not balanced."),
    (("sections", 0, "seconds"), 0, "section interests: seconds is 0, not from 1 to 7200."),
    (("sections", 2, "examples"), {}, "section aptitude: the examples are not a list."),
    (("sections", 2, "examples", 0), 7, "example 1: the title is missing in en."),
    (("sections", 2, "examples", 0, "answer", "en"), "17",
     "example 1: the answer is not among the options in en."),
    (("sections", 0, "per_page"), 51, "section interests: per_page is 51"),
    (("sections", 2, "per_page"), 2, "section aptitude: per_page is 2, not 1."),
    (("sections", 0, "intro", "en"), "text", "section interests: the intro has no paragraphs"),
    (("sections", 0, "title"), None, "section interests: the title is missing in en."),
    # What ranking by fields needs.
    (("fields", -1), None, "fields: not each of machines, building"),
    (("fields", 0, "types"), [], "fields, machines: not one or two of realistic"),
    (("fields", 0, "name", "hi"), None, "fields, machines: the name is missing in hi."),
    (("matching", "leading"), None, "matching, leading: None is not from 1 to 22."),
    (("matching", "preference_most"), 0.1, "matching, preference_most: 0.1 is not from 0 to 0.05."),
    (("matching", "luck"), 1, "matching: unknown luck."),
    (("norms", "statements", -1), None, "norms, statements: not one for each interest statement."),
    (("norms", "statements"), [*STATEMENT_NORMS, STATEMENT_NORMS[0]],
     "norms, statements: int-mixer has more than one."),
    (("norms", "statements", 0, "sd"), 0.4,
     "norms, statements, int-mixer: needs a mean from 1 to 5 and an sd from 0.5 to 2."),
    ((COVARIANCES, -1), None, "field_covariances: needs a covariance of each field with each."),
    ((COVARIANCES, 0, 0), 0, "field_covariances: 0 is no covariance (row 1, 1)."),
    ((COVARIANCES, 0, 1), 0.5, "field_covariances: 0.5 is no covariance (row 1, 2)."),
    in_item(0, "fields", ["astrology"], "item int-mixer: not one to three different fields."),
    in_item(0, "fields", [["art"]], "item int-mixer: not one to three different fields."),
    in_item(STAGE_2, "scale", [["art"]], "unknown scale [['art']]."),
    (("items",), [item | {"fields": ["art"]} if item["code"] in ("int-bills", "int-spending")
                  else item for item in BANK["items"]],
     "section interests: no statement speaks of accounts"),
    in_item(COWS, "scale", "art", "section fields: not as many statements of each field."),
    (("sections", 1, "items_given"), 12,
     "section fields: items_given is not that of the leading fields and the checks."),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "fault"), CASES)
def test_a_fault_is_named(path, value, fault):
    faults = validate(changed(path, value))

    assert any(fault in each for each in faults), faults


@pytest.mark.parametrize(
    "bank",
    [WHOLE, BANK, *(changed(FIGURE, figure) for figure in (TABLE, CHART, CHART | {"step": 5}))],
    ids=["shipped", "few puzzles", "table", "chart", "chart with steps"],
)
def test_a_sound_bank_has_no_faults(bank):
    assert validate(bank) == []


@pytest.mark.parametrize("data", [None, [], "bank", 7, {}])
def test_something_else_than_a_bank_is_refused(data):
    assert validate(data)


@pytest.mark.parametrize("broken", [None, 7, "x", [], {}, [None], {"a": 1}])
@pytest.mark.parametrize("name", ["fields", "matching", "norms", "items", "sections"])
def test_a_broken_part_is_refused(name, broken):
    assert validate({**BANK, name: broken})


@pytest.mark.parametrize(
    ("english", "hindi", "is_sound"),
    [
        ("Like", "Like", False),
        ("forty-two", "42", False),
        ("12 km", "12 km", False),
        ("A", "Ravi", False),
        ("A", "A", True),
        ("₹1,25,000", "₹1,25,000", True),
        ("Rs 1,25,000", "₹1,25,000", True),
        ("12 km", "12 किमी", True),
        ("Only B", "केवल B", True),
        ("Like", "पसंद", True),
    ],
)
def test_a_hindi_text_has_devanagari_unless_it_is_a_sign(english, hindi, is_sound):
    expected = [] if is_sound else ["is not written in the script of hi."]

    assert list(text_faults({"en": english, "hi": hindi}, ("en", "hi"))) == expected
