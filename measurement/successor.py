"""Make a new bank from an old one: the same questions with other norms. Say how two differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import count
from math import fsum
from statistics import fmean
from typing import Any

from measurement.bank import Bank
from measurement.norms import scale_norms, statement_norms, usual_seconds
from measurement.scales import HIGHEST, INSTRUCTED, LOWEST, SCALES, Norm
from measurement.validity import Given

RENEWED = re.compile(r"-[a-z]\d+$")
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
    return RENEWED.sub("", version)


def next_version(version: str, letter: str, taken: Collection[str]) -> str:
    """Return a free version: 2026.2 becomes 2026.2-c1, and then 2026.2-c2 or 2026.2-n2.

    The letters share one sequence of numbers, so that the number shows the order.
    """
    start = stem(version)
    used = {each.removeprefix(start)[2:] for each in taken if RENEWED.fullmatch(each, len(start))}
    number = next(number for number in count(1) if str(number) not in used)
    return f"{start}-{letter}{number}"


def successor(data: Data, version: str) -> dict[str, Any]:
    """Return the content of a bank file under a new version, naming the bank it succeeds."""
    return {**data, "version": version, "succeeds": data["version"]}


def with_norms_from(data: Data, attempts: Sequence[Sequence[Given]]) -> dict[str, Any]:
    """Return the content with norms and usual times from valid attempts, and their number.

    Attempts may lack answers, to statements that have changed since. A scale gets its norm, and a
    section its usual time, from the attempts that answer the whole of it. What too few attempts
    answer keeps its norm. Raises ValueError with too few attempts.
    """
    bank = Bank.from_json(data)
    answers = [{each.code: each.choice for each in given} for given in attempts]
    lengths = {section["code"]: section.get("items_given") for section in data["sections"]}
    times = []
    for given in attempts:
        spent: dict[str, list[float]] = {}
        for each in given:
            spent.setdefault(bank.sections[each.code], []).append(each.seconds)
        times += [(name, fsum(own)) for name, own in spent.items() if len(own) == lengths[name]]
    norms = scale_norms(bank, [scale_means(bank, each) for each in answers])
    new = with_norms(data, norms, usual_seconds(times), statement_norms(bank, answers))
    return {**new, "norms_from": len(attempts)}


def scale_means(bank: Bank, answers: Mapping[str, int]) -> dict[str, float]:
    """Return the mean answer (1 to 5) by scale, of scales with an answer to each statement."""
    values: dict[str, list[int | None]] = {}
    for code, statement in {**bank.interests, **bank.preferences}.items():
        choice = answers.get(code)
        if choice is not None and statement.keyed < 0:
            choice = LOWEST + HIGHEST - choice
        values.setdefault(statement.scale, []).append(choice)
    return {
        scale: fmean(given)
        for scale, choices in values.items()
        if len(given := [each for each in choices if each is not None]) == len(choices)
    }


def with_norms(
    data: Data,
    norms: Mapping[str, Norm],
    section_seconds: Mapping[str, int],
    statements: Mapping[str, Norm],
) -> dict[str, Any]:
    """Return the content with these norms of scales and of statements, and times of sections."""
    old = data["norms"]
    new = {
        section: {
            scale: asdict(norms[scale]) if scale in norms else norm
            for scale, norm in old[section].items()
        }
        for section in SCALES
    }
    of_statements = [
        {**each, **asdict(statements[each["code"]])} if each["code"] in statements else each
        for each in old["statements"]
    ]
    sections = [
        {**each, "seconds": section_seconds[each["code"]]}
        if each["code"] in section_seconds
        else each
        for each in data["sections"]
    ]
    return {**data, "norms": {**old, **new, "statements": of_statements}, "sections": sections}


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
