"""New banks of old ones: what changes, what stays, what they are called."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from assessments.measurement.bank_validation import validate
from assessments.measurement.recalibration import (
    expected_difficulties,
    next_version,
    with_estimates,
    with_norms,
)
from assessments.measurement.scales import Norm

Data = dict[str, Any]


def item(data: Data, code: str) -> Data:
    found: Data = next(each for each in data["items"] if each["code"] == code)
    return found


@pytest.fixture
def code(small_bank: Data) -> str:
    return str(next(each["code"] for each in small_bank["items"] if "key" in each))


@pytest.mark.parametrize(
    ("version", "letter", "taken", "expected"),
    [
        ("2026.2", "c", ["2026.2"], "2026.2-c1"),
        ("2026.2", "c", ["2026.2", "2026.2-c1"], "2026.2-c2"),
        ("2026.2-c1", "c", ["2026.2", "2026.2-c1"], "2026.2-c2"),
        ("2026.2-c1", "n", ["2026.2", "2026.2-c1"], "2026.2-n2"),
        ("2026.2", "n", ["2026.2-c1", "2026.2-c3"], "2026.2-n2"),
        # Others' numbers are not in the way.
        ("2026.2", "c", ["2026.1-c1", "12026.2-c1", "2026.2-own1", "2026.2-c1-x"], "2026.2-c1"),
    ],
)
def test_the_next_version(version: str, letter: str, taken: list[str], expected: str) -> None:
    assert next_version(version, letter, taken) == expected


def test_new_estimates(small_bank: Data, code: str) -> None:
    before = deepcopy(small_bank)
    old = item(small_bank, code)

    new = with_estimates(small_bank, {code: (1.23456789, -0.5)}, {code: 41})

    assert item(new, code) == old | {"a": 1.2346, "b": -0.5, "b_rule": old["b"], "seconds": 41}
    assert [e for e in new["items"] if e["code"] != code] == [
        e for e in small_bank["items"] if e["code"] != code
    ]
    assert small_bank == before
    assert validate(new) == []


def test_extreme_estimates_are_kept_within_what_a_bank_allows(small_bank: Data, code: str) -> None:
    new = with_estimates(small_bank, {code: (7.5, -8.0)}, {})

    assert (item(new, code)["a"], item(new, code)["b"]) == (3.0, -4.0)
    assert validate(new) == []


def test_the_rules_difficulty_survives_calibrations(small_bank: Data, code: str) -> None:
    rule = item(small_bank, code)["b"]

    once = with_estimates(small_bank, {code: (1.0, 1.5)}, {})
    twice = with_estimates(once, {code: (1.0, 1.9)}, {})

    assert expected_difficulties(small_bank)[code] == rule
    assert expected_difficulties(twice)[code] == rule


def test_new_norms(small_bank: Data) -> None:
    before = deepcopy(small_bank)

    new = with_norms(small_bank, {"social": Norm(3.4, 0.7)}, {"interests": 210})

    assert new["norms"]["interests"]["social"] == {"mean": 3.4, "sd": 0.7}
    assert new["norms"]["interests"]["artistic"] == before["norms"]["interests"]["artistic"]
    assert [section.get("seconds") for section in new["sections"]] == [210, None, None, None]
    assert small_bank == before
    assert validate(new) == []
