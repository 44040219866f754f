"""A bank file before it is published: each fault is named, and a sound bank has none."""

import json
from collections import Counter
from copy import deepcopy

import pytest

from assessments.banks import SHIPPED
from measurement.bank_shape import in_each
from measurement.bank_validation import validate
from measurement.json_shapes import text

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
    (("languages",), ["hi"], "languages: en is missing"),
    (("languages",), ["en", "ta"], "sections 1 (interests), title in ta: None is not a text."),
    in_item(0, "code", None, "items 1, code: it is missing."),
    in_item(0, "code", "int-pond", "code int-pond: given to more than one item."),
    in_item(0, "order", 2, "order 2: given to more than one item."),
    in_item(0, "order", 0, "items 1 (int-mixer), order: "),
    in_item(0, "text", {"en": " "}, "items 1 (int-mixer), text in en: ' ' is not a text."),
    in_item(0, "text", BANK["items"][3]["text"], "items int-mixer, int-reading: the same text in "),
    in_item(0, "section", "sports", "section: 'sports' is not one of interests, fields,"),
    in_item(0, "scale", "alone_group", "scale: 'alone_group' is not one of realistic,"),
    in_item(PREFERENCE, "keyed", 0, "keyed: 0 is not one of 1, -1."),
    in_item(PREFERENCE, "keyed", -1, "the keys of alone_group are not balanced."),
    in_item(PUZZLE, "family", "riddles", "family: 'riddles' is not one of series, "),
    in_item(PUZZLE, "key", 7, "the key 7 is not among the options."),
    (("items", PUZZLE, "options", 1, "value"), 1, "not numbered 1, 2, 3"),
    (("items", PUZZLE, "options", 1, "label"), BANK["items"][PUZZLE]["options"][0]["label"],
     "two options are the same in en."),
    (("items", PUZZLE, "options", 1, "label"), {}, "options 2, label in en: None is not a text."),
    in_item(PUZZLE, "options", None, "options: it is missing."),
    in_item(PUZZLE, "a", 0.1, "a: 0.1 is not a number from 0.2 to 3.0."),
    in_item(PUZZLE, "b", 4.1, "b: 4.1 is not"),
    in_item(PUZZLE, "c", "0.18", "c: '0.18' is not"),
    in_item(PUZZLE, "lines", "1, 2", "lines: it is not a list"),
    in_item(PUZZLE, "radicals", {"steps": "two"}, ", radicals"),
    in_item(PUZZLE, "template", "", "template: '' is not a text."),
    in_item(PUZZLE, "seconds", 0, "seconds: 0 is not a number from 1 to 600."),
    (("items", PUZZLE, "text", "en"), "A\0B", "bank: a text holds the character NUL."),
    in_item(PUZZLE, "note", "\ud800", "bank: it can't be stored"),
    (("note",), float("inf"), "bank: it can't be stored"),
    (("items", LOGIC, "passage", "en"), "text", "passage in en: it is not a list"),
    in_item(SPARE, "spare", "yes", "spare: 'yes' is not one of True, False."),
    in_item(CHECK, "expected", 6, "(int-check-1), expected: 6 is not a whole number from 1 to 5."),
    in_item(0, "expected", 3, "items 1 (int-mixer), expected: it does not belong here."),
    in_item(0, "scale", "instructed", "items 1 (int-mixer), expected: it is missing."),
    (FIGURE, {"kind": "film"}, "figure, kind: 'film' is not one of matrix, cell, bars, table."),
    (FIGURE, TABLE | {"caption": {}}, "caption in en: None is not a text."),
    (FIGURE, TABLE | {"columns": []}, "columns: it is not a list of 2 to 8"),
    (FIGURE, TABLE | {"rows": [{}]}, "rows 1, label: it is missing."),
    (FIGURE, TABLE | {"rows": [{"label": TEA, "values": [5, 6]}]},
     "a row of the table has not 1 values."),
    (FIGURE, TABLE | {"rows": [{"label": TEA, "values": [None]}]},
     "rows 1, values 1: None is not a number"),
    (FIGURE, CHART | {"alt": {}}, "alt in en: None is not a text."),
    (FIGURE, CHART | {"bars": [{"value": 1}] * 2}, "bars 1, label: it is missing."),
    (FIGURE, CHART | {"bars": []}, "bars: it is not a list of 2 to 12 values."),
    (FIGURE, CHART | {"step": 0.5}, "step: 0.5 is not a whole number."),
    (FIGURE, CHART | {"bars": [{"label": TEA, "value": 10**7}, CHART["bars"][0]], "step": 1},
     "or there are more than 20 gridlines."),
    (FIGURE, CHART | {"bars": [{"label": TEA, "value": 10**30}] * 2},
     "000 is not a whole number from 0 to 10000000."),
    (("items", MATRIX, "figure", "alt"), None, "the figure has no text alternative."),
    (("items", MATRIX, "figure", "cells", 8), {"shape": "star"},
     "cells: they are not 9 with the last one empty"),
    (("items", MATRIX, "figure", "cells", 0), {}, "cells 1: it has not 1 to 12 attributes."),
    (("items", MATRIX, "figure", "cells", 0), {"shape": "cow"}, "the figure can't be drawn in en"),
    (("items", MATRIX, "figure", "cells", 0), {"grid": [10**9]},
     "cells 1, grid: 1000000000 is not a whole number from 0 to 359."),
    (("items", MATRIX, "options", 1, "figure"), None, "figures, but not all of them."),
    (("items", MATRIX, "options", 1, "figure"), BANK["items"][MATRIX]["options"][0]["figure"],
     "two options have the same figure."),
    (("items", MATRIX, "options", 1, "figure"), TABLE,
     "options 2, figure, kind: 'table' is not one of matrix,"),
    (("items", MATRIX, "options", 1, "figure", "cell"), 7,
     "options 2, figure, cell: it is not an object."),
    (("reference",), "everybody", "reference: 'everybody' is not one of assumed, students."),
    (("facets",), [], "facets: it is not an object."),
    (("facets", "musical"), ["data"], "facets, musical: it does not belong here."),
    (("facets", "verbal"), ["riddles"], "facets, verbal 1: 'riddles' is not one of series,"),
    (("facets", "verbal"), [], "facets, verbal: it is not a list"),
    (("facets", "verbal"), ["logic", "data"], "facets: data is listed twice."),
    (("careless", "luck"), 1, "careless, luck: it does not belong here."),
    (("careless", "least_effort"), 2, "careless, least_effort: 2 is not a number from 0 to 1."),
    (("careless", "straight_run"), 15.5,
     "careless, straight_run: 15.5 is not a whole number from 2 to 100."),
    (("items",), {}, "items: it is not a list"),
    (("norms", "interests", "social"), None, "norms, interests, social"),
    (("norms", "preferences", "early_late"), {},
     "norms, preferences, early_late: it does not belong here."),
    (("answers", "interests", 4), None, "answers, interests: it is not a list of 5 to 5 values."),
    (("dont_know",), None, "dont_know"),
    (("sections", 0), None, "sections: not each of interests, fields, aptitude"),
    (("sections",), BANK["sections"][::-1], "sections: fields comes before interests, whose answe"),
    (("sections", 0, "items_given"), 38, "items_given is 38, but the bank has 37"),
    (("sections", 0, "items_given"), 5, "section interests: no item for conventional."),
    (("sections", 3, "items_given"), 7, "the keys of online_classroom are not balanced."),
    (("sections", 0, "seconds"), 0,
     "sections 1 (interests), seconds: 0 is not a number from 1 to 7200."),
    (("sections", 2, "examples"), {}, "examples: it is not a list"),
    (("sections", 2, "examples", 0), 7, "examples 1: it is not an object."),
    (("sections", 2, "examples", 0, "answer", "en"), "17",
     "example 1: the answer is not among the options in en."),
    (("sections", 0, "per_page"), 51, "section interests: per_page is 51"),
    (("sections", 2, "per_page"), 2, "section aptitude: per_page is 2, not from 1 to 1."),
    (("sections", 0, "intro", "en"), "text", "intro in en: it is not a list"),
    (("sections", 0, "title"), None, "sections 1 (interests), title: it is missing."),
    # What ranking by fields needs.
    (("fields", -1), None, "fields: not each of machines, building"),
    (("fields", 0, "types"), [], "fields 1 (machines), types: it is not a list of 1 to 2 values."),
    (("fields", 0, "name", "hi"), None, "fields 1 (machines), name in hi: None is not a text."),
    (("matching", "leading"), None, "matching, leading: it is missing."),
    (("matching", "preference_most"), 0.1,
     "matching, preference_most: 0.1 is not a number from 0 to 0.05."),
    (("matching", "luck"), 1, "matching, luck: it does not belong here."),
    (("norms", "statements", -1), None, "norms, statements: not one for each interest statement."),
    (("norms", "statements"), [*STATEMENT_NORMS, STATEMENT_NORMS[0]],
     "norms, statements: not one for each interest statement."),
    (("norms", "statements", 0, "sd"), 0.4,
     "norms, statements 1 (int-mixer), sd: 0.4 is not a number from 0.5 to 2.0."),
    ((COVARIANCES, -1), None, "field_covariances: it is not a list of 22 to 22 values."),
    ((COVARIANCES, 0, 0), 0, "field_covariances: 0 is no covariance (row 1, 1)."),
    ((COVARIANCES, 0, 1), 0.5, "field_covariances: 0.5 is no covariance (row 1, 2)."),
    in_item(0, "fields", ["astrology"], "item int-mixer: not one to three different fields."),
    in_item(0, "fields", [["art"]], "item int-mixer: not one to three different fields."),
    in_item(STAGE_2, "scale", [["art"]], "scale: [['art']] is not one of machines,"),
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


@pytest.mark.parametrize("broken", [None, 7, "x", [], {}, [None], {"a": 1}])
def test_something_else_than_a_bank_or_a_part_of_it_is_refused(broken):
    assert validate(broken)
    for name in ("fields", "matching", "norms", "items", "sections"):
        assert validate({**BANK, name: broken})


@pytest.mark.parametrize(
    ("english", "hindi", "is_sound"),
    [
        ("Like", "Like", False),
        ("12 km", "12 km", False),
        ("A", "Ravi", False),
        ("A", "A", True),
        ("Rs 1,25,000", "₹1,25,000", True),
        ("12 km", "12 किमी", True),
        ("Only B", "केवल B", True),
    ],
)
def test_a_hindi_text_has_devanagari_unless_it_is_a_sign(english, hindi, is_sound):
    expected = [] if is_sound else [" in hi: it is not written in the script of the language."]

    assert list(in_each(("en", "hi"), text)({"en": english, "hi": hindi})) == expected
