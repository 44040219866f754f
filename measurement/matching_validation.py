"""Check what a bank needs to rank courses: fields, constants, norms and two stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from measurement.bank_checks import (
    is_count,
    is_within,
    limit_faults,
    listed,
    mapping,
    norm_faults,
    repeated,
    text_faults,
)
from measurement.fields import FIELDS
from measurement.scales import INSTRUCTED, INTERESTS

MOST_TYPES = 2
MOST_FIELDS_OF_A_STATEMENT = 3
# The range of each constant, and whether it is a whole number.
RANGES: dict[str, tuple[float, float, bool]] = {
    "leading": (1, len(FIELDS), True),
    "noise": (0.01, 10, False),
    "main_weight": (1, 10, False),
    "named": (0, 1, False),
    "other_weight": (0, 10, False),
    "fit_spread": (0.1, 1, False),
    "aptitude_sd": (0, 1, False),
    "aptitude_cap": (0, 1, False),
    "preference_most": (0, 0.05, False),
    "per_department": (1, 10, True),
    "department_lead": (0, 4, False),
}


def matching_faults(data: Mapping[str, Any], languages: Sequence[str]) -> Iterator[str]:
    """Yield the faults of the fields, the constants, the norms and the two stages of a bank."""
    yield from _fields(listed(data.get("fields")), languages)
    yield from limit_faults("matching", mapping(data.get("matching")), RANGES)
    items = [mapping(item) for item in listed(data.get("items"))]
    yield from _statement_norms(mapping(data.get("norms")), items)
    yield from _field_covariances(data.get("field_covariances"))
    yield from _stages(data, items)


def _fields(fields: Sequence[Any], languages: Sequence[str]) -> Iterator[str]:
    codes = [str(mapping(each).get("code")) for each in fields]
    if set(codes) != set(FIELDS) or repeated(codes):
        yield f"fields: not each of {', '.join(FIELDS)} once."
    for each in map(mapping, fields):
        name = f"fields, {each.get('code')}"
        yield from (
            f"{name}: the name {fault}" for fault in text_faults(each.get("name"), languages)
        )
        types = listed(each.get("types"))
        if not 1 <= len(types) <= MOST_TYPES or not all(type_ in INTERESTS for type_ in types):
            yield f"{name}: not one or two of {', '.join(INTERESTS)}."


def _statement_norms(norms: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    given = [mapping(norm) for norm in listed(norms.get("statements"))]
    codes = [str(norm.get("code")) for norm in given]
    if set(codes) != {str(item.get("code")) for item in items if _is_scored(item)}:
        yield "norms, statements: not one for each interest statement."
    for code in repeated(codes):
        yield f"norms, statements: {code} has more than one."
    for code, norm in zip(codes, given, strict=True):
        yield from norm_faults(f"statements, {code}", norm)


def _field_covariances(covariances: object) -> Iterator[str]:
    """Check the symmetric matrix of covariances, in the order of the fields."""
    rows = [listed(row) for row in listed(covariances)]
    if [len(row) for row in rows] != [len(FIELDS)] * len(FIELDS):
        yield "field_covariances: needs a covariance of each field with each."
        return
    for place, row in enumerate(rows):
        for other, value in enumerate(row):
            low = 0.01 if place == other else -16
            if not is_within(value, low, 16) or value != rows[other][place]:
                yield f"field_covariances: {value} is no covariance (row {place + 1}, {other + 1})."


def _stages(data: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Check that stage 1 speaks of every field, and stage 2 of each as often as of the others."""
    scored = [item for item in items if _is_scored(item)]
    touched = set()
    for item in scored:
        if item.get("section") == "interests":
            fields = listed(item.get("fields"))
            known = [field for field in fields if isinstance(field, str) and field in FIELDS]
            if len(set(known)) != len(fields) or not 1 <= len(known) <= MOST_FIELDS_OF_A_STATEMENT:
                yield f"item {item.get('code')}: not one to three different fields."
            touched |= set(known)
    if touched != FIELDS.keys():
        yield "section interests: no statement speaks of " + ", ".join(
            field for field in FIELDS if field not in touched
        )
    asked = [item.get("scale") for item in scored if item.get("section") == "fields"]
    counts = {asked.count(field) for field in FIELDS}
    if len(counts) != 1 or counts == {0}:
        yield "section fields: not as many statements of each field."
        return
    checks = sum(item.get("section") == "fields" for item in items) - len(asked)
    leading = mapping(data.get("matching")).get("leading")
    lengths = [
        mapping(section).get("items_given")
        for section in listed(data.get("sections"))
        if mapping(section).get("code") == "fields"
    ]
    if is_count(leading) and lengths != [leading * counts.pop() + checks]:
        yield "section fields: items_given is not that of the leading fields and the checks."


def _is_scored(item: Mapping[str, Any]) -> bool:
    return (
        item.get("section") in ("interests", "fields")
        and item.get("scale") != INSTRUCTED
        and item.get("spare") is not True
    )
