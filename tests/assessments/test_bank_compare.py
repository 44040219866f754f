"""What differs between two banks, by tables of small ones."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from assessments.measurement.bank_compare import Change, compare

STATEMENT = {"code": "int-1", "section": "interests", "scale": "social", "order": 1,
             "text": {"en": "Help", "hi": "Madad"}}  # fmt: skip
PUZZLE = {"code": "apt-1", "section": "aptitude", "family": "series", "order": 2, "key": 3,
          "text": {"en": "Next?"}, "lines": ["1, 2"], "a": 1.1, "b": 0.2, "c": 0.18, "seconds": 40,
          "options": [{"value": 1, "label": {"en": "3"}}], "radicals": {"steps": 1}}  # fmt: skip
BANK: dict[str, Any] = {
    "version": "1",
    "languages": ["en"],
    "weights": {"interests": 0.65, "aptitude": 0.3},
    "sections": [{"code": "interests", "items_given": 1, "title": {"en": "Likes"}}],
    "items": [STATEMENT, PUZZLE],
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """Return the bank with one thing changed, as version 2."""
    bank = copy.deepcopy(BANK) | {"version": "2", "made_from": ["1"]}
    place: Any = bank
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return bank


def test_the_same_content_under_another_version_is_the_same() -> None:
    found = compare(BANK, copy.deepcopy(BANK) | {"version": "2", "made_from": ["1"]})

    assert found.is_same
    assert found.unchanged == 2


@pytest.mark.parametrize(
    ("item", "part", "new", "kind"),
    [
        (0, "text", {"en": "Help others", "hi": "Madad"}, "text"),
        (1, "lines", ["1, 2, 3"], "text"),
        (1, "passage", {"en": ["Read."]}, "text"),
        (1, "options", [], "answers"),
        (1, "figure", {"kind": "table"}, "figure"),
        (1, "key", 2, "key"),
        (0, "keyed", -1, "key"),
        (1, "b", 0.4, "parameters"),
        (1, "a", 1.3, "parameters"),
        (0, "scale", "artistic", "place"),
        (0, "order", 7, "place"),
        (0, "spare", True, "place"),
        (1, "seconds", 33, "time"),
        (1, "radicals", {"steps": 2}, "other"),
        (1, "note", "new", "other"),
    ],
)
def test_a_changed_part_of_an_item_is_listed_with_before_and_after(
    item: int, part: str, new: Any, kind: str
) -> None:
    old = BANK["items"][item]

    found = compare(BANK, changed("items", item, part, to=new))

    assert not found.is_same
    assert [each.code for each in found.changed] == [old["code"]]
    assert found.changed[0].changes == (Change(kind, part, old.get(part), new),)
    assert (found.added, found.removed, found.unchanged, found.definition) == ((), (), 1, ())


@pytest.mark.parametrize(
    ("path", "new", "part", "old"),
    [
        (("weights", "aptitude"), 0.25, "weights.aptitude", 0.3),
        (("languages",), ["en", "hi"], "languages", ["en"]),
        (("sections", 0, "title", "en"), "Interests", "sections.interests.title.en", "Likes"),
        (("sections", 0, "seconds"), 200, "sections.interests.seconds", None),
        (("reference",), "students", "reference", None),
    ],
)
def test_a_changed_definition_is_listed_by_the_key_that_differs(
    path: tuple[Any, ...], new: Any, part: str, old: Any
) -> None:
    found = compare(BANK, changed(*path, to=new))

    assert found.definition == (Change("definition", part, old, new),)
    assert found.changed == ()
