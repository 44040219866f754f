"""Putting the bank together that ships with the code."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from assessments.itembank import patterns, series
from assessments.itembank.items import DISCRIMINATION, Draft
from assessments.itembank.options import OPTIONS, balanced_places
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
# Until a hundred sittings tell better.
START_NORM = {"mean": 3.0, "sd": 0.9}

Generator = Callable[[str, int, int, bool], Draft]
# Rule and seed of each item, the easier ones first. An item's number is part of its code: add
# new ones at the end of a family, and give a rule another seed rather than change its writer.
FAMILIES: dict[str, tuple[Generator, tuple[tuple[str, int], ...]]] = {
    series.FAMILY: (
        series.generate,
        (
            ("add", 1),
            ("growing_steps", 1),
            ("by_turns", 1),
            ("sum_of_two", 1),
            ("interleaved", 1),
            ("multiply_and_add", 1),
        ),
    ),
    patterns.FAMILY: (
        patterns.generate,
        (
            ("letters", 1),
            ("pairs", 1),
            ("growing_letters", 1),
            ("groups", 1),
            ("pairs_by_turns", 1),
            ("letters_by_turns", 1),
        ),
    ),
}
# The one in each five items whose key is also the option most like the others.
TYPICAL = 2


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
            "interests": {scale: START_NORM for scale in INTERESTS},
            "preferences": {scale: START_NORM for scale in PREFERENCES},
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
    places = balanced_places(len(recipes), random.Random(f"{VERSION} {family}"))
    return [
        _aptitude_item(
            f"apt-{family}-{number:02}",
            generate(rule, seed, place, number % OPTIONS == TYPICAL),
        )
        for number, ((rule, seed), place) in enumerate(zip(recipes, places, strict=True), start=1)
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
