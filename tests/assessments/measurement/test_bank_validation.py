from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.banks import SHIPPED
from assessments.measurement.bank_validation import validate

Bank = dict[str, Any]
Item = dict[str, Any]


def few() -> Bank:
    """Return the shipped bank with two puzzles of each family, and with a spare."""
    bank: Bank = json.loads(SHIPPED.read_bytes())
    seen: Counter[str] = Counter()
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


def place(wanted: Callable[[Item], bool]) -> int:
    return next(number for number, item in enumerate(BANK["items"]) if wanted(item))


APTITUDE = place(lambda item: item.get("family") == "series")
MATRIX = place(lambda item: item.get("family") == "matrices")
LOGIC = place(lambda item: item.get("family") == "logic")
CHECK = place(lambda item: item.get("scale") == "instructed")
SPARE = place(lambda item: "spare" in item)
PREFERENCE = place(lambda item: item["section"] == "preferences")
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


def at(*path: str | int) -> Callable[[Bank, object], None]:
    """Make a change at a place in the bank; None takes the member away."""

    def change(bank: Bank, value: object) -> None:
        place: Any = bank
        for step in path[:-1]:
            place = place[step]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value

    return change


def faults_of(change: Callable[[Bank, object], None], value: object) -> list[str]:
    bank = deepcopy(BANK)
    change(bank, value)
    return validate(bank)


CASES: list[tuple[Callable[[Bank, object], None], object, str]] = [
    (at("version"), None, "version"),
    (at("languages"), [], "languages"),
    (at("languages"), ["en", "en"], "languages"),
    (at("languages"), ["hi"], "languages: en is missing"),
    (at("languages"), ["en", "ta"], "item 1 (int-mixer): the text is missing in ta."),
    (at("items", 0, "code"), None, "item 1 (no code): the code"),
    (at("items", 0, "code"), "int-pond", "code int-pond: given to more than one item."),
    (at("items", 0, "order"), 2, "order 2: given to more than one item."),
    (at("items", 0, "order"), 0, "item 1 (int-mixer): the order"),
    (at("items", 0, "order"), True, "item 1 (int-mixer): the order"),
    (at("items", 0, "text"), {"en": " "}, "item 1 (int-mixer): the text is missing in en."),
    (
        at("items", 0, "text"),
        BANK["items"][3]["text"],
        "items int-mixer, int-reading: the same text in en.",
    ),
    (at("items", 0, "section"), "sports", "item 1 (int-mixer): unknown section sports."),
    (at("items", 0, "scale"), "alone_group", "item 1 (int-mixer): unknown scale alone_group."),
    (at("items", PREFERENCE, "keyed"), 0, "keyed is not 1 or -1."),
    (at("items", PREFERENCE, "keyed"), -1, "the keys of alone_group are not balanced."),
    (at("items", APTITUDE, "family"), "riddles", "unknown family riddles."),
    (at("items", APTITUDE, "key"), 7, "the key 7 is not among the options."),
    (at("items", APTITUDE, "options", 1, "value"), 1, "not numbered 1, 2, 3"),
    (
        at("items", APTITUDE, "options", 1, "label"),
        BANK["items"][APTITUDE]["options"][0]["label"],
        "two labels are the same in en.",
    ),
    (at("items", APTITUDE, "options", 1, "label"), {}, "label 2 is missing in en."),
    (at("items", APTITUDE, "options"), None, "the options are fewer than 3"),
    (at("items", APTITUDE, "a"), 0.1, "a is 0.1, not a number from 0.2 to 3.0."),
    (at("items", APTITUDE, "b"), 4.1, "b is 4.1"),
    (at("items", APTITUDE, "c"), "0.18", "c is 0.18"),
    (at("items", APTITUDE, "lines"), "1, 2", "the lines"),
    (at("items", APTITUDE, "radicals"), [], "the radicals"),
    (at("items", APTITUDE, "radicals"), {"steps": "two"}, "the radicals"),
    (at("items", APTITUDE, "template"), "", "the template is not a name."),
    (at("items", APTITUDE, "seconds"), 0, "seconds is 0, not from 1 to 600."),
    (at("items", APTITUDE, "seconds"), "40", "seconds is 40, not from 1 to 600."),
    (at("items", APTITUDE, "text", "en"), "A\0B", "bank: a text holds the character NUL."),
    (at("items", APTITUDE, "note"), "\ud800", "bank: it can't be stored"),
    (at("note"), float("inf"), "bank: it can't be stored"),
    (at("items", LOGIC, "passage", "en"), "text", "the passage has no paragraphs in en."),
    (at("items", SPARE, "spare"), "yes", "spare is not true or false."),
    (at("items", CHECK, "expected"), 6, "(int-check-1): expected is 6, not from 1 to 5."),
    (at("items", 0, "expected"), 3, "item 1 (int-mixer): expected is only for items"),
    (at("items", 0, "scale"), "instructed", "item 1 (int-mixer): expected is None"),
    (at("items", PREFERENCE, "scale"), "instructed", "unknown scale instructed."),
    (at("items", LOGIC, "figure"), {"kind": "film"}, "the figure: unknown kind film."),
    (at("items", LOGIC, "figure"), TABLE | {"caption": {}}, "the caption is missing in en."),
    (at("items", LOGIC, "figure"), TABLE | {"columns": []}, "it has not 2 to 8 columns"),
    (at("items", LOGIC, "figure"), TABLE | {"rows": [{}]}, "the label of row 1 is missing"),
    (
        at("items", LOGIC, "figure"),
        TABLE | {"rows": [{"label": TEA, "values": [5, 6]}]},
        "the figure: row 1 has 2 values under 1 columns.",
    ),
    (
        at("items", LOGIC, "figure"),
        TABLE | {"rows": [{"label": TEA, "values": [None]}]},
        "the figure: row 1 has a value that is neither",
    ),
    (at("items", LOGIC, "figure"), CHART | {"alt": {}}, "the text alternative is missing in en."),
    (at("items", MATRIX, "figure", "alt"), None, "the figure: the text alternative is missing."),
    (
        at("items", LOGIC, "figure"),
        CHART | {"bars": [{"value": 1}] * 2},
        "label of bar 1 is missing",
    ),
    (at("items", LOGIC, "figure"), CHART | {"bars": []}, "the bars are not 2 to 12."),
    (at("items", LOGIC, "figure"), CHART | {"step": 10**-9}, "the step is not 0, or large"),
    (
        at("items", LOGIC, "figure"),
        CHART | {"bars": [{"label": TEA, "value": 10**30}] * 2},
        "the values are not whole numbers",
    ),
    (at("items", MATRIX, "figure", "cells", 8), {"shape": "star"}, "the cells are not 9"),
    (at("items", MATRIX, "figure", "cells", 0), {}, "cell 1 is not an object of"),
    (at("items", MATRIX, "figure", "cells", 0), {"shape": "cow"}, "it can't be drawn in en"),
    (at("items", MATRIX, "figure", "cells", 0), {"grid": [10**9]}, "cell 1 has an attribute"),
    (at("items", MATRIX, "options", 1, "figure"), None, "figures, but not all of them."),
    (
        at("items", MATRIX, "options", 1, "figure"),
        BANK["items"][MATRIX]["options"][0]["figure"],
        "two options have the same figure.",
    ),
    (at("items", MATRIX, "options", 1, "figure"), TABLE, "option 2: unknown kind table."),
    (at("items", MATRIX, "options", 1, "figure", "cell"), 7, "option 2: the cell is not"),
    (at("reference"), "everybody", "reference: not one of assumed, students."),
    (at("facets"), [], "facets: not an object."),
    (at("facets", "musical"), ["data"], "facets: unknown facet musical."),
    (at("facets", "verbal"), ["riddles"], "facets, verbal: no items of a family riddles."),
    (at("facets", "verbal"), [], "facets, verbal: not a list of families."),
    (at("facets", "verbal"), ["logic", "data"], "facets: data is listed twice."),
    (at("careless", "luck"), 1, "careless: unknown luck."),
    (at("careless", "least_effort"), 2, "careless, least_effort: 2 is not from 0 to 1."),
    (at("careless", "straight_run"), 15.5, "careless, straight_run: 15.5 is not from 2 to 100."),
    (at("items"), {}, "items: not a list of objects."),
    (at("norms", "interests", "social"), None, "norms, interests, social"),
    (at("norms", "preferences", "early_late"), {}, "norms, preferences: unknown scale early_late"),
    (at("answers", "interests", 4), None, "answers, interests: the values are not 1 to 5"),
    (at("dont_know"), None, "dont_know"),
    (
        at("sections", 0),
        None,
        "sections: not each of interests, fields, aptitude",
    ),
    (at("sections", 0, "items_given"), 38, "items_given is 38, but the bank has 37"),
    (at("sections", 0, "items_given"), 5, "section interests: no item for conventional."),
    (at("sections", 3, "items_given"), 7, "the keys of online_classroom are not balanced."),
    (at("sections", 0, "seconds"), 0, "section interests: seconds is 0, not from 1 to 7200."),
    (at("sections", 2, "examples"), {}, "section aptitude: the examples are not a list."),
    (at("sections", 2, "examples", 0), 7, "example 1: the title is missing in en."),
    (
        at("sections", 2, "examples", 0, "answer", "en"),
        "17",
        "example 1: the answer is not among the options in en.",
    ),
    (at("sections", 0, "per_page"), 51, "section interests: per_page is 51"),
    (at("sections", 2, "per_page"), 2, "section aptitude: per_page is 2, not 1."),
    (at("sections", 0, "intro", "en"), "text", "section interests: the intro has no paragraphs"),
    (at("sections", 0, "title"), None, "section interests: the title is missing in en."),
]


