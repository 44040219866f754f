"""New banks of old ones: what changes, what stays, what they are called."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from assessments.measurement.bank_validation import validate
from assessments.measurement.scales import Norm
from assessments.measurement.successor import next_version, stem, successor, with_norms

Data = dict[str, Any]


@pytest.mark.parametrize(
    ("version", "letter", "taken", "expected"),
    [
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


def test_new_norms(small_bank: Data) -> None:
    before = deepcopy(small_bank)

    new = with_norms(small_bank, {"social": Norm(3.4, 0.7)}, {"interests": 210})

    assert new["norms"]["interests"]["social"] == {"mean": 3.4, "sd": 0.7}
    assert new["norms"]["interests"]["artistic"] == before["norms"]["interests"]["artistic"]
    assert [section.get("seconds") for section in new["sections"]] == [210, None, None, None]
    assert small_bank == before
    assert validate(new) == []


def test_a_successor_names_the_bank_it_succeeds(small_bank: Data) -> None:
    version = small_bank["version"]
    one = successor(small_bank, next_version(version, "n", [version]))

    two = successor(one, "own")

    assert (one["succeeds"], stem(one["version"])) == (version, version)
    assert two["succeeds"] == one["version"]
    assert validate(one) == validate(two) == []
