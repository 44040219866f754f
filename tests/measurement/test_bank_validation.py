"""A bank file before it is published: each fault is named, and a sound bank has none."""

import json
from collections import Counter
from copy import deepcopy

import pytest

from assessments.banks import SHIPPED
from measurement.bank_validation import validate

WHOLE = json.loads(SHIPPED.read_bytes())


def few():
    """Return the shipped bank with two puzzles of each family."""
    bank = deepcopy(WHOLE)
    seen = Counter()
    kept = []
    for item in bank["items"]:
        seen[item.get("family", "")] += 1
        if item["section"] != "aptitude" or seen[item["family"]] <= 2:
            kept.append(item)
    puzzles = sum(item["section"] == "aptitude" for item in kept)
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
WORD = {"x": "25", "y": "189", "anchor": "middle", "text": TEA}
CHART = {
    "kind": "bars",
    "caption": SOLD,
    "paths": {"column": "M9.5,172V97h31V172z", "axis": "M0,172H300"},
    "words": [WORD, WORD | {"text": MILK, "y": "115.8", "anchor": "end"}],
    "alt": {"en": "A chart of two bars.", "hi": "दो स्तंभों का चार्ट।"},
}
BAD_PATHS = (
    *("", "M0,0", "0,0H9", "M0,0H9\n", "M0,0H1000", "M0,0R9", "M0,0H\u0969", 'M0,0"/><script>', 7),
    "M0,0" + "H9" * 2000,
)
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
    # What a database can't store, or a schema refuses.
    (("items", PUZZLE, "text", "en"), "A\0B", "bank: a text holds the character NUL."),
    in_item(PUZZLE, "note", "\ud800", "bank: it can't be stored"),
    (("note",), float("inf"), "bank: it can't be stored"),
    (("languages",), [], "languages: [] does not contain items matching the given schema."),
    (("languages",), ["en", "ta"], "sections, 1 (interests), title: 'ta' is a required property."),
    (("version",), None, "bank: 'version' is a required property."),
    (("version",), "2026 4", "version: '2026 4' does not match"),
    in_item(0, "code", None, "items, 1: 'code' is a required property."),
    in_item(0, "order", 0, "items, 1 (int-mixer), order: 0 is less than the minimum of 1."),
    in_item(0, "order", 1.0, "items, 1 (int-mixer), order: 1.0 is not of type 'integer'."),
    in_item(0, "text", {"en": " ", "hi": "क"}, "items, 1 (int-mixer), text, en: ' ' does"),
    in_item(0, "section", "sports", "section: 'sports' is not one of ['interests', 'fields',"),
    in_item(0, "scale", "alone_group", "scale: 'alone_group' is not one of ['realistic',"),
    in_item(0, "scale", "instructed", "items, 1 (int-mixer): 'expected' is a required property."),
    in_item(0, "fields", None, "items, 1 (int-mixer): 'fields' is a required property."),
    in_item(0, "fields", ["astrology"], "fields, 1: 'astrology' fails enum ['machines',"),
    in_item(0, "fields", ["art", "art"], "fields: ['art', 'art'] has non-unique elements."),
    in_item(STAGE_2, "scale", [["art"]], "scale: [['art']] fails enum ['machines',"),
    in_item(CHECK, "expected", 6, "(int-check-1), expected: 6 is greater than the maximum of 5."),
    in_item(PREFERENCE, "keyed", 0, "keyed: 0 is not one of [1, -1]."),
    in_item(PUZZLE, "family", "riddles", "family: 'riddles' is not one of ['series', "),
    in_item(PUZZLE, "options", None, "'options' is a required property."),
    in_item(PUZZLE, "a", 0.1, "a: 0.1 is less than the minimum of 0.2."),
    in_item(PUZZLE, "c", "0.18", "c: '0.18' is not of type 'number'."),
    in_item(PUZZLE, "lines", "1, 2", "lines: '1, 2' is not of type 'array'."),
    in_item(PUZZLE, "radicals", {"steps": "two"}, "radicals, steps: 'two' is not of type"),
    (("items", PUZZLE, "options", 1, "label"), {}, "options, 2, label: 'en' is a required"),
    (("items", LOGIC, "passage", "en"), "text", "passage, en: 'text' is not of type 'array'."),
    (FIGURE, TABLE | {"caption": {}}, "caption: 'en' is a required property."),
    (("items",), {str(n): n for n in range(99)}, " fails type array."),
    (("reference",), "everybody", "reference: 'everybody' is not one of ['assumed', 'students']."),
    (("facets", "verbal"), ["riddles"], "facets, verbal, 1: 'riddles' is not one of ['series',"),
    (("careless", "luck"), 1, "careless: Additional properties are not allowed ('luck' was"),
    (("careless", "straight_run"), 15.5, "careless, straight_run: 15.5 is not of type 'integer'."),
    (("matching", "leading"), None, "matching: 'leading' is a required property."),
    (("norms", "interests", "social"), None, "norms, interests: 'social' is a required property."),
    (("norms", "preferences", "early_late"), {}, "norms, preferences: Additional properties"),
    (("norms", "statements", 0, "sd"), 0.4,
     "norms, statements, 1 (int-mixer), sd: 0.4 is less than the minimum of 0.5."),
    (("answers", "interests", 4), None, " fails minItems 5."),
    (("sections", 2, "examples", 0), 7, "examples, 1: 7 is not of type 'object'."),
    (("fields", 0, "name", "hi"), None, "fields, 1 (machines), name: 'hi' is a required property."),
    ((COVARIANCES, -1), None, " fails minItems 22."),
    # Figures.
    (FIGURE, CHART | {"kind": "pie"}, "figure, kind: 'pie' is not one of ['table', 'matrix',"),
    (FIGURE, {"kind": "table"}, "figure: 'caption' is a required property."),
    (FIGURE, TABLE | {"rows": [{}]}, "figure, rows, 1: 'label' is a required property."),
    (FIGURE, TABLE | {"rows": []}, "figure, rows: [] should be non-empty."),
    (FIGURE, CHART | {"paths": {}}, "figure, paths: {} should be non-empty."),
    (FIGURE, CHART | {"paths": None}, "figure, paths: None is not of type 'object'."),
    (FIGURE, CHART | {"paths": {"plate": "M0,0H9"}}, "figure, paths: Additional properties"),
    (FIGURE, CHART | {"paths": {"ink": "M0,0H9"}}, "figure, paths: Additional properties"),
    *[(FIGURE, CHART | {"paths": {"axis": d}}, "figure, paths, axis: ") for d in BAD_PATHS],
    *[(FIGURE, CHART | {"words": [WORD | {"x": x}]}, "figure, words, 1, x: ")
      for x in ("-5", "1000", "2.55", "1e2", "", 25)],
    (FIGURE, CHART | {"words": [WORD | {"anchor": "start"}]}, "1, anchor: 'start' is not one of"),
    (FIGURE, CHART | {"words": [WORD | {"text": {"en": "Tea"}}]}, "1, text: 'hi' is a required"),
    (FIGURE, CHART | {"alt": {"en": "Two bars."}}, "figure, alt: 'hi' is a required property."),
    (("items", MATRIX, "figure", "alt"), None, "figure: 'alt' is a required property."),
    (("items", MATRIX, "figure", "paths"), None, "figure: 'paths' is a required property."),
    (("items", MATRIX, "options", 1, "figure"), TABLE, "kind: 'table' is not one of ['matrix',"),
    (("items", MATRIX, "options", 1, "figure", "paths"), {"axis": "M0 0h9"},
     "options, 2, figure, paths: Additional properties"),
    # What does not go together.
    in_item(0, "code", "int-pond", "code int-pond: given to more than one item."),
    in_item(0, "order", 2, "order 2: given to more than one item."),
    in_item(PREFERENCE, "keyed", -1, "the keys of alone_group are not balanced."),
    in_item(PUZZLE, "key", 7, "the key 7 is not among the options."),
    (("items", PUZZLE, "options", 1, "value"), 1, "not numbered 1, 2, 3"),
    (("items", PUZZLE, "options", 1, "label"), BANK["items"][PUZZLE]["options"][0]["label"],
     "two options are the same in en."),
    (("items", MATRIX, "options", 1, "figure"), None, "have not a figure each, all different."),
    (("items", MATRIX, "options", 1, "figure"), BANK["items"][MATRIX]["options"][0]["figure"],
     "have not a figure each, all different."),
    (FIGURE, TABLE | {"rows": [{"label": TEA, "values": [5, 6]}]},
     "a row of the table has not 1 values"),
    (("facets", "verbal"), ["logic", "data"], "facets: data is listed twice."),
    (("sections", 0), None, "sections: not each of interests, fields, aptitude"),
    (("sections",), BANK["sections"][::-1], "sections: fields comes before interests, whose answe"),
    (("sections", 0, "items_given"), 38, "items_given is 38, but the bank has 37"),
    (("sections", 0, "items_given"), 5, "section interests: no item for conventional."),
    (("sections", 3, "items_given"), 7, "the keys of online_classroom are not balanced."),
    (("sections", 2, "examples", 0, "answer", "en"), "17",
     "example 1: the answer is not among the options in en."),
    (("sections", 0, "per_page"), 51, "section interests: per_page is 51"),
    (("sections", 2, "per_page"), 2, "section aptitude: per_page is 2, not from 1 to 1."),
    (("fields", -1), None, "fields: not each of machines, building"),
    (("norms", "statements", -1), None, "norms, statements: not one for each interest statement."),
    (("norms", "statements"), [*STATEMENT_NORMS, STATEMENT_NORMS[0]],
     "norms, statements: not one for each interest statement."),
    ((COVARIANCES, 0, 0), 0, "field_covariances: 0 is no covariance (row 1, 1)."),
    ((COVARIANCES, 0, 1), 0.5, "field_covariances: 0.5 is no covariance (row 1, 2)."),
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
    [WHOLE, BANK, changed(FIGURE, TABLE), changed(FIGURE, CHART)],
    ids=["shipped", "few puzzles", "table", "chart"],
)
def test_a_sound_bank_has_no_faults(bank):
    assert validate(bank) == []


@pytest.mark.parametrize("broken", [None, 7, "x", [], {}, [None], {"a": 1}])
def test_something_else_than_a_bank_or_a_part_of_it_is_refused(broken):
    assert validate(broken)
    for name in ("fields", "matching", "norms", "items", "sections"):
        assert validate({**BANK, name: broken})
