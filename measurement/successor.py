"""Name banks that are made from others, and compare two banks."""

import re
from collections.abc import Collection
from itertools import count
from typing import Any

from measurement.bank import Data
from measurement.scales import INSTRUCTED

# The letter in the version of a bank with new item parameters, and of one with new norms.
CALIBRATED, NORMED = "c", "n"
# The members of a bank file in which two banks differ that differ in norms alone.
OF_NORMS = frozenset({"version", "succeeds", "norms", "norms_from", "starting_norms"})
# The members of an item on which no answer depends: its place, and how it is scored.
NOT_ASKED = frozenset({"order", "seconds", "a", "b", "c", "b_rule", "b_sd", "fields"})


def base_version(version: str) -> str:
    """Return the version of the bank that the questions come from: 2026.2 for 2026.2-n1."""
    return re.sub(r"-[a-z]\d+$", "", version)


def make_successor(data: Data, letter: str, taken: Collection[str]) -> dict[str, Any]:
    """Return a bank file's content under a version that is not taken, as successor of its own.

    2026.2 becomes 2026.2-c1, then 2026.2-c2 or 2026.2-n2: both letters share the numbers.
    """
    base = base_version(data["version"])
    number = next(
        number
        for number in count(1)
        if not {f"{base}-{each}{number}" for each in (CALIBRATED, NORMED)} & {*taken}
    )
    return {**data, "version": f"{base}-{letter}{number}", "succeeds": data["version"]}


def differ_in_norms_alone(old: Data, new: Data) -> bool:
    """Return whether two banks differ at most in norms and in expected times of sections."""
    return _without_norms(old) == _without_norms(new)


def _without_norms(data: Data) -> dict[str, Any]:
    kept = {name: part for name, part in data.items() if name not in OF_NORMS}
    sections = [{**section, "seconds": None} for section in data["sections"]]
    return {**kept, "sections": sections}


def unchanged_items(old: Data, new: Data) -> set[str]:
    """Return the codes of items that both banks ask alike, in the wording of the first language."""
    before = {item["code"]: _asked(old, item) for item in old["items"]}
    return {item["code"] for item in new["items"] if before.get(item["code"]) == _asked(new, item)}


def _asked(data: Data, item: Data) -> dict[str, Any]:
    asked = {name: part for name, part in item.items() if name not in NOT_ASKED}
    # An attention check may be reworded: only the answer that it asks for counts.
    is_check = item.get("scale") == INSTRUCTED
    return {**asked, "text": None if is_check else item["text"][data["languages"][0]]}
