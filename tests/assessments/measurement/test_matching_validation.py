from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from assessments.banks import SHIPPED
from assessments.measurement.bank_validation import validate

WHOLE: dict[str, Any] = json.loads(SHIPPED.read_bytes())
# The rules are not about puzzles: two a family are quicker to check.
BANK = {
    **WHOLE,
    "items": [item for item in WHOLE["items"] if item.get("order", 0) not in range(95, 443)],
}
Change = Callable[[dict[str, Any]], object]


def faults_after(change: Change) -> list[str]:
    """Return the faults of the bank after a change."""
    bank = copy.deepcopy(BANK)
    change(bank)
    return validate(bank)


def item(bank: dict[str, Any], code: str) -> dict[str, Any]:
    found: dict[str, Any]
    [found] = [each for each in bank["items"] if each["code"] == code]
    return found


def test_the_bank_that_ranks_by_fields_is_sound() -> None:
    assert validate(WHOLE) == []
    assert validate(BANK) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda b: b["fields"].pop(), "fields: not each of machines, building"),
        (
            lambda b: b["fields"][0].update(types=[]),
            "fields, machines: not one or two of realistic",
        ),
        (
            lambda b: b["fields"][0]["name"].pop("hi"),
            "fields, machines: the name is missing in hi.",
        ),
        (lambda b: b["matching"].pop("leading"), "matching, leading: None is not from 1 to 22."),
        (
            lambda b: b["matching"].update(preference_most=0.1),
            "matching, preference_most: 0.1 is not from 0 to 0.05.",
        ),
        (lambda b: b["matching"].update(luck=1), "matching: unknown luck."),
        (
            lambda b: b["norms"]["statements"].pop(),
            "norms, statements: not one for each interest statement.",
        ),
        (
            lambda b: b["norms"]["statements"].append(b["norms"]["statements"][0]),
            "norms, statements: int-mixer has more than one.",
        ),
        (
            lambda b: b["norms"]["statements"][0].update(sd=0.4),
            "norms, statements, int-mixer: needs a mean from 1 to 5 and an sd from 0.5 to 2.",
        ),
        (
            lambda b: b["norms"]["fields"]["means"].pop(),
            "norms, fields: needs a mean from -4 to 4 for each field.",
        ),
        (
            lambda b: b["norms"]["fields"]["covariances"].pop(),
            "norms, fields: needs a covariance of each field with each.",
        ),
        (
            lambda b: b["norms"]["fields"]["covariances"][0].__setitem__(0, 0),
            "norms, fields: 0 is no covariance (row 1, 1).",
        ),
        (
            lambda b: b["norms"]["fields"]["covariances"][0].__setitem__(1, 0.5),
            "norms, fields: 0.5 is no covariance (row 1, 2).",
        ),
        (
            lambda b: item(b, "int-mixer").update(fields=["astrology"]),
            "item int-mixer: not one to three different fields.",
        ),
        (
            lambda b: [
                item(b, each).update(fields=["art"]) for each in ("int-bills", "int-spending")
            ],
            "section interests: no statement speaks of accounts",
        ),
        (
            lambda b: item(b, "int-cows").update(scale="art"),
            "section fields: not as many statements of each field.",
        ),
        (
            lambda b: b["sections"][1].update(items_given=12),
            "section fields: items_given is not that of the leading fields and the checks.",
        ),
        (
            lambda b: b["sections"].reverse(),
            "sections: fields comes before interests, whose answers choose them.",
        ),
    ],
)
def test_what_is_wrong_is_said(change: Change, fault: str) -> None:
    assert any(fault in each for each in faults_after(change)), faults_after(change)


@pytest.mark.parametrize("broken", [None, 7, "x", [], {}, [None], {"a": 1}])
@pytest.mark.parametrize("name", ["fields", "matching", "norms", "items", "sections"])
def test_no_content_however_broken_raises(name: str, broken: object) -> None:
    assert faults_after(lambda bank: bank.update({name: broken}))
