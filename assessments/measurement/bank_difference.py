"""What two banks have in common: everything but norms, or the items that ask the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assessments.measurement.scales import INSTRUCTED

Data = Mapping[str, Any]
# The identity of a bank, and what norms consist of.
NORMS = frozenset({"version", "succeeds", "norms", "norms_from"})
# The parts of an item that say where it is shown and how it is scored, which no answer depends on.
NOT_ASKED = frozenset({"order", "seconds", "a", "b", "c", "b_rule", "fields"})


def differ_in_norms_alone(one: Data, other: Data) -> bool:
    """Return whether two banks differ in norms and in usual seconds of sections at most."""
    return _without_norms(one) == _without_norms(other)


def unchanged_items(old: Data, new: Data) -> set[str]:
    """Return the codes of the items that both banks ask alike.

    The wording is that of the bank's first language: a better translation leaves the answers as
    they were.
    """
    before = {item["code"]: _asked(old, item) for item in old["items"]}
    return {item["code"] for item in new["items"] if before.get(item["code"]) == _asked(new, item)}


def _without_norms(data: Data) -> dict[str, Any]:
    kept = {name: part for name, part in data.items() if name not in NORMS}
    sections = [{**section, "seconds": None} for section in data["sections"]]
    return {**kept, "sections": sections}


def _asked(data: Data, item: Data) -> dict[str, Any]:
    asked = {name: part for name, part in item.items() if name not in NOT_ASKED}
    if item.get("scale") == INSTRUCTED:
        # An attention check has no norm; only the answer that it asks for counts.
        return {**asked, "text": None}
    return {**asked, "text": item["text"][data["languages"][0]]}
