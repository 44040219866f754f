"""Putting the bank together that ships with the code."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from assessments.itembank import patterns, series
from assessments.itembank.items import DISCRIMINATION, Draft
from assessments.itembank.statements import (
    DONT_KNOW,
    INTEREST_ANSWERS,
    INTEREST_STATEMENTS,
    PREFERENCE_ANSWERS,
    PREFERENCE_STATEMENTS,
    SECTION_INTROS,
    SECTION_TITLES,
)
from assessments.measurement.scales import INTERESTS, PREFERENCES

VERSION = "2026.1"
LANGUAGES = ["en"]
PER_PAGE = {"interests": 6, "aptitude": 1, "preferences": 4}
WEIGHTS = {"interests": 0.65, "aptitude": 0.30, "preferences": 0.05}
# Assumed until a hundred sittings tell better.
START_NORM = {"mean": 3.0, "sd": 0.9}

Generator = Callable[[str, int, int, bool], Draft]


class Recipe(NamedTuple):
    """What an item is made from; the same recipe always makes the same item."""

    rule: str
    seed: int
    place: int
    typical: bool = False


# The easier ones first. Places are balanced, one key in six is the option most like the others.
# An item's code comes from its place in this list: add new ones at the end of a family.
FAMILIES: dict[str, tuple[Generator, tuple[Recipe, ...]]] = {
    series.FAMILY: (
        series.generate,
        (
            Recipe("add", seed=10, place=2),
            Recipe("growing_steps", seed=14, place=4),
            Recipe("by_turns", seed=10, place=3, typical=True),
            Recipe("sum_of_two", seed=2, place=5),
            Recipe("interleaved", seed=6, place=1),
            Recipe("multiply_and_add", seed=7, place=4),
        ),
    ),
    patterns.FAMILY: (
        patterns.generate,
        (
            Recipe("letters", seed=4, place=3),
            Recipe("pairs", seed=12, place=2, typical=True),
            Recipe("growing_letters", seed=1, place=4),
            Recipe("groups", seed=4, place=5),
            Recipe("pairs_by_turns", seed=3, place=1),
            Recipe("letters_by_turns", seed=1, place=3),
        ),
    ),
}


def build() -> dict[str, Any]:
    """Return the content of the bank file; the same code gives the same content."""
    items: list[dict[str, Any]] = []
    for part in (_interest_items(), _aptitude_items(), _preference_items()):
        for item in part:
            items.append({**item, "order": len(items) + 1})
    given = {code: sum(item["section"] == code for item in items) for code in PER_PAGE}
    return {
        "version": VERSION,
        "languages": LANGUAGES,
        "sections": [
            {
                "code": code,
                "items_given": given[code],
                "per_page": per_page,
                "title": SECTION_TITLES[code],
                "intro": SECTION_INTROS[code],
            }
            for code, per_page in PER_PAGE.items()
        ],
        "answers": {
            "interests": _numbered(list(INTEREST_ANSWERS)),
            "preferences": _numbered(list(PREFERENCE_ANSWERS)),
        },
        "dont_know": DONT_KNOW,
        "norms": {
            "interests": {scale: dict(START_NORM) for scale in INTERESTS},
            "preferences": {scale: dict(START_NORM) for scale in PREFERENCES},
        },
        "weights": WEIGHTS,
        "items": items,
    }


def to_text(data: dict[str, Any]) -> str:
    """Write a bank as the text of its file."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _interest_items() -> list[dict[str, Any]]:
    """Interleave the six types, so that no two neighbours are about the same."""
    rounds = zip(*(INTEREST_STATEMENTS[scale] for scale in INTERESTS), strict=True)
    return [
        {
            "code": f"int-{scale[0].upper()}-{number:02}",
            "section": "interests",
            "scale": scale,
            "text": text,
        }
        for number, texts in enumerate(rounds, start=1)
        for scale, text in zip(INTERESTS, texts, strict=True)
    ]


def _preference_items() -> list[dict[str, Any]]:
    rounds = zip(*(PREFERENCE_STATEMENTS[scale] for scale in PREFERENCES), strict=True)
    return [
        {
            "code": f"pref-{scale.replace('_', '-')}-{number:02}",
            "section": "preferences",
            "scale": scale,
            "keyed": keyed,
            "text": text,
        }
        for number, statements in enumerate(rounds, start=1)
        for scale, (keyed, text) in zip(PREFERENCES, statements, strict=True)
    ]


def _aptitude_items() -> list[dict[str, Any]]:
    """Generate the families and let them take turns."""
    rounds = zip(*(_family_items(family) for family in FAMILIES), strict=True)
    return [item for each in rounds for item in each]


def _family_items(family: str) -> list[dict[str, Any]]:
    generate, recipes = FAMILIES[family]
    return [
        _aptitude_item(f"apt-{family}-{number:02}", generate(*recipe))
        for number, recipe in enumerate(recipes, start=1)
    ]


def _aptitude_item(code: str, draft: Draft) -> dict[str, Any]:
    return {
        "code": code,
        "section": "aptitude",
        "family": draft.family,
        "text": dict(draft.text),
        "lines": list(draft.lines),
        # Numbers and letters read alike in every language.
        "options": _numbered([dict.fromkeys(LANGUAGES, option) for option in draft.options]),
        "key": draft.key,
        "a": DISCRIMINATION,
        "b": draft.b,
        "c": draft.guessing,
        "radicals": dict(draft.radicals),
    }


def _numbered(labels: list[dict[str, str]]) -> list[dict[str, Any]]:
    return [{"value": value, "label": label} for value, label in enumerate(labels, start=1)]
