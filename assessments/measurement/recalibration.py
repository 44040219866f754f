"""Make a new bank from an old one: the same questions with other figures."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Any

from assessments.measurement.bank import Bank, FieldNorms
from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.measurement.item_validation import RANGES, SCALES
from assessments.measurement.norms import scale_norms, usual_seconds
from assessments.measurement.scales import DECIMALS, Norm
from assessments.measurement.statement_norms import field_norms, statement_norms

RECALIBRATED = re.compile(r"-[a-z]\d+$")
# The letters in versions of banks with new item parameters, and with new norms.
CALIBRATED, NORMED = "c", "n"

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


def with_norms_from(data: Data, attempts: Sequence[CompletedAttempt]) -> dict[str, Any]:
    """Return the content with norms and usual times from valid attempts, and their number.

    Field scores are made with the norms of scales and statements, so their own norms come last.
    Raises ValueError if the norms need more attempts.
    """
    bank = Bank.from_json(data)
    norms = scale_norms([attempt.means for attempt in attempts])
    times = (time for attempt in attempts for time in attempt.section_seconds(bank))
    new = {**with_norms(data, norms, usual_seconds(times)), "norms_from": len(attempts)}
    answers = [attempt.answers for attempt in attempts]
    new = with_statement_norms(new, statement_norms(bank, answers))
    return with_field_norms(new, field_norms(Bank.from_json(new), answers))


def with_norms(
    data: Data, norms: Mapping[str, Norm], section_seconds: Mapping[str, int]
) -> dict[str, Any]:
    """Return the content with new norms and expected times of the named scales and sections."""
    scales = {
        section: {
            scale: _as_json(norms[scale]) if scale in norms else dict(norm)
            for scale, norm in data["norms"][section].items()
        }
        for section in SCALES
    }
    return {
        **data,
        "norms": {**data["norms"], **scales},
        "sections": [
            {**section, "seconds": section_seconds[section["code"]]}
            if section["code"] in section_seconds
            else dict(section)
            for section in data["sections"]
        ],
    }


def with_statement_norms(data: Data, norms: Mapping[str, Norm]) -> dict[str, Any]:
    """Return the content with new norms of the named interest statements."""
    statements = [
        {"code": old["code"], **_as_json(norms[old["code"]])} if old["code"] in norms else dict(old)
        for old in data["norms"]["statements"]
    ]
    return {**data, "norms": {**data["norms"], "statements": statements}}


def with_field_norms(data: Data, norms: FieldNorms) -> dict[str, Any]:
    """Return the content with new norms of the field scores, in the order of its fields."""
    order = [field["code"] for field in data["fields"]]
    fields = {
        "means": [norms.means[name] for name in order],
        "covariances": [[norms.covariances[one][other] for other in order] for one in order],
    }
    return {**data, "norms": {**data["norms"], "fields": fields}}


def _as_json(norm: Norm) -> dict[str, float]:
    return {"mean": norm.mean, "sd": norm.sd}


def _allowed(name: str, value: float) -> float:
    low, high = RANGES[name]
    return round(max(low, min(high, value)), DECIMALS)
