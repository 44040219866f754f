"""Carry the norms of a bank over to a new one that asks some of its statements again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from assessments.measurement.bank_compare import compare
from assessments.measurement.item_validation import SCALES
from assessments.measurement.scales import DECIMALS, INSTRUCTED, INTERESTS

Data = Mapping[str, Any]
# The parts of an item that say where and how long it is shown, which no norm depends on.
NOT_ASKED = frozenset({"order", "seconds", "a", "b", "c", "b_rule"})


def differ_in_norms_alone(one: Data, other: Data) -> bool:
    """Return whether two banks differ in norms and in usual seconds of sections at most."""
    found = compare(one, other)
    if found.added or found.removed or found.changed or _fields(one) != _fields(other):
        return False
    return all(
        change.part.startswith("norms")
        or (change.part.startswith("sections.") and change.part.endswith(".seconds"))
        for change in found.definition
    )


def with_norms_of(old: Data, new: Data) -> dict[str, Any]:
    """Return the content of a new bank with all norms of an old one that hold there too.

    These are the norms of statements with the same code and wording, of scales that ask the same
    statements, and of fields if nothing that they are made of has changed; and the usual seconds of
    sections that give the same items. The wording is that of the bank's first language: a better
    translation, other names and other words for the answers leave a norm as it was.

    A type that asks some statements anew gets the mean of its statements' norms. `norms_from` is
    carried over only with all norms; otherwise attempts on the new bank count anew. Without any,
    the content is equal to that of the new bank.
    """
    before, after = old["norms"], new["norms"]
    norms: dict[str, Any] = dict(after)
    statements = _carried_statements(old, new)
    same_scales = set()
    for section, scales in SCALES.items():
        norms[section] = dict(after[section])
        for scale in scales:
            if _asked(old, section, scale) == _asked(new, section, scale):
                norms[section][scale] = before[section][scale]
                same_scales.add(scale)
            elif section == "interests":
                norms[section][scale] = _type_norm(new, scale, statements)
    all_carried = len(same_scales) == sum(map(len, SCALES.values()))
    if "statements" in after:
        norms["statements"] = [statements.get(each["code"], each) for each in after["statements"]]
        same_statements = len(statements) == len(after["statements"])
        same_fields = same_statements and _field_parts(old) == _field_parts(new)
        if same_fields and same_scales >= set(INTERESTS):
            norms["fields"] = before["fields"]
        all_carried = all_carried and same_fields
    content = {**new, "norms": norms, "sections": list(_sections(old, new))}
    if all_carried and "norms_from" in old:
        content["norms_from"] = old["norms_from"]
    return content


def _carried_statements(old: Data, new: Data) -> dict[str, Data]:
    """Return the old norms, by code, of the new bank's statements with the same texts."""
    before, after = _wordings(old), _wordings(new)
    return {
        norm["code"]: norm
        for norm in old["norms"].get("statements", ())
        if before[norm["code"]] == after.get(norm["code"])
    }


def _wordings(data: Data) -> dict[str, str]:
    return {item["code"]: _wording(data, item) for item in data["items"]}


def _wording(data: Data, item: Data) -> str:
    """Return the text in the first language, or "" for an attention check, which has no norm."""
    return "" if item.get("scale") == INSTRUCTED else item["text"][data["languages"][0]]


def _asked(data: Data, section: str, scale: str) -> dict[str, Any]:
    """Return what a student is asked on a scale, by code."""
    return {
        item["code"]: (_wording(data, item), item.get("keyed", 1))
        for item in data["items"]
        if item["section"] == section and item.get("scale") == scale and not item.get("spare")
    }


def _type_norm(data: Data, scale: str, carried: Mapping[str, Data]) -> Data:
    """Return the norm of a type: its mean answer's mean is the mean of its statements' means."""
    norm: Data = data["norms"]["interests"][scale]
    codes = _asked(data, "interests", scale)
    if not carried.keys() & codes.keys():
        return norm
    starting = {each["code"]: each for each in data["norms"]["statements"]}
    means = [carried.get(code, starting[code])["mean"] for code in codes]
    return {**norm, "mean": round(fmean(means), DECIMALS)}


def _field_parts(data: Data) -> tuple[Any, ...]:
    """Return what decides the field scores of students, norms aside."""
    matching = data.get("matching", {})
    statements = {
        item["code"]: (item["section"], item["scale"], item.get("fields"))
        for item in data["items"]
        if item["section"] in ("interests", "fields") and not item.get("spare")
    }
    return _fields(data), matching.get("leading"), matching.get("type_weight"), statements


def _fields(data: Data) -> list[tuple[str, list[str]]]:
    """Return the fields with their types, in the order of their norms and of ties."""
    return [(field["code"], field["types"]) for field in data.get("fields", ())]


def _sections(old: Data, new: Data) -> Iterator[dict[str, Any]]:
    """Yield the new sections, with the old seconds where a section gives the same items."""
    before = {section["code"]: section for section in old["sections"]}
    for section in new["sections"]:
        other = before.get(section["code"], {})
        if "seconds" in other and _given(old, other) == _given(new, section):
            yield {**section, "seconds": other["seconds"]}
        else:
            yield dict(section)


def _given(data: Data, section: Data) -> tuple[Any, ...]:
    items = {
        item["code"]: {name: part for name, part in item.items() if name not in NOT_ASKED}
        | {"text": _wording(data, item)}
        for item in data["items"]
        if item["section"] == section["code"] and not item.get("spare")
    }
    return section["items_given"], section["per_page"], items
