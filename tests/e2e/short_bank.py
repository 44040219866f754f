"""The shipped bank, cut short: both languages with their own words, a puzzle of each kind."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from assessments.banks import SHIPPED

VERSION = "2026.4-short"
# Stage 1 keeps all its statements, as it must speak of every field; stage 2 asks about four fields.
LEADING = 4
# The data puzzles are about a table or a chart, and there is one of each.
PUZZLES = 1
PREFERENCES = 2  # a scale, keyed each way
LEFT_OUT = {
    "instructed"
}  # "choose the fourth answer": students of the tests have a rule of their own


def short_bank() -> dict[str, Any]:
    """Return a bank of which every attempt is given every item but those of stage 2."""
    bank: dict[str, Any] = json.loads(SHIPPED.read_bytes())
    most = {"aptitude": PUZZLES, "preferences": PREFERENCES}
    taken: Counter[str] = Counter()
    kept = []
    for item in bank["items"]:
        kind = item.get("scale") or item["family"] + item.get("figure", {}).get("kind", "")
        if kind not in LEFT_OUT and taken[kind] < most.get(item["section"], len(bank["items"])):
            taken[kind] += 1
            kept.append(item)
    given = Counter(item["section"] for item in kept)
    given["fields"] = LEADING * given["fields"] // len(bank["fields"])
    for section in bank["sections"]:
        section["items_given"] = given[section["code"]]
    return bank | {
        "version": VERSION,
        "items": kept,
        "matching": bank["matching"] | {"leading": LEADING},
    }
