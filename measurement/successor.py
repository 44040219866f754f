"""Banks made from others: their versions, and how two banks differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

from measurement.scales import INSTRUCTED

# The letters in versions of banks with new item parameters, and with new norms.
CALIBRATED, NORMED = "c", "n"
# The identity of a bank, and what norms consist of.
NORMS = frozenset({"version", "succeeds", "norms", "norms_from"})
# The parts of an item that say where it is shown and how it is scored, which no answer depends on.
NOT_ASKED = frozenset({"order", "seconds", "a", "b", "c", "b_rule", "fields"})

Data = Mapping[str, Any]


def stem(version: str) -> str:
    """Return what the versions of banks with the same questions have in common.

    2026.2-n1 and 2026.2-c2 have the questions of 2026.2.
    """
    return re.sub(r"-[a-z]\d+$", "", version)


def successor(data: Data, letter: str, taken: Collection[str]) -> dict[str, Any]:
    """Return the content of a bank file under a free version, naming the bank it succeeds.

    2026.2 becomes 2026.2-c1, and then 2026.2-c2 or 2026.2-n2: the letters share one sequence of
    numbers, so that the number shows the order.
    """
    start = stem(data["version"])
    number = next(
        number
        for number in count(1)
        if not {f"{start}-{each}{number}" for each in (CALIBRATED, NORMED)} & {*taken}
    )
    return {**data, "version": f"{start}-{letter}{number}", "succeeds": data["version"]}


def differ_in_norms_alone(one: Data, other: Data) -> bool:
    """Return whether two banks differ in norms and in usual seconds of sections at most."""
    return _without_norms(one) == _without_norms(other)


def _without_norms(data: Data) -> dict[str, Any]:
    kept = {name: part for name, part in data.items() if name not in NORMS}
    sections = [{**section, "seconds": None} for section in data["sections"]]
    return {**kept, "sections": sections}


def unchanged_items(old: Data, new: Data) -> set[str]:
    """Return the codes of the items that both banks ask alike.

    The wording is that of the bank's first language: a better translation leaves the answers as
    they were.
    """
    before = {item["code"]: _asked(old, item) for item in old["items"]}
    return {item["code"] for item in new["items"] if before.get(item["code"]) == _asked(new, item)}


def _asked(data: Data, item: Data) -> dict[str, Any]:
    asked = {name: part for name, part in item.items() if name not in NOT_ASKED}
    # An attention check has no norm; only the answer that it asks for counts.
    is_check = item.get("scale") == INSTRUCTED
    return {**asked, "text": None if is_check else item["text"][data["languages"][0]]}