def test_a_sound_bank_has_no_faults() -> None:
    assert validate(BANK) == []


@pytest.mark.parametrize("figure", [TABLE, CHART, CHART | {"step": 5}])
def test_a_sound_figure_has_no_faults(figure: Bank) -> None:
    assert faults_of(at("items", LOGIC, "figure"), figure) == []


@pytest.mark.parametrize(("change", "value", "expected"), CASES)
def test_a_fault_is_named(
    change: Callable[[Bank, object], None], value: object, expected: str
) -> None:
    assert any(expected in fault for fault in faults_of(change, value)), faults_of(change, value)


def test_every_bad_row_is_named_at_once() -> None:
    bank = deepcopy(BANK)
    for item in bank["items"]:
        item["text"] = {}

    named = [fault for fault in validate(bank) if fault.endswith("the text is missing in en.")]

    assert len(named) == len(BANK["items"])


@pytest.mark.parametrize("data", [None, [], "bank", 7, {}])
def test_something_else_than_a_bank_is_refused(data: object) -> None:
    assert validate(data)


def paths(value: Any, so_far: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    members: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    return [
        path
        for name, member in members
        for path in [(*so_far, name), *paths(member, (*so_far, name))]
    ]


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.none(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)


@pytest.mark.slow
@given(st.sampled_from(paths(BANK)), JUNK)
@settings(max_examples=300, deadline=None)
def test_no_content_however_broken_raises(path: tuple[str | int, ...], junk: object) -> None:
    assert all(isinstance(fault, str) for fault in faults_of(at(*path), junk))
