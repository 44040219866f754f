"""Make a new bank from an old one: the same questions with other figures."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

from assessments.measurement.item_validation import RANGES
from assessments.measurement.scales import DECIMALS, Norm

RECALIBRATED = re.compile(r"-[a-z]\d+$")

Data = Mapping[str, Any]


def next_version(version: str, letter: str, taken: Collection[str]) -> str:
    """Return a free version: 2026.2 becomes 2026.2-c1, and then 2026.2-c2 or 2026.2-n2.

    The letters share one sequence of numbers, so that the number shows the order.
    """
    stem = RECALIBRATED.sub("", version)
    used = {
        each.removeprefix(stem)[2:] for each in taken if RECALIBRATED.fullmatch(each, len(stem))
    }
    number = next(number for number in count(1) if str(number) not in used)
    return f"{stem}-{letter}{number}"


def successor(data: Data, version: str) -> dict[str, Any]:
    """Return the content of a bank file under a new version, with its origin in `made_from`."""
    return {**data, "version": version, "made_from": [*data.get("made_from", []), data["version"]]}


def expected_difficulties(data: Data) -> dict[str, float]:
    """Return the difficulty of each aptitude item before its first calibration, by code."""
    return {
        item["code"]: item.get("b_rule", item["b"])
        for item in data["items"]
        if item["section"] == "aptitude"
    }


def with_estimates(
    data: Data, estimates: Mapping[str, tuple[float, float]], seconds: Mapping[str, int]
) -> dict[str, Any]:
    """Return the content with new a, b and expected times of the named aptitude items.

    Estimates are limited to the ranges of a bank file. The item keeps the difficulty of its rule.
    """
    rules = expected_difficulties(data)
    items = []
    for item in data["items"]:
        code = item["code"]
        new = dict(item)
        if code in estimates:
            a, b = estimates[code]
            new |= {"a": _allowed("a", a), "b": _allowed("b", b), "b_rule": rules[code]}
        if code in seconds:
            new["seconds"] = seconds[code]
        items.append(new)
    return {**data, "items": items}


def with_norms(
    data: Data, norms: Mapping[str, Norm], section_seconds: Mapping[str, int]
) -> dict[str, Any]:
    """Return the content with new norms and expected times of the named scales and sections."""
    return {
        **data,
        "norms": {
            section: {
                scale: {"mean": norms[scale].mean, "sd": norms[scale].sd}
                if scale in norms
                else dict(norm)
                for scale, norm in scales.items()
            }
            for section, scales in data["norms"].items()
        },
        "sections": [
            {**section, "seconds": section_seconds[section["code"]]}
            if section["code"] in section_seconds
            else dict(section)
            for section in data["sections"]
        ],
    }


def _allowed(name: str, value: float) -> float:
    low, high = RANGES[name]
    return round(max(low, min(high, value)), DECIMALS)
