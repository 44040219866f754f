"""The shipped bank, cut short: both languages with their own words, a puzzle of each kind."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from assessments.banks import SHIPPED

VERSION = "2026.2-short"
# Statements a scale. The data puzzles are about a table or a chart, and there is one of each.
STATEMENTS = 2
PUZZLES = 1
LEFT_OUT = {
    "instructed"
}  # "choose the fourth answer": students of the tests have a rule of their own


def short_bank() -> dict[str, Any]:
    """Return a bank of which every attempt is given every item, the puzzles in any order."""
    bank: dict[str, Any] = json.loads(SHIPPED.read_bytes())
    taken: Counter[str] = Counter()
    kept = []
    for item in bank["items"]:
        kind = item.get("scale") or item["family"] + item.get("figure", {}).get("kind", "")
        most = PUZZLES if item["section"] == "aptitude" else STATEMENTS
        if kind not in LEFT_OUT and taken[kind] < most and "spare" not in item:
            taken[kind] += 1
            kept.append(item)
    for section in bank["sections"]:
        section["items_given"] = sum(item["section"] == section["code"] for item in kept)
    return bank | {"version": VERSION, "items": kept}
