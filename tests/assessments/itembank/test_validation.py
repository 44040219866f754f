from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.itembank.build import build
from assessments.itembank.validation import validate

BANK = build()
APTITUDE = next(n for n, item in enumerate(BANK["items"]) if item["section"] == "aptitude")
PREFERENCE = next(n for n, item in enumerate(BANK["items"]) if item["section"] == "preferences")

Bank = dict[str, Any]


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
    (at("version"), "two words", "version"),
    (at("version"), 2026.1, "version"),
    (at("languages"), [], "languages"),
    (at("languages"), ["en", "en"], "languages"),
    (at("languages"), ["en", "hi"], "item 1 (int-R-01): the text is missing in hi."),
    (at("languages"), ["en", "hi"], "dont_know: is missing in hi."),
    (at("languages"), ["en", "hi"], "section interests: the title is missing in hi."),
    (at("languages"), ["en", "hi"], "section aptitude: the intro has no paragraphs in hi."),
    (at("languages"), ["en", "hi"], "answers, interests: label 1 is missing in hi."),
    (at("items", 0, "code"), None, "item 1 (no code): the code"),
    (at("items", 0, "code"), "int-I-01", "code int-I-01: given to more than one item."),
    (at("items", 0, "order"), 2, "order 2: given to more than one item."),
    (at("items", 0, "order"), 0, "item 1 (int-R-01): the order"),
    (at("items", 0, "order"), True, "item 1 (int-R-01): the order"),
    (at("items", 0, "order"), 10**30, "item 1 (int-R-01): the order"),
    (at("items", 0, "text"), {"en": " "}, "item 1 (int-R-01): the text is missing in en."),
    (
        at("items", 0, "text"),
        BANK["items"][3]["text"],
        "items int-R-01, int-S-01: the same text in en.",
    ),
    (at("items", 0, "section"), "sports", "item 1 (int-R-01): unknown section sports."),
    (at("items", 0, "scale"), "alone_group", "item 1 (int-R-01): unknown scale alone_group."),
    (at("items", PREFERENCE, "keyed"), 0, "keyed is not 1 or -1."),
    (at("items", PREFERENCE, "keyed"), -1, "the keys of alone_group are not balanced."),
    (at("items", APTITUDE, "family"), "riddles", "unknown family riddles."),
    (at("items", APTITUDE, "key"), 6, "the key 6 is not among the options."),
    (at("items", APTITUDE, "key"), None, "the key None is not among the options."),
    (at("items", APTITUDE, "options", 1, "value"), 1, "not numbered 1, 2, 3"),
    (at("items", APTITUDE, "options", 1, "value"), True, "not numbered 1, 2, 3"),
    (at("items", APTITUDE, "options", 1, "label", "en"), "43", "two labels are the same in en."),
    (at("items", APTITUDE, "options", 1, "label"), {}, "label 2 is missing in en."),
    (at("items", APTITUDE, "options"), None, "the options are fewer than 3"),
    (at("items", APTITUDE, "a"), 0.1, "a is 0.1, not a number from 0.2 to 3.0."),
    (at("items", APTITUDE, "b"), 4.1, "b is 4.1"),
    (at("items", APTITUDE, "b"), float("nan"), "b is nan"),
    (at("items", APTITUDE, "c"), -0.1, "c is -0.1"),
    (at("items", APTITUDE, "c"), "0.18", "c is 0.18"),
    (at("items", APTITUDE, "c"), None, "c is None"),
    (at("items", APTITUDE, "lines"), "1, 2", "the lines"),
    (at("items", APTITUDE, "radicals"), [], "the radicals"),
    (at("items"), {}, "items: not a list of objects."),
    (at("items", 0), 7, "items: not a list of objects."),
    (at("weights", "preferences"), 0.06, "weights: they do not sum to 1."),
    (
        at("weights"),
        {"interests": 0.6, "aptitude": 0.3, "preferences": 0.1},
        "weights, preferences: more than 0.05.",
    ),
    (at("weights", "aptitude"), None, "weights: needs a number from 0 to 1 for each"),
    (at("weights", "aptitude"), float("nan"), "weights: needs a number from 0 to 1 for each"),
    (at("norms", "interests", "social"), None, "norms, interests, social"),
    (at("norms", "interests", "social", "sd"), 0, "norms, interests, social"),
    (at("norms", "preferences", "early_late"), {}, "norms, preferences: unknown scale early_late"),
    (at("answers", "interests", 4), None, "answers, interests: the values are not 1 to 5"),
    (at("answers", "preferences"), None, "answers, preferences: the values are not 1 to 5"),
    (at("dont_know"), None, "dont_know"),
    (at("sections", 0), None, "sections: not each of interests, aptitude, preferences once."),
    (at("sections", 0, "code"), "aptitude", "sections: not each of"),
    (at("sections", 0, "items_given"), 25, "items_given is 25, but the bank has 24"),
    (at("sections", 0, "items_given"), 0, "items_given is 0"),
    (at("sections", 0, "per_page"), 25, "section interests: per_page is 25"),
    (at("sections", 0, "per_page"), "6", "section interests: per_page is 6"),
    (at("sections", 1, "per_page"), 2, "section aptitude: per_page is 2, not 1."),
    (at("sections", 0, "intro", "en"), "text", "section interests: the intro has no paragraphs"),
    (at("sections", 0, "title"), None, "section interests: the title is missing in en."),
]


def test_a_sound_bank_has_no_faults() -> None:
    assert validate(BANK) == []
    assert validate(json.loads(json.dumps(BANK))) == []


@pytest.mark.parametrize(("change", "value", "expected"), CASES)
def test_a_fault_is_named(
    change: Callable[[Bank, object], None], value: object, expected: str
) -> None:
    assert any(expected in fault for fault in faults_of(change, value)), faults_of(change, value)


def test_an_interest_without_items_is_named() -> None:
    bank = deepcopy(BANK)
    bank["items"] = [item for item in bank["items"] if item.get("scale") != "artistic"]

    assert "section interests: no item for artistic." in validate(bank)


def test_every_bad_row_is_named_at_once() -> None:
    bank = deepcopy(BANK)
    for item in bank["items"]:
        item["text"] = {}

    named = [fault for fault in validate(bank) if fault.endswith("the text is missing in en.")]

    assert len(named) == 44


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


@given(st.sampled_from(paths(BANK)), JUNK)
@settings(max_examples=300, deadline=None)
def test_no_content_however_broken_raises(path: tuple[str | int, ...], junk: object) -> None:
    assert all(isinstance(fault, str) for fault in faults_of(at(*path), junk))
